import type { Passkey } from '@lendtools/contracts';
import { Badge, Button, Card, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { useSecondFactorsQuery } from '../../api/login-api.ts';
import { supportsPasskeys } from '../../lib/supports-passkeys.ts';
import { formatDate, momentInWords } from '../../rental/format-instant.ts';
import { confirm } from '../../ui/confirm.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import {
  useAddPasskeyMutation,
  useRemovePasskeyMutation,
  useRenamePasskeyMutation,
  useStartPasskeyMutation,
} from './profile-api.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { RecoveryCodesLeft } from './recovery-codes-left.tsx';

interface PasskeyProps {
  passkey: Passkey;
  userId: string;
}

function RenameForm({ passkey, userId, onClose }: PasskeyProps & { onClose: () => void }) {
  const [rename, { isLoading, error }] = useRenamePasskeyMutation();
  const [name, setName] = useState(passkey.name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await rename({ userId, id: passkey.id, name: name.trim() });
    if (data) onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Group gap="sm" align="end">
        <TextInput
          label="Name"
          flex="1 1 200px"
          maxLength={60}
          autoFocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={error && errorMessage(error)}
        />
        <Button type="submit" loading={isLoading} disabled={!name.trim()}>
          Save
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}

function PasskeyCard({ passkey, userId, isLast }: PasskeyProps & { isLast: boolean }) {
  const [remove, { isLoading }] = useRemovePasskeyMutation();
  const [isRenaming, setIsRenaming] = useState(false);
  const { id, name, createdAt, usedAt } = passkey;
  const removeIt = async () => {
    const consequence = isLast
      ? 'Your password is then enough to log in as you, and your recovery codes no longer work.'
      : 'It no longer logs you in. Delete it on your device too.';
    const isAgreed = await confirm(consequence, {
      title: `Remove “${name}”?`,
      confirm: 'Remove it',
      cancel: 'Keep it',
    });
    if (!isAgreed) return;
    const { data, error } = await remove({ userId, id });
    if (data) toastSuccess(data.message);
    else toastError(errorMessage(error));
  };
  return (
    <Card component="li" withBorder padding="md">
      {isRenaming ? (
        <RenameForm passkey={passkey} userId={userId} onClose={() => setIsRenaming(false)} />
      ) : (
        <Group gap="md" align="center">
          <IconFingerprint size={28} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
          <Stack gap={2} flex="1 1 180px" miw={0}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <Text size="sm" c="dimmed">
              Added {formatDate(createdAt)}.{' '}
              {usedAt ? `Last used ${momentInWords(usedAt)}.` : 'Not used yet.'}
            </Text>
          </Stack>
          <Group gap="xs">
            <Button
              variant="default"
              size="sm"
              aria-label={`Rename ${name}`}
              onClick={() => setIsRenaming(true)}
            >
              Rename
            </Button>
            <Button
              variant="subtle"
              color="red"
              size="sm"
              loading={isLoading}
              aria-label={`Remove ${name}`}
              onClick={() => void removeIt()}
            >
              Remove
            </Button>
          </Group>
        </Group>
      )}
    </Card>
  );
}

function AddPasskey({ userId, onCodes }: { userId: string; onCodes: (codes: string[]) => void }) {
  const [start] = useStartPasskeyMutation();
  const [add] = useAddPasskeyMutation();
  const [isAdding, setIsAdding] = useState(false);
  const [problem, setProblem] = useState('');
  const addOne = async () => {
    const started = await start(userId);
    if (!started.data) return setProblem(errorMessage(started.error));
    const { createPasskey } = await import('../../lib/passkeys.ts');
    const created = await createPasskey(started.data);
    if (!created.answer) return setProblem(created.problem);
    const { data, error } = await add({ userId, passkey: created.answer });
    if (!data) return setProblem(errorMessage(error));
    toastSuccess(data.message);
    if (data.recoveryCodes) onCodes(data.recoveryCodes);
  };
  const click = async () => {
    setProblem('');
    setIsAdding(true);
    await addOne().finally(() => setIsAdding(false));
  };
  return (
    <>
      <FormError>{problem}</FormError>
      <Button
        w="fit-content"
        variant="default"
        loading={isAdding}
        leftSection={<IconFingerprint size={20} stroke={1.6} aria-hidden />}
        onClick={() => void click()}
      >
        Add a passkey
      </Button>
    </>
  );
}

/** The section about passkeys, which log in alone or after the password. */
export function Passkeys({ userId }: { userId: string }) {
  const { data, error, refetch } = useSecondFactorsQuery(userId);
  const [codes, setCodes] = useState<string[]>();
  const passkeys = data?.passkeys ?? [];
  const isOnlyKind = passkeys.length > 0 && !data?.totpSince;
  return (
    <Stack component="section" aria-labelledby="passkeys" maw={680} mt={48} gap="sm">
      <Group gap="xs">
        <Title order={2} size="h3" id="passkeys">
          Passkeys
        </Title>
        {passkeys.length > 0 && (
          <Badge color="green" variant="light" tt="none">
            On
          </Badge>
        )}
      </Group>
      <Text c="dimmed">
        Log in with your fingerprint, face, PIN or security key instead of your password. With a
        passkey, a stolen password is not enough to log in as you.
      </Text>
      {codes && <RecoveryCodes codes={codes} onSaved={() => setCodes(undefined)} />}
      {passkeys.length > 0 && (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
          {passkeys.map((passkey) => (
            <PasskeyCard
              key={passkey.id}
              passkey={passkey}
              userId={userId}
              isLast={isOnlyKind && passkeys.length === 1}
            />
          ))}
        </Stack>
      )}
      {data && supportsPasskeys() && <AddPasskey userId={userId} onCodes={setCodes} />}
      {data && !supportsPasskeys() && (
        <Text size="sm">This browser can’t use passkeys here, so you can’t add one now.</Text>
      )}
      {data && isOnlyKind && !codes && (
        <RecoveryCodesLeft userId={userId} left={data.recoveryCodesLeft} onCodes={setCodes} />
      )}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={36} w={240} aria-hidden />}
    </Stack>
  );
}
