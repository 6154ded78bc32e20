import type { Report, ReportDecision } from '@lendtools/contracts';
import { Button, Chip, Group, Modal, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/error-message.ts';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { toastSuccess } from '../../ui/toast.ts';
import { useDecideReportMutation } from './reports-api.ts';

interface DecisionWords {
  label: string;
  /** What happens. */
  effect: string;
  /** Saved texts that can be changed before they are sent. */
  texts: { name: string; text: string }[];
}

const decisions: Record<ReportDecision, DecisionWords> = {
  dismiss: {
    label: 'Dismiss: nothing is wrong',
    effect:
      'The reporter gets the reasons. The author is told only if there was a decision before.',
    texts: [
      {
        name: 'Nothing found',
        text: 'We have looked at it and found nothing that breaks the law or our rules.',
      },
      {
        name: 'Between the parties',
        text: 'This is a disagreement about a rental. Please report it as a problem on the booking’s page, where both of you can show what happened.',
      },
      {
        name: 'Shown again',
        text: 'We have looked at it again and found that our decision was wrong. We are sorry.',
      },
    ],
  },
  warn: {
    label: 'Warn the author',
    effect: 'Both get the reasons. The content stays.',
    texts: [
      {
        name: 'Please correct it',
        text: 'The description promises more than the tool is. Please correct it; if it stays, we hide it.',
      },
      {
        name: 'Payment elsewhere',
        text: 'Rentals are paid on LendTools only, so that both sides are protected. Asking for payment elsewhere breaks our rules.',
      },
    ],
  },
  hide: {
    label: 'Hide it',
    effect:
      'Both get the reasons. Only the author and admins still see it, and it can be shown again.',
    texts: [
      {
        name: 'Scam',
        text: 'It shows the signs of a scam, which breaks our rules.',
      },
      {
        name: 'Not allowed',
        text: 'Tools of this kind may not be offered on LendTools.',
      },
      {
        name: 'Someone else’s work',
        text: 'It uses pictures or texts of someone else without permission. Replace them, and we show it again.',
      },
    ],
  },
  disable: {
    label: 'Disable the author’s account',
    effect:
      'The author is logged out, and their tools leave the market. Bookings that have not started are cancelled and refunded in full.',
    texts: [
      {
        name: 'Repeated',
        text: 'The account broke our rules repeatedly, after we had warned.',
      },
      { name: 'Fraud', text: 'The account was used for fraud.' },
    ],
  },
};

function optionsFor({ about }: Report) {
  return Object.entries(decisions)
    .filter(([value]) => about !== 'person' || value !== 'hide')
    .map(([value, { label }]) => ({ value, label }));
}

const longestReason = 2000;

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
        <Group gap="xs" role="group" aria-label="Saved texts">
          {texts.map(({ name, text }) => (
            <Chip key={name} checked={reason === text} onChange={() => setReason(text)} size="xs">
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
          maxLength={longestReason}
          value={reason}
          error={problem}
          onChange={({ currentTarget }) => {
            setReason(currentTarget.value);
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
