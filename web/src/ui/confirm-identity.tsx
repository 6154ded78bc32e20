import * as at from '@lendtools/contracts/endpoints';
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, useState } from 'react';
import { addEndpoints } from '../api/add-endpoints.ts';
import { startSession } from '../api/base-api.ts';
import { errorMessage } from '../api/error-message.ts';
import { useUser } from '../api/session-slice.ts';
import { wakeOverlays } from './wake-overlays.ts';

const identityApi = addEndpoints(({ mutation }) => ({
  reauthenticate: mutation(at.reauthenticate, {
    send: ({ userId, ...body }: { userId: string; password: string }) => ({
      params: { userId },
      body,
    }),
    onQueryStarted: async (_, { dispatch, getState, queryFulfilled }) => {
      const reply = await queryFulfilled.catch(() => null);
      if (reply) startSession({ dispatch, getState }, reply.data);
    },
    invalidatesTags: ['Session'],
  }),
}));
const { useReauthenticateMutation } = identityApi;

function IdentityForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const userId = useUser()?.id ?? '';
  const [password, setPassword] = useState('');
  const [reauthenticate, { isLoading, error }] = useReauthenticateMutation();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if ((await reauthenticate({ userId, password })).data) onDone();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <Text>You logged in a while ago. Please enter your password to continue.</Text>
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={error && errorMessage(error)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isLoading} disabled={!password}>
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
