import type { Event, EventData } from '@lendtools/contracts';
import {
  addToOutbox,
  type Consumer,
  NotKnownYetError,
  newEvent,
  subscribeOnce,
} from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';
import { type BookingRow, bookingColumns } from '../booking-repository.ts';
import { endOpenChange } from '../change-repository.ts';
import { findOpenRequest } from '../change-request-repository.ts';
import type { Deps } from '../deps.ts';
import { lapse } from '../domain/purchase.ts';
import { applyPaymentChange } from '../end-lost-bookings.ts';
import { closeChangeRequest } from '../settle-change.ts';

type StripeEvent = Event<'PaymentRefundedAtStripe' | 'PaymentDisputed'>;

/**
 * Records what was refunded in Stripe's dashboard, lost in a dispute or is held by a bank. What was refunded or lost is withheld from
 * later refunds; what a bank holds may be ordered, and payments sends it if the dispute is won. A lost dispute cancels bookings that have
 * not started. The published event notifies the parties and the admins.
 */
export const withholdWhenPaymentChangedAtStripe = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.withhold-when-payment-changed-at-stripe', pool, async (event, tx) => {
    const { version, data } = event;
    const { paymentId } = data;
    const taken = await applyPaymentChange(tx, paymentId, { version, ...data });
    if (!taken.isKnown) throw new NotKnownYetError(`Payment ${paymentId} is not known yet`);
    await publishPaymentChange(tx, event, taken.cancelledIds);
  });

const publishPaymentChange = async (
  tx: Transaction,
  event: StripeEvent,
  cancelledIds: string[],
): Promise<void> => {
  const { paymentId, userId } = event.data;
  const { rows } = await tx.query<BookingRow>(
    `SELECT ${bookingColumns} FROM bookings b JOIN draws d ON d.booking_id = b.id
     WHERE d.payment_id = $1 ORDER BY b.id`,
    [paymentId],
  );
  // A cardholder who disputes a payment can't extend the booking until the dispute is won.
  if (event.type === 'PaymentDisputed' && event.data.state !== 'won')
    for (const booking of rows.filter(({ id }) => !cancelledIds.includes(id)))
      await endPendingChange(tx, booking);
  const bookings = rows.map((booking) => ({
    bookingId: booking.id,
    bookingCode: booking.code,
    toolId: booking.toolId,
    toolName: booking.name,
    ownerId: booking.ownerId,
    isCancelled: cancelledIds.includes(booking.id),
  }));
  const data = { paymentId, renterId: userId, change: changeOf(event), bookings };
  const aggregate = { id: paymentId, version: event.version };
  await addToOutbox(tx, newEvent('BookingPaymentChanged', aggregate, data));
};

/**
 * Ends a booking's open change. If the change has a hold, `endChanges` publishes its end, because it locks the hold first. Here its row
 * may be updated only once: a second update in the same transaction checks the foreign key, which locks the hold. A transaction that
 * has locked the hold may be waiting for this booking: deadlock.
 */
const endPendingChange = async (tx: Transaction, booking: BookingRow): Promise<void> => {
  const change = await findOpenRequest(tx, booking.id);
  if (change?.holdId === null) await closeChangeRequest(tx, { booking, change }, lapse);
  else await endOpenChange(tx, booking.id);
};

const changeOf = (event: StripeEvent): EventData<'BookingPaymentChanged'>['change'] => {
  if (event.type === 'PaymentRefundedAtStripe') {
    const { refundCents: cents, outcome } = event.data;
    return { kind: 'refund', cents, outcome };
  }
  const { disputeCents: cents, state, reason, answerBy } = event.data;
  return { kind: 'dispute', cents, state, reason, answerBy };
};
