import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, useState } from 'react';
import { errorCode, errorMessage, fieldErrors } from '../api/error-message.ts';
import {
  useReauthenticateMutation,
  useSecondFactorsQuery,
  useStartPasskeyCheckMutation,
} from '../api/login-api.ts';
import { useUser } from '../api/session-slice.ts';
import { supportsPasskeys } from '../lib/supports-passkeys.ts';
import { FormError } from './form-error.tsx';
import { wakeOverlays } from './wake-overlays.ts';

/** A button that confirms the identity with a passkey, for users who have one. */
function PasskeyButton({ userId, onDone }: { userId: string; onDone: () => void }) {
  const { data: factors } = useSecondFactorsQuery(userId);
  const [start] = useStartPasskeyCheckMutation();
  const [reauthenticate] = useReauthenticateMutation();
  const [problem, setProblem] = useState('');
  const [isPrompting, setIsPrompting] = useState(false);
  if (!factors?.passkeys.length || !supportsPasskeys()) return null;
  const confirm = async () => {
    const { data: options, error } = await start(userId);
    if (!options) return setProblem(errorMessage(error));
    const { promptForPasskey } = await import('../lib/passkeys.ts');
    const { answer, problem } = await promptForPasskey(options);
    if (!answer) return setProblem(problem);
    const reply = await reauthenticate({ userId, passkey: answer });
    if (reply.data) onDone();
    else setProblem(errorMessage(reply.error));
  };
  const click = async () => {
    setProblem('');
    setIsPrompting(true);
    await confirm().finally(() => setIsPrompting(false));
  };
  return (
    <>
      <Button loading={isPrompting} onClick={() => void click()}>
        Use your passkey
      </Button>
      <FormError>{problem}</FormError>
      <Text c="dimmed" ta="center">
        or
      </Text>
    </>
  );
}

function IdentityForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const userId = useUser()?.id ?? '';
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [reauthenticate, { isLoading, error }] = useReauthenticateMutation();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const sent = { userId, password, ...(needsCode && { code }) };
    const { data, error } = await reauthenticate(sent);
    if (data) onDone();
    else if (errorCode(error) === 'SECOND_FACTOR_REQUIRED') setNeedsCode(true);
  };
  const failure = errorCode(error) === 'SECOND_FACTOR_REQUIRED' ? undefined : fieldErrors(error);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <Text>You logged in a while ago. Please enter your password to continue.</Text>
        <PasskeyButton userId={userId} onDone={onDone} />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={failure?.password ?? (error && !needsCode && errorMessage(error))}
        />
        {needsCode && (
          <TextInput
            label="Code"
            description="From your authenticator app, or a recovery code."
            autoComplete="one-time-code"
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={failure && !failure.password && errorMessage(error)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={isLoading}
            disabled={!password || (needsCode && !code.trim())}
          >
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

let open: Promise<boolean> | null = null;

async function showDialog(): Promise<boolean> {
  await wakeOverlays();
  return new Promise((resolve) => {
    const close = (isConfirmed: boolean) => {
      resolve(isConfirmed);
      modals.close(id);
    };
    const id = modals.open({
      title: 'Is it you?',
      children: <IdentityForm onDone={() => close(true)} onCancel={() => close(false)} />,
      onClose: () => resolve(false),
    });
  });
}

/** Has the user enter the password again. Returns whether the session is fresh now; concurrent callers share a dialog. */
export function confirmIdentity(): Promise<boolean> {
  open ??= showDialog().finally(() => {
    open = null;
  });
  return open;
}
