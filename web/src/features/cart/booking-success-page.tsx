import type { Booking } from '@lendtools/contracts';
import { calendarFile } from '@lendtools/contracts/calendar-file';
import * as paths from '@lendtools/contracts/pages';
import { pickUpPlace } from '@lendtools/contracts/places';
import { timeInWords } from '@lendtools/contracts/rental-period';
import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCalendarPlus, IconCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { answerByInWords } from '../../rental/answer-by.ts';
import { formatDay, formatMoney } from '../../rental/format.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import type { BookingResult, LineLeft } from './booking-result.ts';
import classes from './cart.module.css';
import { HoldCountdown } from './hold-countdown.tsx';

function moment(date: string, time: string) {
  return [formatDay(date), timeInWords(time)].filter(Boolean).join(', ');
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

function RequestedLine({ booking }: { booking: Booking }) {
  const { toolOwner, name, approval, booking_code, booking_status } = booking;
  const owner = toolOwner.first_name;
  if (booking_status !== 'Requested')
    return (
      <li>
        <Text>
          {owner}’s {name}: the request has ended already. Your card was not charged.
        </Text>
        <Anchor component={Link} to={paths.ofId(paths.rental, booking.id)}>
          See why
        </Anchor>
      </li>
    );
  return (
    <li>
      <Text mb={8}>
        {owner} is asked for {name} from {formatDay(booking.start_date)}.
        {approval && ` You’ll hear by ${answerByInWords(approval, booking)}.`}
      </Text>
      <Text size="sm" c="dimmed">
        Booking code
      </Text>
      <span className={classes.code}>{booking_code}</span>
      <Text c="dimmed" mt={12}>
        Your card is authorized for {formatMoney(booking.payment)} and charged only if {owner}{' '}
        accepts.
      </Text>
    </li>
  );
}

function LeftLine({ left: { line, why, keptUntil } }: { left: LineLeft }) {
  return (
    <li>
      <Text fw={650}>
        {line.name}, {formatDay(line.start_date)}: not booked
      </Text>
      <Text>{why}</Text>
      {keptUntil && (
        <HoldCountdown hold={{ expiresAt: keptUntil }} over="Its dates are free again." />
      )}
    </li>
  );
}

interface Heading {
  title: string;
  Icon: typeof IconCheck;
}

function headingOf(bookings: Booking[], left: LineLeft[]): Heading {
  if (left.length > 0) return { title: 'Not everything went through', Icon: IconAlertTriangle };
  if (bookings.some(isBooked)) return { title: 'Congratulations!', Icon: IconCheck };
  const title = bookings.length > 1 ? 'Requests sent' : 'Request sent';
  return { title, Icon: IconCheck };
}

/** Whether it was booked at once, or its owner has accepted already. */
function isBooked({ approval, booking_status }: Booking) {
  return !approval || booking_status === 'Booked';
}

/** The one next step: paying for the rest, or the page of what was booked or requested. */
function NextStep({ bookings, left }: { bookings: Booking[]; left: LineLeft[] }) {
  const only = bookings.length === 1 ? bookings[0] : undefined;
  if (left.some(({ canPay }) => canPay))
    return (
      <Button component={Link} to={paths.memberCart}>
        Pay for the rest
      </Button>
    );
  if (!only || left.length > 0)
    return (
      <Button component={Link} to={paths.rentalHistory}>
        My Rental History
      </Button>
    );
  return (
    <Group justify="center">
      <Button component={Link} to={paths.ofId(paths.rental, only.id)}>
        {isBooked(only) ? `Write to ${only.toolOwner.first_name}` : 'See your request'}
      </Button>
      <Button component={Link} to={paths.rentalHistory} variant="default">
        My Rental History
      </Button>
    </Group>
  );
}

/** Shows what happened to each line of the cart. It is in the history entry's state, which survives a reload. */
export default function BookingSuccessPage() {
  const state = useLocation().state as BookingResult | null;
  const user = useUser();
  // Show only the user's own bookings: after a logout, the tab's next user may go back to this entry.
  const bookings = (state?.bookings ?? []).filter((booking) => booking.userId === user?.id);
  if (bookings.length === 0) return <Navigate to={paths.rentalHistory} replace />;
  const { left = [] } = state ?? {};
  const booked = bookings.filter(isBooked);
  const { title, Icon } = headingOf(bookings, left);
  // What was booked at once was paid with one payment; requests are charged later.
  const [receiptId] = bookings.flatMap(({ paymentIds = [] }) => paymentIds);
  return (
    <div className={`page-width ${classes.page}`}>
      <title>{`${title} · LendTools`}</title>
      <div className={classes.done} role="status">
        <span className={classes.tick} data-partly={left.length > 0 || undefined}>
          <Icon size={44} stroke={2.4} aria-hidden />
        </span>
        <Title order={1}>{title}</Title>
        <ul className={classes.booked}>
          {left.map((one) => (
            <LeftLine key={one.line.id} left={one} />
          ))}
          {bookings.map((booking) =>
            isBooked(booking) ? (
              <BookedLine key={booking.id} booking={booking} />
            ) : (
              <RequestedLine key={booking.id} booking={booking} />
            ),
          )}
        </ul>
        <Text c="dimmed" maw={420}>
          You’ll find all of this, and a way to write to the owner, in My Rental History. We have
          sent you an email, too.
        </Text>
        {booked.length > 0 && <AddToCalendar bookings={booked} />}
        {receiptId && (
          <Anchor component={Link} to={paths.ofId(paths.receipt, receiptId)}>
            Receipt
          </Anchor>
        )}
        <NextStep bookings={bookings} left={left} />
      </div>
    </div>
  );
}
