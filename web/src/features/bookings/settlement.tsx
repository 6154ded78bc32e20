import type { Booking } from '@lendtools/contracts';
import { Stack, Text, Title } from '@mantine/core';
import { formatMoney } from '../../rental/format.ts';
import { formatDate } from '../../rental/format-instant.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import classes from './booking-facts.module.css';

const disputeWords = {
  inquiry: 'A bank asks about the payment',
  open: 'Open: the bank holds the money',
  won: 'Over: the money is yours',
  lost: 'Lost: the cardholder keeps the money',
};

export function SettlementFacts({ booking }: { booking: Booking }) {
  const { settlement, refunded } = booking;
  if (!settlement) return null;
  const { refundable, refundedAtStripe, disputed, dispute, refunds } = settlement;
  return (
    <section aria-labelledby="money-title" className={classes.review}>
      <Title order={2} fz="h3" mb="xs" id="money-title">
        Money
      </Title>
      <Facts>
        <Fact name="Refunded">{formatMoney(refunded)}</Fact>
        {refundedAtStripe > 0 && (
          <Fact name="Of which in Stripe’s dashboard">{formatMoney(refundedAtStripe)}</Fact>
        )}
        {dispute && <Fact name="Dispute">{disputeWords[dispute]}</Fact>}
        {disputed > 0 && <Fact name="Amount in dispute">{formatMoney(disputed)}</Fact>}
        <Fact name="Can still be refunded">{formatMoney(refundable)}</Fact>
      </Facts>
      <Stack gap="xs" mt={refunds.length > 0 ? 'sm' : 0}>
        {refunds.map(({ amount, reason, at, by }) => (
          <Text key={`${at} ${by.id}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {formatMoney(amount)} by {`${by.first_name} ${by.last_name}`.trim() || 'an admin'} on{' '}
            {formatDate(at)}: “{reason}”
          </Text>
        ))}
      </Stack>
    </section>
  );
}
