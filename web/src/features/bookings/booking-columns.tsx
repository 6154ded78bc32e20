import type { Booking } from '@lendtools/contracts';
import { requestedChangeOf } from '@lendtools/contracts/open-approval';
import { timeInWords } from '@lendtools/contracts/rental-period';
import { Text } from '@mantine/core';
import { useNow } from '../../lib/use-now.ts';
import { formatDay, formatMoney } from '../../rental/format.ts';
import { shortId } from '../../rental/format-instant.ts';
import { timeStatus } from '../../rental/time-status.ts';
import { Price } from '../../ui/price.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import classes from './booking-lists.module.css';
import { authorizationWord, fullName, returnedWord } from './booking-words.ts';

const oneLine = { whiteSpace: 'nowrap' } as const;

function When({ date, time }: { date: string; time: string }) {
  return (
    <>
      <span style={oneLine}>{formatDay(date)}</span>
      <Text span display="block" size="xs" c="dimmed" style={oneLine}>
        {date.slice(0, 4)}
        {time && `, ${timeInWords(time)}`}
      </Text>
    </>
  );
}

function Returned({ booking }: { booking: Booking }) {
  const status = timeStatus(booking, useNow());
  return (
    <>
      <StatusBadge status={returnedWord(booking)} />
      {status && (
        <Text
          span
          display="block"
          size="xs"
          c={status === 'Overdue' ? 'var(--mantine-color-error)' : 'dimmed'}
          mt={2}
          style={oneLine}
        >
          {status}
        </Text>
      )}
      {booking.hasOpenProblem && (
        <Text span display="block" size="xs" fw={600} mt={2} style={oneLine}>
          Problem reported
        </Text>
      )}
      {requestedChangeOf(booking) && (
        <Text span display="block" size="xs" fw={600} mt={2} style={oneLine}>
          Change asked
        </Text>
      )}
    </>
  );
}

const idColumn: Column<Booking> = {
  title: 'Id',
  cell: ({ id }) => (
    <Text span size="xs" c="dimmed" className="tabular" title={id}>
      {shortId(id)}
    </Text>
  ),
};
const nameColumn: Column<Booking> = {
  title: 'Tool Name',
  cell: (booking) => (
    <span className={classes.name}>
      <ToolPicture tool={booking} className={classes.thumbnail} sizes="56px" />
      {booking.name}
    </span>
  ),
  sortBy: ({ name }) => name.toLowerCase(),
  main: true,
};
const codeColumn: Column<Booking> = {
  title: 'Booking Code',
  cell: ({ booking_code }) => <span className="tabular">{booking_code}</span>,
};
const restColumns: Column<Booking>[] = [
  {
    title: 'Price',
    cell: ({ price, rental_circle, payment }) => (
      <>
        <Price amount={price} circle={rental_circle} inherit />
        {payment !== price && (
          <Text span display="block" size="xs" c="dimmed" className="tabular" style={oneLine}>
            {formatMoney(payment, true)} total
          </Text>
        )}
      </>
    ),
    sortBy: ({ price }) => price,
  },
  {
    title: 'Pickup Date',
    cell: ({ start_date, start_time }) => <When date={start_date} time={start_time} />,
    sortBy: ({ startsAt }) => startsAt,
  },
  {
    title: 'Returning Date',
    cell: ({ end_date, end_time }) => <When date={end_date} time={end_time} />,
    sortBy: ({ endsAt }) => endsAt,
  },
  {
    title: 'Returned Status',
    cell: (booking) => <Returned booking={booking} />,
    sortBy: returnedWord,
  },
  {
    title: 'Authorization',
    cell: (booking) => <StatusBadge status={authorizationWord(booking)} />,
    sortBy: authorizationWord,
  },
];

export const ownerColumns: Column<Booking>[] = [
  idColumn,
  nameColumn,
  {
    title: 'User Name',
    cell: ({ user }) => fullName(user),
    sortBy: ({ user }) => fullName(user),
  },
  codeColumn,
  ...restColumns,
];
