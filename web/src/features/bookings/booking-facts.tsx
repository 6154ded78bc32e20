import type { Booking } from '@lendtools/contracts';
import { refundSteps, stepsAtMost, stepsInWords } from '@lendtools/contracts/cancellation';
import * as paths from '@lendtools/contracts/pages';
import { pickUpPlace } from '@lendtools/contracts/places';
import { Alert, Anchor, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { useNow } from '../../lib/use-now.ts';
import { countedPeriod, countedPrice } from '../../rental/booking-price.ts';
import { earningsInWords } from '../../rental/earnings-in-words.ts';
import { formatDayAndTime, formatMoney } from '../../rental/format.ts';
import { formatDate, momentInWords, readersZone } from '../../rental/format-instant.ts';
import { timeStatus } from '../../rental/time-status.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import { ChangeRequest, changeInWords, UnpaidChange } from './booking-changes.tsx';
import classes from './booking-facts.module.css';
import { statusOf } from './booking-time.ts';
import { fullName, isInForce, isRequest } from './booking-words.ts';
import { Cancelled } from './cancelled.tsx';
import { PickUp } from './pick-up.tsx';
import { Problems } from './problems.tsx';
import { refundArrivesBy } from './refund-arrival.ts';
import { RenterFacts } from './renter-facts.tsx';
import { RequestStatus } from './request-status.tsx';

function Overdue({ booking }: { booking: Booking }) {
  const { user, toolOwner, end_date, end_time } = booking;
  const me = useUser()?.id;
  const { search } = useLocation();
  const other = me === toolOwner.id ? user : toolOwner;
  const steps: Record<string, string> = {
    [user.id]: `Please bring it back now, or tell ${other.first_name} when you will.`,
    [toolOwner.id]: `Ask ${other.first_name} when it comes, and confirm the return once you have it.`,
  };
  const next = steps[me ?? ''];
  return (
    <Alert color="red" mt="md" title="Overdue" icon={<IconClockExclamation aria-hidden />}>
      It was due back on {formatDayAndTime(end_date, end_time)}.{' '}
      {next ?? `${user.first_name} still has it, and ${toolOwner.first_name} waits for it.`}
      {next && (
        <Anchor
          component={Link}
          to={{ search, hash: 'messages' }}
          c="inherit"
          underline="always"
          display="block"
          mt={4}
        >
          Write to {other.first_name}
        </Anchor>
      )}
    </Alert>
  );
}

/** Shows when the booking will be completed. Hidden until the rental has ended, and while a problem is open. */
function Completion({ booking, now }: { booking: Booking; now: number }) {
  const { completesAt, returnedAt, endsAt } = booking;
  if (!completesAt || (!returnedAt && now < Date.parse(endsAt))) return null;
  const when = now < Date.parse(completesAt) ? momentInWords(completesAt) : 'in a moment';
  return <Text mt="xs">Completes by itself {when}, unless a problem is reported.</Text>;
}

/** What a cancelled booking cost in the end. */
function Settled({ booking }: { booking: Booking }) {
  const { payment, paid, refunded, changedAt, cancellation } = booking;
  const arrivesBy = cancellation && refunded > 0 && refundArrivesBy(cancellation.at);
  return (
    <>
      {changedAt && <Fact name="Price when cancelled">{formatMoney(payment)}</Fact>}
      <Fact name="Paid">{formatMoney(paid)}</Fact>
      <Fact name="Refunded" total>
        {formatMoney(refunded)}
      </Fact>
      {arrivesBy && (
        <Fact name="On the card">
          {Date.parse(arrivesBy) > Date.now() ? `by ${formatDate(arrivesBy)}` : 'already'}
        </Fact>
      )}
    </>
  );
}

/** Shows the amount paid and, after a change, also the current price, which may differ. */
function Total({ booking }: { booking: Booking }) {
  const { payment, paid, changedAt } = booking;
  if (booking.booking_status === 'Cancelled') return <Settled booking={booking} />;
  if (changedAt)
    return (
      <>
        <Fact name="Price now">{formatMoney(payment)}</Fact>
        <Fact name="Paid" total>
          {formatMoney(paid)}
        </Fact>
      </>
    );
  return (
    <Fact name={isRequest(booking) ? 'Total' : 'Amount paid'} total>
      {formatMoney(payment)}
    </Fact>
  );
}

function cancellationInWords(booking: Booking, nowMs: number): string {
  const { booking_status, cancellationPolicy: policy, timeZone, startsAt, bookedAt } = booking;
  if (booking_status !== 'Booked') return '';
  const steps = refundSteps(policy, {
    circle: booking.rental_circle,
    timeZone,
    startsAtMs: Date.parse(startsAt),
    ...(bookedAt && { bookedAtMs: Date.parse(bookedAt) }),
  });
  const left = stepsAtMost(steps, booking.refundPercentMost);
  return stepsInWords(left, { timeZone, readersZone: readersZone(), nowMs });
}

function receiptAddress(paymentId: string, { userId }: Booking, me: string | undefined) {
  const address = paths.ofId(paths.receipt, paymentId);
  return userId === me ? address : `${address}&renter=${userId}`;
}

/** Whether the reader needs the way to the pick-up place. */
function isPickedUpBy({ user, address, booking_status }: Booking, me: string | undefined) {
  return user.id === me && address !== null && booking_status === 'Booked';
}

function FactList({ booking, now }: { booking: Booking; now: number }) {
  const { user, toolOwner } = booking;
  const inForce = isInForce(booking);
  const me = useUser()?.id;
  const cancellation = cancellationInWords(booking, now);
  const hasBegun = Date.parse(booking.startsAt) <= now;
  return (
    <Facts className={classes.facts}>
      <Fact name="Booking Code">
        <Text component="span" fw={700} className="tabular">
          {booking.booking_code}
        </Text>
      </Fact>
      <Fact name="Tool owner">
        <PersonLink person={toolOwner} name={fullName(toolOwner)} inherit />
      </Fact>
      <Fact name="User Name">
        <PersonLink person={user} name={fullName(user)} inherit />
      </Fact>
      <Fact name="Pickup Date">{formatDayAndTime(booking.start_date, booking.start_time)}</Fact>
      <Fact name="Returning Date">{formatDayAndTime(booking.end_date, booking.end_time)}</Fact>
      <Fact name="Rental period">{countedPeriod(booking.rental_circle, booking.period)}</Fact>
      {inForce && hasBegun && (
        <Fact name="Returned Status">
          {booking.returned_status === 'Returned' ? 'Returned' : 'Not returned'}
        </Fact>
      )}
      {!isPickedUpBy(booking, me) && (
        <Fact name={booking.address ? 'Pick-up address' : 'Place'}>{pickUpPlace(booking)}</Fact>
      )}
      <Fact name="Price">
        {countedPrice(booking.rental_circle, booking)}
        {booking.discount > 0 && `, less ${formatMoney(booking.discount)}`}
      </Fact>
      <Total booking={booking} />
      {booking.earnings && (
        <Fact name={toolOwner.id === me ? 'You earn' : `${toolOwner.first_name} earns`}>
          <span className="tabular">{earningsInWords(booking.earnings)}</span>
          {toolOwner.id === me && (
            <Anchor component={Link} to={paths.earnings} size="sm" display="block">
              See when you are paid
            </Anchor>
          )}
        </Fact>
      )}
      {cancellation && (
        <Fact name={user.id === me ? 'If you cancel' : 'If the renter cancels'}>
          {cancellation}
        </Fact>
      )}
      {booking.paymentIds?.map((id, index) => (
        <Fact key={id} name={index === 0 ? 'Receipt' : `Receipt ${index + 1}`}>
          <Anchor component={Link} to={receiptAddress(id, booking, me)}>
            See the receipt
          </Anchor>
        </Fact>
      ))}
      {booking.changes?.map((change) => (
        <Fact key={change.at} name={`Changed ${formatDate(change.at)}`} long>
          {changeInWords(change, toolOwner.id === me ? 'you' : toolOwner.first_name)}
        </Fact>
      ))}
      {booking.refunded > 0 && inForce && (
        <Fact name="Refunded">{formatMoney(booking.refunded)}</Fact>
      )}
    </Facts>
  );
}

export function BookingFacts({ booking, actions }: { booking: Booking; actions?: ReactNode }) {
  const now = useNow();
  const me = useUser()?.id;
  const status = timeStatus(booking, now);
  return (
    <section className={classes.card} aria-label="Booking">
      <ToolPicture
        tool={booking}
        className={classes.picture}
        sizes="(min-width: 75em) 30vw, 92vw"
        eager
      />
      <div className={classes.body}>
        <Title order={2} fz="h3">
          {booking.name}
        </Title>
        <Group gap="xs" mt="xs">
          <StatusBadge status={statusOf(booking, now)} />
        </Group>
        <Cancelled booking={booking} />
        <Completion booking={booking} now={now} />
        <RequestStatus booking={booking} />
        {status === 'Overdue' && <Overdue booking={booking} />}
        <Problems booking={booking} />
        <UnpaidChange booking={booking} />
        <ChangeRequest booking={booking} />
        <RenterFacts booking={booking} mt="md" />
        {isPickedUpBy(booking, me) && <PickUp booking={booking} />}
        <FactList booking={booking} now={now} />
        {actions && (
          <Group mt="lg" gap="sm" className={classes.actions}>
            {actions}
          </Group>
        )}
      </div>
    </section>
  );
}

export function BookingSkeleton() {
  return (
    <div className={classes.columns} aria-hidden>
      <Skeleton h={520} radius={16} />
      <Stack>
        <Skeleton h={320} radius={16} />
        <Skeleton h={140} radius={16} />
      </Stack>
    </div>
  );
}
