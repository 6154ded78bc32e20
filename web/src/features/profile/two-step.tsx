import type { ReplyAt } from '@lendtools/contracts/call';
import type * as at from '@lendtools/contracts/endpoints';
import { Alert, Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { useSecondFactorsQuery } from '../../api/login-api.ts';
import { formatDate } from '../../rental/format-instant.ts';
import { confirm } from '../../ui/confirm.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { Part } from '../../ui/part.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useRemoveTotpMutation } from './profile-api.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { RecoveryCodesLeft } from './recovery-codes-left.tsx';

const SetUpTotp = lazy(() => import('./set-up-totp.tsx'));

interface TurnedOnProps {
  userId: string;
  since: string;
  codesLeft: number;
  /** What turning it off means. */
  consequence: string;
  onCodes: (codes: string[]) => void;
}

function TurnedOn({ userId, since, codesLeft, consequence, onCodes }: TurnedOnProps) {
  const [remove, { isLoading }] = useRemoveTotpMutation();
  const turnOff = async () => {
    const isAgreed = await confirm(consequence, {
      title: 'Turn two-step login off?',
      confirm: 'Turn it off',
      cancel: 'Keep it',
    });
    if (!isAgreed) return;
    const { data, error } = await remove(userId);
    if (data) toastSuccess(data.message);
    else toastError(errorMessage(error));
  };
  return (
    <>
      <Group gap="xs">
        <Badge color="green" variant="light" tt="none">
          On
        </Badge>
        <Text size="sm">Since {formatDate(since)}.</Text>
        <Button
          variant="subtle"
          color="red"
          size="sm"
          loading={isLoading}
          onClick={() => void turnOff()}
        >
          Turn off
        </Button>
      </Group>
      <RecoveryCodesLeft userId={userId} left={codesLeft} onCodes={onCodes} />
    </>
  );
}

function consequenceOf({ isRequired, passkeys }: ReplyAt<typeof at.secondFactors>) {
  if (passkeys.length > 0) return 'Logins then need one of your passkeys or a recovery code.';
  return isRequired
    ? 'You can’t use the admin pages until you set up another app or a passkey.'
    : 'A stolen password would then be enough to log in as you.';
}

/** The section about the authenticator app, with which a login needs a code besides the password. */
export function TwoStep({ userId }: { userId: string }) {
  const { data, error, refetch } = useSecondFactorsQuery(userId);
  const [isSettingUp, setIsSettingUp] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  const finish = () => {
    setCodes(undefined);
    setIsSettingUp(false);
    void refetch();
  };
  const isOff = data && !data.totpSince && !codes && !isSettingUp;
  return (
    <Stack component="section" aria-labelledby="two-step" maw={680} mt={48} gap="sm">
      <Title order={2} size="h3" id="two-step">
        Two-step login
      </Title>
      <Text c="dimmed">
        With it, logins also need a code from an app on your phone: a stolen password is not enough.
      </Text>
      {data?.isRequired && !data.totpSince && data.passkeys.length === 0 && !codes && (
        <Alert color="orange" title="Admins need two-step login">
          Set it up, or add a passkey, to use the admin pages. Your other devices are then logged
          out.
        </Alert>
      )}
      {codes && <RecoveryCodes codes={codes} onSaved={finish} />}
      {data?.totpSince && !codes && (
        <TurnedOn
          userId={userId}
          since={data.totpSince}
          codesLeft={data.recoveryCodesLeft}
          consequence={consequenceOf(data)}
          onCodes={setCodes}
        />
      )}
      {isOff && (
        <Button w="fit-content" onClick={() => setIsSettingUp(true)}>
          Set up an authenticator app
        </Button>
      )}
      {isSettingUp && !codes && (
        <Part>
          <SetUpTotp userId={userId} onCodes={setCodes} onCancel={() => setIsSettingUp(false)} />
        </Part>
      )}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={36} w={240} aria-hidden />}
    </Stack>
  );
}
