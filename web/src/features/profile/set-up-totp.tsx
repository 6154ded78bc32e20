import { Button, Code, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { encode } from 'uqr';
import { errorMessage } from '../../api/error-message.ts';
import { ErrorState } from '../../ui/page-states.tsx';
import { useConfirmTotpMutation, useStartTotpMutation } from './profile-api.ts';

function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const cells = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  );
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={200}
      height={200}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code for your authenticator app"
      style={{ background: '#fff', borderRadius: 12, flex: 'none' }}
    >
      <path d={cells.join('')} fill="#000" />
    </svg>
  );
}

function SecretToScan({ secret, uri }: { secret: string; uri: string }) {
  return (
    <Group gap="md" align="start">
      <QrCode text={uri} />
      <Stack gap="xs" flex="1 1 240px">
        <Text size="sm">
          Scan this with an authenticator app, such as Google Authenticator, 1Password or Aegis. On
          this phone?{' '}
          <a href={uri} style={{ color: 'inherit' }}>
            Open the app
          </a>{' '}
          or type this key into it:
        </Text>
        <Code fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {(secret.match(/.{1,4}/g) ?? []).join(' ')}
        </Code>
      </Stack>
    </Group>
  );
}

interface SetUpTotpProps {
  userId: string;
  onCodes: (codes: string[]) => void;
  onCancel: () => void;
}

/** Shows the secret of a new authenticator app, and asks for a code of it as a proof that it works. */
export default function SetUpTotp({ userId, onCodes, onCancel }: SetUpTotpProps) {
  const [start, { data: started, error: startError }] = useStartTotpMutation();
  const [confirm, { isLoading, error }] = useConfirmTotpMutation();
  const [code, setCode] = useState('');
  useEffect(() => {
    void start(userId);
  }, [start, userId]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await confirm({ userId, code });
    if (data) onCodes(data.recoveryCodes);
  };
  if (startError) return <ErrorState error={startError} onRetry={() => void start(userId)} />;
  if (!started) return <Skeleton h={200} aria-hidden />;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <SecretToScan secret={started.secret} uri={started.uri} />
        <TextInput
          label="Code"
          description="The six digits that the app shows now."
          autoComplete="one-time-code"
          inputMode="numeric"
          maw={280}
          withAsterisk
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={error && errorMessage(error)}
        />
        <Group gap="sm">
          <Button type="submit" loading={isLoading} disabled={!code.trim()}>
            Turn on
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
