import type { ReplyOf, routes } from '@lendtools/contracts';
import { Badge, Button } from '@mantine/core';
import { IconMailCheck } from '@tabler/icons-react';
import { baseApi } from '../api/base-api.ts';
import { errorMessage } from '../api/error-message.ts';
import { useUser } from '../api/session-slice.ts';
import { toastError, toastSuccess } from './toast.ts';

const verifyApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    sendVerification: build.mutation<ReplyOf<typeof routes.sendVerification>, string>({
      query: (userId) => ({ url: `user/${userId}/send-verification`, method: 'POST' }),
    }),
  }),
});
const { useSendVerificationMutation } = verifyApi;

/** Has the link mailed again, and says where it went. */
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
