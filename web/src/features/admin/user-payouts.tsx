import type { User } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { usePayoutAccountQuery } from '../../api/payout-account-api.ts';
import { HoldPayouts } from '../../ui/payouts/hold-payouts.tsx';
import { payoutStates } from '../../ui/payouts/payout-words.ts';

/** Whether a user can be paid, the user's earnings, and a button that holds the payouts. */
export function UserPayouts({ user }: { user: User }) {
  const { data: account, error } = usePayoutAccountQuery(user.id);
  return (
    <Stack component="section" aria-labelledby="payouts" mt={40} gap="sm">
      <Title order={2} fz="h3" id="payouts">
        Payouts
      </Title>
      {account && (
        <Text>
          {payoutStates[account.state]}
          {account.isHeld && ', on hold'}
        </Text>
      )}
      {!account && error && <Text c="var(--mantine-color-error)">{errorMessage(error)}</Text>}
      {!account && !error && <Skeleton h={24} w={160} />}
      <Group gap="sm">
        <Button
          component={Link}
          to={`${paths.earnings}?owner=${user.id}`}
          variant="default"
          size="sm"
          px="sm"
        >
          See the earnings
        </Button>
        {account && (
          <HoldPayouts
            ownerId={user.id}
            ownerName={`${user.first_name} ${user.last_name}`}
            isHeld={account.isHeld}
          />
        )}
      </Group>
    </Stack>
  );
}
