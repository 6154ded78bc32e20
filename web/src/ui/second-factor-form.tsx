import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorCode, errorMessage } from '../api/error-message.ts';
import { useSecondFactorLoginMutation } from '../api/login-api.ts';
import { KeepAccount } from './keep-account.tsx';

interface SecondFactorFormProps {
  challenge: string;
  /** Called if the password must be entered again. */
  onRestart: (reason: string) => void;
}

/** The second step of a login: a code of the authenticator app, or a recovery code. */
export function SecondFactorForm({ challenge, onRestart }: SecondFactorFormProps) {
  const [logIn, { isLoading, error }] = useSecondFactorLoginMutation();
  const [code, setCode] = useState('');
  const [isRecovery, setIsRecovery] = useState(false);
  const isClosed = errorCode(error) === 'ACCOUNT_CLOSED';
  const send = async (keep: { keepAccount?: boolean } = {}) => {
    const reply = await logIn({ challenge, code, ...keep });
    if (errorCode(reply.error) === 'LOGIN_CHALLENGE_INVALID') onRestart(errorMessage(reply.error));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const switchKind = () => {
    setIsRecovery(!isRecovery);
    setCode('');
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">
          {isRecovery
            ? 'Enter one of the recovery codes that you saved. Each works once.'
            : 'Enter the six digits that your authenticator app shows for LendTools.'}
        </Text>
        <TextInput
          key={String(isRecovery)}
          label={isRecovery ? 'Recovery code' : 'Code'}
          autoComplete="one-time-code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={error && !isClosed && errorMessage(error)}
        />
        {isClosed && (
          <KeepAccount
            error={error}
            isLoading={isLoading}
            onKeep={() => void send({ keepAccount: true })}
          />
        )}
        <Button type="submit" size="lg" loading={isLoading} disabled={!code.trim()}>
          Login
        </Button>
        <Anchor component="button" type="button" fw={600} ta="center" onClick={switchKind}>
          {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
        </Anchor>
      </Stack>
    </form>
  );
}
