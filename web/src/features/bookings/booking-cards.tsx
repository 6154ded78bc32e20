import type { Booking } from '@lendtools/contracts';
import { requestedChangeOf } from '@lendtools/contracts/open-approval';
import { Button, Group, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { useNow } from '../../lib/use-now.ts';
import { formatDayAndTime, formatMoney } from '../../rental/format.ts';
import { shortId } from '../../rental/format-instant.ts';
import { timeStatus } from '../../rental/time-status.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ToolPicture } from '../../ui/tool-picture.tsx';
import classes from './booking-lists.module.css';
import { groupBookings } from './booking-time.ts';
import { authorizationWord, fullName, isInForce, returnedWord } from './booking-words.ts';
import { NextStep, type Side } from './next-step.tsx';

interface CardsProps {
  label: string;
  bookings: Booking[];
  userId: string;
  side: Side;
  detailsPath: string;
}

type CardProps = Omit<CardsProps, 'label' | 'bookings'> & { booking: Booking };

function Card({ booking, side, detailsPath, userId }: CardProps) {
  const { id, name, booking_code, payment } = booking;
  const status = timeStatus(booking, useNow());
  const [who, other] =
    side === 'owner' ? ['User Name', booking.user] : (['Owner', booking.toolOwner] as const);
  const documented = isInForce(booking)
    ? [returnedWord(booking), authorizationWord(booking)].map((word) =>
        word === 'null' ? 'Not returned' : word,
      )
    : [];
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <ToolPicture tool={booking} className={classes.picture} sizes="96px" />
        <div>
          <Title order={3} fz="1.0625rem" mb={6}>
            {name}
          </Title>
          <Group gap={6}>
            <StatusBadge status={status ?? booking.booking_status} />
            {booking.hasOpenProblem && <StatusBadge status="Problem reported" />}
            {requestedChangeOf(booking) && <StatusBadge status="Change asked" />}
          </Group>
        </div>
      </div>
      <dl className={classes.facts}>
        <dt>Pickup Date</dt>
        <dd>{formatDayAndTime(booking.start_date, booking.start_time)}</dd>
        <dt>Returning Date</dt>
        <dd>{formatDayAndTime(booking.end_date, booking.end_time)}</dd>
        <dt>{who}</dt>
        <dd>{fullName(other)}</dd>
        <dt>Price</dt>
        <dd className="tabular">{formatMoney(payment)} total</dd>
        <dt>Booking Code</dt>
        <dd className="tabular">{booking_code}</dd>
      </dl>
      <div className={classes.actions}>
        <NextStep booking={booking} userId={userId} side={side} detailsPath={detailsPath} />
        <Button
          component={Link}
          to={`${detailsPath}?id=${id}`}
          variant="light"
          aria-label={`Details of ${name}`}
        >
          Details
        </Button>
      </div>
      <Text size="xs" c="dimmed">
        {[...documented, `Id ${shortId(id)}`].join(' · ')}
      </Text>
    </li>
  );
}

function GroupOfCards({ title, bookings, ...card }: CardsProps & { title: string }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.group}>
      <Title order={2} fz="h3" id={id}>
        {title}
      </Title>
      <ul className={classes.cards}>
        {bookings.map((booking) => (
          <Card key={booking.id} booking={booking} {...card} />
        ))}
      </ul>
    </section>
  );
}

/** Cards for screens that are too narrow for the table. Bookings that need action come first. */
export function BookingCards({ label, bookings, ...card }: CardsProps) {
  return (
    <section aria-label={label}>
      {groupBookings(bookings, useNow()).map(({ title, rows }) => (
        <GroupOfCards key={title} title={title} label={label} bookings={rows} {...card} />
      ))}
    </section>
  );
}
