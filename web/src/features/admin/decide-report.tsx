import type { Report, ReportDecision } from '@lendtools/contracts';
import { longestReportText } from '@lendtools/contracts/report-words';
import { Button, Chip, Group, Modal, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/error-message.ts';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { toastSuccess } from '../../ui/toast.ts';
import { decisions, type SavedText } from './report-decisions.ts';
import { useDecideReportMutation } from './reports-api.ts';

function optionsFor({ about }: Report) {
  return Object.entries(decisions)
    .filter(([value]) => about !== 'person' || value !== 'hide')
    .map(([value, { label }]) => ({ value, label }));
}

interface ReasonsProps {
  texts: SavedText[];
  value: string;
  error: string;
  onChange: (value: string) => void;
}

function Reasons({ texts, value, error, onChange }: ReasonsProps) {
  return (
    <>
      <Group gap="xs" role="group" aria-label="Saved texts">
        {texts.map(({ name, text }) => (
          <Chip key={name} checked={value === text} onChange={() => onChange(text)} size="xs">
            {name}
          </Chip>
        ))}
      </Group>
      <Textarea
        label="Reasons"
        description="Both sides may read them: don’t name who reported it."
        withAsterisk
        autosize
        minRows={4}
        maxRows={12}
        maxLength={longestReportText}
        value={value}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </>
  );
}

function DecisionForm({ report, onClose }: { report: Report; onClose: () => void }) {
  const [decide, { isLoading }] = useDecideReportMutation();
  const [decision, setDecision] = useState<ReportDecision>('dismiss');
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState('');
  const { effect, texts } = decisions[decision];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    if (!reason.trim()) return setProblem('Please enter the reasons');
    const { error } = await decide({ report, decision, reason: reason.trim() });
    if (error) return setProblem(fieldErrors(error).reason ?? errorMessage(error));
    toastSuccess('Decided, and answered by email.');
    onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <NativeSelect
          label="Decision"
          data={optionsFor(report)}
          value={decision}
          data-autofocus
          onChange={({ currentTarget }) => setDecision(currentTarget.value as ReportDecision)}
        />
        <Text size="sm">{effect}</Text>
        <Reasons
          texts={texts}
          value={reason}
          error={problem}
          onChange={(value) => {
            setReason(value);
            setProblem('');
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Not now
          </Button>
          <Button
            type="submit"
            loading={isLoading}
            {...(decision === 'disable' && { color: 'red.9' })}
          >
            Decide and answer
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function DecideReport({ report }: { report: Report }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  useBackCloses(isOpen, close);
  const label = report.waitingSince ? 'Decide' : 'Decide again';
  return (
    <>
      <Button
        size="sm"
        variant={report.waitingSince ? 'filled' : 'default'}
        aria-label={`${label}: ${report.number}`}
        onClick={() => setIsOpen(true)}
      >
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={`${label}: ${report.number}, ${report.title}`}>
        <DecisionForm report={report} onClose={close} />
      </Modal>
    </>
  );
}
