import { Badge, Button } from '@mantine/core';
import { IconMailCheck } from '@tabler/icons-react';
import { useSendVerificationMutation } from '../api/account-profile-api.ts';
import { errorMessage } from '../api/error-message.ts';
import { useUser } from '../api/session-slice.ts';
import { toastError, toastSuccess } from './toast.ts';

export function SendVerification() {
  const userId = useUser()?.id ?? '';
  const [send, { isLoading, data }] = useSendVerificationMutation();
  const ask = async () => {
    const { data: sent, error } = await send(userId);
    if (sent) toastSuccess(sent.message);
    else toastError(errorMessage(error));
  };
  return (
    <Button
      variant="default"
      size="sm"
      loading={isLoading}
      disabled={data !== undefined}
      onClick={() => void ask()}
      style={{ alignSelf: 'flex-start' }}
    >
      {data ? 'Link sent' : 'Email me a link'}
    </Button>
  );
}

export function EmailVerified() {
  return (
    <Badge
      color="green"
      variant="light"
      tt="none"
      leftSection={<IconMailCheck size={14} aria-hidden />}
    >
      Email verified
    </Badge>
  );
}
