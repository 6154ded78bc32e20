import type { Booking } from '@lendtools/contracts';
import { Button, Group, Text, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { formatDay } from '../../lib/format.ts';
import classes from './cart.module.css';

function BookedLine({ booking }: { booking: Booking }) {
  return (
    <li>
      <Text mb={8}>
        {booking.toolOwner.first_name}’s {booking.name} is yours from{' '}
        {formatDay(booking.start_date)}.
      </Text>
      <Text size="sm" c="dimmed">
        Booking code
      </Text>
      <span className={classes.code}>{booking.booking_code}</span>
    </li>
  );
}

/** The booking code, and where to find all of it again. The history entry keeps it over a reload. */
export function Component() {
  const state = useLocation().state as { bookings?: Booking[] } | null;
  const bookings = state?.bookings ?? [];
  // Typed by hand, this address has nothing to congratulate on.
  if (bookings.length === 0) return <Navigate to="/user/my-rental-history" replace />;
  const only = bookings.length === 1 ? bookings[0] : undefined;
  const details = only ? `/user/my-rental-history-details?id=${only.id}` : null;
  return (
    <div className={`page-width ${classes.page}`}>
      <title>Congratulations! · LendTools</title>
      <div className={classes.done} role="status">
        <span className={classes.tick}>
          <IconCheck size={44} stroke={2.4} aria-hidden />
        </span>
        <Title order={1}>Congratulations!</Title>
        <ul className={classes.booked}>
          {bookings.map((booking) => (
            <BookedLine key={booking.id} booking={booking} />
          ))}
        </ul>
        <Text c="dimmed" maw={420}>
          You find the pick-up address, and a way to write to the owner, in My Rental History. We
          have sent you an e-mail, too.
        </Text>
        <Group justify="center" mt="md">
          {details && (
            <Button component={Link} to={details}>
              Write to {only?.toolOwner.first_name}
            </Button>
          )}
          <Button
            component={Link}
            to="/user/my-rental-history"
            variant={details ? 'default' : 'filled'}
          >
            My Rental History
          </Button>
        </Group>
      </div>
    </div>
  );
}
