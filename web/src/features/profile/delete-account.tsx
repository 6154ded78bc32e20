import * as paths from '@lendtools/contracts/pages';
import { Alert, Anchor, Button, List, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { errorCode, errorMessage, problemOf } from '../../api/error-message.ts';
import { useLogout } from '../../api/logout-context.ts';
import { confirm } from '../../ui/confirm.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useRequestDeletionMutation } from './profile-api.ts';

/** Where each kind of open matter can be seen. */
const pages: Record<string, string> = {
  rentals: paths.rentalHistory,
  purchases: paths.rentalHistory,
  refunds: paths.rentalHistory,
  disputes: paths.rentalHistory,
  problems: paths.rentalHistory,
  lendings: paths.myBookings,
  earnings: paths.earnings,
  debts: paths.earnings,
};

function OpenMatters({ error }: { error: unknown }) {
  const reasons = problemOf(error).errors ?? [];
  return (
    <Alert color="orange" title="Your account can’t be deleted yet" role="alert">
      <List size="sm" spacing={4}>
        {reasons.map(({ path, msg }) => (
          <List.Item key={path}>
            {msg}{' '}
            <Anchor component={Link} to={pages[path] ?? paths.dashboard}>
              Show
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

const consequence =
  'You’re logged out everywhere at once, and your tools are hidden. For 14 days you can log in and keep your account. ' +
  'Then your name, addresses, phone, pictures and tools are deleted for good.';

/** Requests the deletion of the account, or shows what has to be settled first. */
export function DeleteAccount({ userId }: { userId: string }) {
  const [request, { isLoading, error }] = useRequestDeletionMutation();
  const logout = useLogout();
  const isBlocked = errorCode(error) === 'ACCOUNT_HAS_OPEN_MATTERS';
  const ask = async () => {
    const isAgreed = await confirm(consequence, {
      title: 'Delete your account?',
      confirm: 'Delete my account',
      cancel: 'Keep it',
    });
    if (!isAgreed) return;
    const reply = await request(userId);
    if (reply.data) {
      await logout();
      toastSuccess(reply.data.message);
    } else if (errorCode(reply.error) !== 'ACCOUNT_HAS_OPEN_MATTERS')
      toastError(errorMessage(reply.error));
  };
  return (
    <Stack component="section" aria-labelledby="delete-account" maw={680} mt={48} gap="sm">
      <Title order={2} size="h3" id="delete-account">
        Delete your account
      </Title>
      <Text c="dimmed">
        You can delete it once no rental, payment or problem is open. Neighbors keep the bookings,
        messages and reviews that they share with you, without your name. Records of payments stay
        as long as the law requires.
      </Text>
      {isBlocked && <OpenMatters error={error} />}
      <Button
        variant="default"
        c="var(--mantine-color-red-light-color)"
        w="fit-content"
        loading={isLoading}
        onClick={() => void ask()}
      >
        Delete my account
      </Button>
    </Stack>
  );
}
