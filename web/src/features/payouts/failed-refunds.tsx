import type { FailedRefund } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useHashTarget } from '../../lib/use-hash-target.ts';
import { formatCents } from '../../rental/format.ts';
import { formatMoment } from '../../rental/format-instant.ts';
import { PagedTable } from '../../ui/paged-table.tsx';
import { StripeButton } from '../../ui/payouts/stripe-button.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { useFailedRefundsInfiniteQuery } from './payouts-api.ts';

const columns: Column<FailedRefund>[] = [
  {
    title: 'Amount',
    main: true,
    cell: ({ amountCents }) => <span className="tabular">{formatCents(amountCents)}</span>,
  },
  {
    title: 'Booking',
    cell: ({ bookings }) =>
      bookings.length === 0 ? (
        'No booking'
      ) : (
        <Stack gap={4}>
          {bookings.map(({ id, name, booking_code }) => (
            <Anchor key={id} component={Link} to={paths.ofId(paths.adminBooking, id)} inherit>
              {name}, {booking_code}
            </Anchor>
          ))}
        </Stack>
      ),
  },
  {
    title: 'Reason',
    wide: true,
    cell: ({ error }) => error?.replaceAll('_', ' ') ?? 'Stripe gave none',
  },
  { title: 'Since', cell: ({ since }) => formatMoment(since) },
  { title: 'Next try', cell: ({ nextTryAt }) => formatMoment(nextTryAt) },
];

/** Shown only if there are any: nearly all refunds succeed. */
export function FailedRefunds() {
  const pages = useFailedRefundsInfiniteQuery();
  const section = useHashTarget<HTMLElement>('failed-refunds');
  const isEmpty = !pages.data?.pages.some(({ refunds }) => refunds.length > 0);
  if (isEmpty && !pages.error) return null;
  return (
    <section ref={section} aria-labelledby="failed-refunds">
      <Title order={2} fz="h3" mt="xl" mb="xs" id="failed-refunds">
        Failed refunds
      </Title>
      <Text c="dimmed" mb="sm">
        Stripe could not make these, and they are tried again. If the balance is too low, top it up.
        If the card’s account is closed, agree with the renter on another way.
      </Text>
      <PagedTable
        label="Failed refunds"
        pages={pages}
        rowsOf={({ refunds }) => refunds}
        columns={columns}
        rowKey={({ key }) => key}
        actions={({ key, stripeUrl }) => <StripeButton name={`refund ${key}`} url={stripeUrl} />}
        empty={null}
      />
    </section>
  );
}
