import type { Booking } from '@lendtools/contracts';
import { calendarFile } from '@lendtools/contracts/calendar-file';
import * as paths from '@lendtools/contracts/pages';
import { pickUpPlace } from '@lendtools/contracts/places';
import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { IconCalendarPlus, IconCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { answerByInWords } from '../../rental/answer-by.ts';
import { formatDay, formatMoney } from '../../rental/format.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import classes from './cart.module.css';

function moment(date: string, time: string) {
  return [formatDay(date), time].filter(Boolean).join(', ');
}

function BookedLine({ booking }: { booking: Booking }) {
  const { toolOwner, name, booking_code, googleMap } = booking;
  return (
    <li>
      <Text mb={8}>
        {toolOwner.first_name}’s {name} is yours from {formatDay(booking.start_date)}.
      </Text>
      <Text size="sm" c="dimmed">
        Booking code
      </Text>
      <span className={classes.code}>{booking_code}</span>
      <Facts className={classes.plan}>
        <Fact name="Pick it up">{moment(booking.start_date, booking.start_time)}</Fact>
        <Fact name="Bring it back">{moment(booking.end_date, booking.end_time)}</Fact>
        <Fact name="Where">
          {pickUpPlace(booking)}
          {googleMap && (
            <>
              <br />
              <Anchor href={googleMap} target="_blank" rel="noreferrer" size="sm">
                Show on the map
              </Anchor>
            </>
          )}
        </Fact>
        <Fact name="What to bring">Your booking code and a photo ID</Fact>
      </Facts>
    </li>
  );
}

/** An object URL for a generated file, revoked on unmount. */
function useFileAddress(text: string, type: string): string {
  const [address, setAddress] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [text, type]);
  return address;
}

function AddToCalendar({ bookings }: { bookings: Booking[] }) {
  const file = calendarFile(
    bookings.map((booking) => ({
      ...booking,
      toolName: booking.name,
      bookingCode: booking.booking_code,
      changedAt: booking.createdAt,
      other: booking.toolOwner.first_name,
      as: 'renter',
      place: pickUpPlace(booking),
    })),
  );
  const address = useFileAddress(file, 'text/calendar');
  return (
    <Button
      component="a"
      href={address}
      download={`lendtools-${bookings[0]?.booking_code}.ics`}
      variant="light"
      leftSection={<IconCalendarPlus size={18} aria-hidden />}
    >
      Add to calendar
    </Button>
  );
}

function RequestSent({ booking }: { booking: Booking }) {
  const { toolOwner, name, approval } = booking;
  return (
    <div className={`page-width ${classes.page}`}>
      <title>Request sent · LendTools</title>
      <div className={classes.done} role="status">
        <span className={classes.tick}>
          <IconCheck size={44} stroke={2.4} aria-hidden />
        </span>
        <Title order={1}>Request sent</Title>
        <Text maw={420}>
          {toolOwner.first_name} is asked for {name} from {formatDay(booking.start_date)}.
          {approval && ` You’ll hear by ${answerByInWords(approval, booking)}.`}
        </Text>
        <Text c="dimmed" maw={420}>
          Your card is authorized for {formatMoney(booking.payment)} and charged only if{' '}
          {toolOwner.first_name} accepts. We have sent you an email, too.
        </Text>
        <Button component={Link} to={paths.ofId(paths.rental, booking.id)}>
          See your request
        </Button>
      </div>
    </div>
  );
}

/** Shows the new bookings. They are in the history entry's state, which survives a reload. */
export default function BookingSuccessPage() {
  const state = useLocation().state as { bookings?: Booking[] } | null;
  const user = useUser();
  // Show only the user's own bookings: after a logout, the tab's next user may go back to this entry.
  const bookings = (state?.bookings ?? []).filter((booking) => booking.userId === user?.id);
  if (bookings.length === 0) return <Navigate to={paths.rentalHistory} replace />;
  const only = bookings.length === 1 ? bookings[0] : undefined;
  if (only?.booking_status === 'Requested') return <RequestSent booking={only} />;
  // What was booked at once was paid with one payment; requests are charged later.
  const [receiptId] = bookings.flatMap(({ paymentIds = [] }) => paymentIds);
  const details = only ? paths.ofId(paths.rental, only.id) : null;
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
          You’ll find all of this, and a way to write to the owner, in My Rental History. We have
          sent you an email, too.
        </Text>
        <AddToCalendar bookings={bookings} />
        {receiptId && (
          <Anchor component={Link} to={paths.ofId(paths.receipt, receiptId)}>
            Receipt
          </Anchor>
        )}
        <Group justify="center">
          {details && (
            <Button component={Link} to={details}>
              Write to {only?.toolOwner.first_name}
            </Button>
          )}
          <Button
            component={Link}
            to={paths.rentalHistory}
            variant={details ? 'default' : 'filled'}
          >
            My Rental History
          </Button>
        </Group>
      </div>
    </div>
  );
}
