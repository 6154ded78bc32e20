import type { Booking } from '@lendtools/contracts';
import { Button, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { useNow } from '../../lib/use-now.ts';
import { formatDayAndTime, formatMoney } from '../../rental/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import classes from './booking-lists.module.css';
import { groupBookings, statusOf } from './booking-time.ts';
import { fullName } from './booking-words.ts';
import { NextStep, type Side } from './next-step.tsx';
import { RenterFacts } from './renter-facts.tsx';
import { stepInWords } from './step-in-words.ts';

interface CardsProps {
  label: string;
  bookings: Booking[];
  userId: string;
  side: Side;
  detailsPath: string;
}

type CardProps = Omit<CardsProps, 'label' | 'bookings'> & { booking: Booking };

function CardFacts({ booking, side }: Pick<CardProps, 'booking' | 'side'>) {
  const [who, other] =
    side === 'owner' ? ['User Name', booking.user] : (['Owner', booking.toolOwner] as const);
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{who}</dt>
        <dd>{fullName(other)}</dd>
      </div>
      <div>
        <dt>Pickup Date</dt>
        <dd>{formatDayAndTime(booking.start_date, booking.start_time)}</dd>
      </div>
      <div>
        <dt>Returning Date</dt>
        <dd>{formatDayAndTime(booking.end_date, booking.end_time)}</dd>
      </div>
      <div>
        <dt>Price</dt>
        <dd className="tabular">{formatMoney(booking.payment)} total</dd>
      </div>
      <div>
        <dt>Booking Code</dt>
        <dd className="tabular">{booking.booking_code}</dd>
      </div>
    </dl>
  );
}

function Card({ booking, side, detailsPath, userId }: CardProps) {
  const { id, name } = booking;
  const now = useNow();
  const step = stepInWords(booking, side, now);
  return (
    <li className={classes.card}>
      <ToolPicture tool={booking} className={classes.picture} sizes="120px" />
      <div className={classes.head}>
        <Title order={3} fz="1.0625rem">
          {name}
        </Title>
        <StatusBadge status={statusOf(booking, now)} />
        {step && <Text className={classes.step}>{step}</Text>}
      </div>
      <div className={classes.body}>
        {side === 'owner' && <RenterFacts booking={booking} />}
        <CardFacts booking={booking} side={side} />
      </div>
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

/** The bookings of one side. Those that need action come first. */
export function BookingCards({ label, bookings, ...card }: CardsProps) {
  return (
    <section aria-label={label}>
      {groupBookings(bookings, useNow()).map(({ title, rows }) => (
        <GroupOfCards key={title} title={title} label={label} bookings={rows} {...card} />
      ))}
    </section>
  );
}
