import type { Event, EventData } from '@lendtools/contracts';
import {
  addToOutbox,
  type Consumer,
  NotKnownYetError,
  newEvent,
  subscribe,
  subscribeOnce,
} from '@lendtools/event-bus';
import { inTransaction, type Transaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { lapse } from '../../domain/approval.ts';
import { hasShares } from '../../store/allocation-repository.ts';
import { lockOpenApproval } from '../../store/approval-repository.ts';
import { type BookingRow, bookingColumns } from '../../store/booking-repository.ts';
import { endOpenChange, lockChange } from '../../store/change-repository.ts';
import { applyPaymentChange, lockWithBookings } from '../end-lost-bookings.ts';
import { closeApproval } from '../settle-approval.ts';

type StripeEvent = Event<'PaymentRefundedAtStripe' | 'PaymentDisputed'>;

const queue = 'bookings.withhold-when-payment-changed-at-stripe';

/**
 * Records what was refunded of a payment at Stripe or is disputed, ends open changes of disputed bookings, and publishes
 * which bookings are affected. `sync-shares` copies the amounts of each booking. Commits the record first, because the rest may
 * have to wait for the shares.
 */
export const withholdWhenPaymentChangedAtStripe = ({ pool }: Deps): Consumer => {
  const publisher = subscribeOnce(queue, pool, async (event, tx) => {
    const { paymentId } = event.data;
    if (isLoss(event) && !(await hasShares(tx, paymentId, event.version)))
      throw new NotKnownYetError(
        `What payment ${paymentId} has lost of each booking is not known yet`,
      );
    // Lock in the same order as the record did.
    await lockWithBookings(tx, paymentId);
    await publishPaymentChange(tx, event);
  });
  return subscribe(queue, async (event) => {
    const { version, data } = event;
    const { paymentId } = data;
    const { isKnown } = await inTransaction(pool, (tx) =>
      applyPaymentChange(tx, paymentId, { atStripe: { version, ...data } }),
    );
    if (!isKnown) throw new NotKnownYetError(`Payment ${paymentId} is not known yet`);
    await publisher.handle(event);
  });
};

/** Whether a dispute was lost. Its notice names the canceled bookings, so wait until the shares are copied. */
const isLoss = ({ type, data }: StripeEvent): boolean =>
  type === 'PaymentDisputed' && data.state === 'lost';

const publishPaymentChange = async (tx: Transaction, event: StripeEvent): Promise<void> => {
  const { paymentId, userId } = event.data;
  const { rows } = await tx.query<BookingRow & { isCancelled: boolean }>(
    `SELECT ${bookingColumns}, b.cancel_cause IS NOT DISTINCT FROM 'dispute-lost' AS "isCancelled"
     FROM bookings b JOIN allocations d ON d.booking_id = b.id
     WHERE d.payment_id = $1 ORDER BY b.id`,
    [paymentId],
  );
  // End an open change: a cardholder who disputes a payment can't change the booking until the dispute is won.
  if (event.type === 'PaymentDisputed' && event.data.state !== 'won')
    for (const booking of rows.filter(({ isCancelled }) => !isCancelled))
      await endOpenChangeAndApproval(tx, booking);
  const bookings = rows.map((booking) => ({
    bookingId: booking.id,
    bookingCode: booking.code,
    toolId: booking.toolId,
    toolName: booking.name,
    ownerId: booking.ownerId,
    isCancelled: booking.isCancelled,
  }));
  const data = { paymentId, renterId: userId, change: changeOf(event), bookings };
  const aggregate = { id: paymentId, version: event.version };
  await addToOutbox(tx, newEvent('BookingPaymentChanged', aggregate, data));
};

/** Ends a booking's open change and its approval. `end-hold-of-change` ends the hold later (README, Lock order). */
const endOpenChangeAndApproval = async (tx: Transaction, booking: BookingRow): Promise<void> => {
  const approval = await lockOpenApproval(tx, booking.id);
  const change = approval?.changeId ? await lockChange(tx, approval.changeId) : undefined;
  if (approval) await closeApproval(tx, { booking, change, approval }, lapse);
  else await endOpenChange(tx, booking.id);
};

const changeOf = (event: StripeEvent): EventData<'BookingPaymentChanged'>['change'] => {
  if (event.type === 'PaymentRefundedAtStripe') {
    const { refundId, refundCents: cents, outcome } = event.data;
    return { kind: 'refund', refundId, cents, outcome };
  }
  const { disputeCents: cents, state, reason, answerBy } = event.data;
  return { kind: 'dispute', cents, state, reason, answerBy };
};
