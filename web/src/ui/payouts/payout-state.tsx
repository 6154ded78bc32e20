import * as paths from '@lendtools/contracts/pages';
import { Button, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { usePayoutAccountQuery } from '../../api/payout-account-api.ts';
import { payoutWords } from './payout-words.ts';

/** A section that says whether the owner can be paid, and leads to the page "Get paid". */
export function PayoutState({ userId }: { userId: string }) {
  const { data } = usePayoutAccountQuery(userId);
  const words = data && payoutWords(data);
  return (
    <Stack component="section" aria-labelledby="get-paid" maw={680} mt={48} gap="sm">
      <Title order={2} size="h3" id="get-paid">
        Get paid
      </Title>
      <Text c="dimmed">
        {words ? `${words.title}. ${words.text}` : 'See how you are paid for what you lend.'}
      </Text>
      <Button
        component={Link}
        to={paths.getPaid}
        variant={words?.isOpen ? 'filled' : 'default'}
        w="fit-content"
      >
        {words?.isOpen ? words.step : 'See your payouts'}
      </Button>
    </Stack>
  );
}
