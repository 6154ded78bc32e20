import type { Dispute, FraudWarning } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { formatMoney } from '../../rental/format.ts';
import { formatDate, formatMoment } from '../../rental/format-instant.ts';
import type { Column } from '../../ui/responsive-table.tsx';

type Booking = Dispute['bookings'][number];

/** Turns a Stripe code such as `product_not_received` into words. */
function inWords(word: string): string {
  const words = word.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function dollars(cents: number): string {
  return formatMoney(cents / 100);
}

function nameOf({ name, booking_code }: Booking): string {
  return `${name} (${booking_code})`;
}

function BookingLinks({ bookings, action }: { bookings: Booking[]; action?: string }) {
  if (bookings.length === 0) return 'No booking';
  return (
    <Stack gap={4}>
      {bookings.map((booking) => (
        <div key={booking.id}>
          <Anchor
            component={Link}
            to={paths.ofId(paths.adminBooking, booking.id)}
            aria-label={action && `${action} ${nameOf(booking)}`}
          >
            {nameOf(booking)}
          </Anchor>
          <Text size="sm" c="dimmed">
            {booking.booking_status},{' '}
            {Date.parse(booking.startsAt) <= Date.now() ? 'started' : 'starts'}{' '}
            {formatMoment(booking.startsAt)}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

function stateOf({ state, answerBy }: Dispute, nowMs: number): [word: string, color: string] {
  if (state === 'won') return ['Won', 'green'];
  if (state === 'lost') return ['Lost', 'red'];
  if (answerBy === null) return ['Bank decides', 'gray'];
  if (Date.parse(answerBy) <= nowMs) return ['Overdue', 'red'];
  return state === 'inquiry' ? ['Inquiry', 'orange'] : ['Needs evidence', 'orange'];
}

function StateBadge({ dispute, nowMs }: { dispute: Dispute; nowMs: number }) {
  const [word, color] = stateOf(dispute, nowMs);
  return (
    <Badge variant="light" size="lg" tt="none" fw={600} miw="max-content" color={color}>
      <span data-testid="state">{word}</span>
    </Badge>
  );
}

const amount: Column<Dispute> = {
  title: 'Amount',
  cell: ({ amountCents, paidCents }) =>
    amountCents === paidCents
      ? dollars(amountCents)
      : `${dollars(amountCents)} of ${dollars(paidCents)}`,
  main: true,
};
const reason: Column<Dispute> = { title: 'Reason', cell: (row) => inWords(row.reason) };
const booking: Column<Dispute> = {
  title: 'Booking',
  cell: ({ bookings }) => <BookingLinks bookings={bookings} />,
  wide: true,
};

function state(nowMs: number): Column<Dispute> {
  return {
    title: 'State',
    cell: (dispute) => (
      <>
        <StateBadge dispute={dispute} nowMs={nowMs} />
        {dispute.state === 'inquiry' && dispute.waivedAt && (
          <Text span display="block" size="xs" c="dimmed" mt={2}>
            Owners are paid as usual
          </Text>
        )}
      </>
    ),
  };
}

export function disputeColumns(nowMs: number): Column<Dispute>[] {
  return [
    amount,
    reason,
    state(nowMs),
    {
      title: 'Evidence due',
      cell: ({ answerBy }) => (answerBy === null ? 'Nothing to submit' : formatMoment(answerBy)),
    },
    booking,
  ];
}

export const decidedColumns: Column<Dispute>[] = [
  amount,
  reason,
  state(0),
  { title: 'Opened', cell: ({ createdAt }) => formatDate(createdAt) },
  booking,
];

export const warningColumns: Column<FraudWarning>[] = [
  { title: 'Amount', cell: ({ amountCents }) => dollars(amountCents), main: true },
  { title: 'Suspicion', cell: ({ fraudType }) => inWords(fraudType) },
  { title: 'Since', cell: ({ createdAt }) => formatMoment(createdAt) },
  {
    title: 'Refund or cancel',
    cell: ({ bookings }) => <BookingLinks bookings={bookings} action="Refund or cancel" />,
    wide: true,
  },
];
