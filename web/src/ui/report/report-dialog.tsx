import type { ReportedKind, ReportReason } from '@lendtools/contracts';
import { longestReportText, reportReasons } from '@lendtools/contracts/report-words';
import {
  Button,
  Group,
  Modal,
  NativeSelect,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { isEmail, useForm } from '@mantine/form';
import { useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/error-message.ts';
import { useAddReportMutation } from '../../api/report-api.ts';
import { useUser } from '../../api/session-slice.ts';
import { focusFirstError } from '../focus-first-error.ts';
import { FormError } from '../form-error.tsx';

const reasons = Object.entries(reportReasons).map(([value, label]) => ({ value, label }));

interface ReportDialogProps {
  about: ReportedKind;
  id: string;
  what: string;
  onClose: () => void;
}

function ReportForm({ about, id, onSent, onClose }: ReportFormProps) {
  const user = useUser();
  const [send, { isLoading }] = useAddReportMutation();
  const [failure, setFailure] = useState('');
  const form = useForm({
    initialValues: { reason: '', text: '', email: '' },
    validate: {
      reason: (value) => (value ? null : 'Please choose a reason'),
      text: (value) => (value.trim() ? null : 'Please enter what is wrong'),
      email: user ? undefined : isEmail('Please enter a valid email'),
    },
  });
  const submit = async ({ reason, text, email }: typeof form.values) => {
    setFailure('');
    const { data, error } = await send({
      about,
      id,
      reason: reason as ReportReason,
      text: text.trim(),
      ...(!user && { email: email.trim() }),
    });
    if (data) return onSent(data.number);
    const errors = fieldErrors(error);
    form.setErrors(errors);
    if (!['reason', 'text', 'email'].some((field) => errors[field]))
      setFailure(errorMessage(error));
  };
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => void submit(values),
        (errors) => focusFirstError(form, errors),
      )}
    >
      <Stack>
        <Text>
          Our team will review it and email you our decision. We never say who reported something.
          In an emergency, call 911 first.
        </Text>
        <NativeSelect
          {...form.getInputProps('reason')}
          label="Reason"
          withAsterisk
          data-autofocus
          data={[{ value: '', label: 'Please choose' }, ...reasons]}
        />
        <Textarea
          {...form.getInputProps('text')}
          label="What is wrong?"
          description="Only our team reads it."
          withAsterisk
          autosize
          minRows={3}
          maxRows={10}
          maxLength={longestReportText}
        />
        {!user && (
          <TextInput
            {...form.getInputProps('email')}
            label="Your email"
            description="For our answer. Nobody else gets it."
            type="email"
            autoComplete="email"
            withAsterisk
          />
        )}
        <FormError>{failure}</FormError>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" loading={isLoading}>
            Send report
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type ReportFormProps = Omit<ReportDialogProps, 'what'> & { onSent: (number: string) => void };

export default function ReportDialog({ what, ...report }: ReportDialogProps) {
  const [number, setNumber] = useState('');
  return (
    <Modal opened onClose={report.onClose} title={`Report ${what}`}>
      {number ? (
        <Stack role="status">
          <Text>
            Thank you. Your report has the number <strong>{number}</strong>, and we have sent you an
            email about it. We will email you again once we have decided.
          </Text>
          <Group justify="flex-end">
            <Button onClick={report.onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <ReportForm {...report} onSent={setNumber} />
      )}
    </Modal>
  );
}
