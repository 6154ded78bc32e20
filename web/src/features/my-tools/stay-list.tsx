import * as paths from '@lendtools/contracts/pages';
import { timeInWords } from '@lendtools/contracts/rental-period';
import { Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { formatDay, formatMoney } from '../../rental/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import type { Stay } from './lent-days.ts';
import classes from './my-calendar.module.css';
import { stayStatus } from './stay-words.ts';

function dayAndTime(day: string, time: string) {
  return `${formatDay(day)}${time && ` ${timeInWords(time).replace(' ', '\u00a0')}`}`;
}

function StayLine({ stay, now }: { stay: Stay; now: number }) {
  const { booking, isRequested, from, to } = stay;
  const { user, quantity, earnings } = booking;
  const status = stayStatus(stay, now);
  const isChange = isRequested && status !== 'Requested';
  const when = isChange
    ? `${formatDay(from)} – ${formatDay(to)}`
    : `${dayAndTime(booking.start_date, booking.start_time)} – ${dayAndTime(booking.end_date, booking.end_time)}`;
  return (
    <li>
      <Link to={paths.ofId(paths.myBooking, booking.id)} className={classes.stay}>
        <ToolPicture tool={booking} className={classes.thumbnail} sizes="56px" />
        <span className={classes.who}>
          <b>
            {user.first_name} {user.last_name}
          </b>
          <span>
            {booking.name}
            {quantity > 1 && ` ×${quantity}`}
          </span>
          <span className={classes.when}>{when}</span>
        </span>
        <span className={classes.state}>
          <StatusBadge status={status} />
          {!isChange && (
            <span className="tabular">{formatMoney(earnings?.net ?? booking.payment)}</span>
          )}
        </span>
      </Link>
    </li>
  );
}

interface StayListProps {
  stays: Stay[];
  days: string[];
  now: number;
}

/** The stays of the shown days as links, in the order of their first days. */
export function StayList({ stays, days, now }: StayListProps) {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const shown = stays
    .filter(({ from, to }) => from <= last && to >= first)
    .toSorted((a, b) => a.booking.startsAt.localeCompare(b.booking.startsAt));
  return (
    <section aria-labelledby="stays">
      <Title order={2} size="h3" id="stays" mt="xl" mb="sm">
        Rentals on these days
      </Title>
      {shown.length === 0 ? (
        <Text c="dimmed">None. Free days can be rented.</Text>
      ) : (
        <ul className={classes.stays}>
          {shown.map((stay) => (
            <StayLine key={`${stay.booking.id} ${stay.from}`} stay={stay} now={now} />
          ))}
        </ul>
      )}
    </section>
  );
}
