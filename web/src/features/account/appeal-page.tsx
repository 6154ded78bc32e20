import { longestReportText } from '@lendtools/contracts/report-words';
import { Alert, Button, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { errorMessage, fieldErrors } from '../../api/error-message.ts';
import { FormError } from '../../ui/form-error.tsx';
import { useAppealDecisionMutation } from './account-api.ts';
import { AccountCard } from './account-card.tsx';

/** The page that the link in the email about a decision opens. Needs no login: the account may be disabled. */
export default function AppealPage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const [appeal, { isLoading, data, error }] = useAppealDecisionMutation();
  const [text, setText] = useState('');
  const [missing, setMissing] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!text.trim()) return setMissing('Please enter why you disagree');
    void appeal({ token, text: text.trim() });
  };
  const problem = missing || fieldErrors(error).text;
  return (
    <AccountCard
      title="Appeal a decision"
      intro="Someone on our team will review it again and email you. You can appeal once."
    >
      {data ? (
        <Alert color="green" role="status">
          {data.message}
        </Alert>
      ) : (
        <form noValidate onSubmit={submit}>
          <Stack gap="md">
            <Textarea
              label="Why do you disagree?"
              description="Only our team reads it."
              withAsterisk
              autosize
              minRows={4}
              maxRows={12}
              maxLength={longestReportText}
              value={text}
              error={problem}
              onChange={({ currentTarget }) => {
                setText(currentTarget.value);
                setMissing('');
              }}
            />
            <FormError>{error && !problem && errorMessage(error)}</FormError>
            <Button type="submit" size="lg" loading={isLoading} disabled={!token}>
              Send appeal
            </Button>
          </Stack>
        </form>
      )}
    </AccountCard>
  );
}
