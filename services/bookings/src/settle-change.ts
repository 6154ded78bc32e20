import { addToOutbox, newEvent } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';
import { insertAllocations, isDisputed, lockAllocations } from './allocation-repository.ts';
import { bookingChanged, changeRequestEnded, changeRequested } from './booking-events.ts';
import { type BookingRow, lockBooking, renewVersion } from './booking-repository.ts';
import {
  type BookingChange,
  endChange,
  lockChangeOfHold,
  saveChanged,
} from './change-repository.ts';
import { saveChangeRequest, saveEndOfChange } from './change-request-repository.ts';
import { type RefundPart, sumLeft, sumUnrefunded, transit } from './domain/booking.ts';
import { answerByOfChange, isTooLate, refundOfChange } from './domain/change.ts';
import type { Tool } from './domain/price.ts';
import type { RequestEnd } from './domain/purchase.ts';
import { remindAnswerAt } from './domain/reminders.ts';
import { databaseNow, type HoldRow } from './purchase-repository.ts';
import { refundParts } from './refund-parts.ts';
import { withholdRefund } from './refund-recovered.ts';
import { findTools } from './tool-repository.ts';

export interface LockedChange {
  booking: BookingRow;
  change: BookingChange;
}

/** Locks the booking and the change of a locked hold. Undefined for the hold of a cart. */
export const lockBookingAndChange = async (
  tx: Transaction,
  { id, changesBookingId }: HoldRow,
): Promise<LockedChange | undefined> => {
  if (changesBookingId === null) return undefined;
  const booking = await lockBooking(tx, changesBookingId);
  const change = await lockChangeOfHold(tx, id);
  if (!booking || !change) throw new Error(`The booking or change of hold ${id} is missing`);
  return { booking, change };
};

/**
 * Whether a change can still be made when its payment arrives: the booking is confirmed, the deadline has not passed, and
 * none of its payments is disputed.
 */
export const isOpen = async (
  tx: Transaction,
  { booking, change }: LockedChange,
): Promise<boolean> =>
  change.status === 'open' &&
  booking.status === 'confirmed' &&
  !isTooLate(booking, change, await databaseNow(tx)) &&
  !(await isDisputed(tx, booking.id));

/** Applies a change to its booking. Refunds a price reduction; for a price increase, allocates `paymentId` to it. */
export const applyChange = async (
  tx: Transaction,
  booking: BookingRow,
  change: BookingChange,
  paymentId?: string,
): Promise<void> => {
  transit(booking.status, 'change', 'renter');
  if (paymentId)
    await insertAllocations(tx, [
      { paymentId, bookingId: booking.id, amountCents: change.dueCents },
    ]);
  const isCheaper = change.totalCents < booking.totalCents;
  const refunds = isCheaper ? await refundDifference(tx, booking, change) : [];
  const refundCents = refunds.reduce((sum, refund) => sum + refund.refundCents, 0);
  const made = { ...change, refundCents };
  await saveChanged(tx, booking, made);
  const changed = (await lockBooking(tx, booking.id)) as BookingRow;
  await addToOutbox(tx, bookingChanged(changed, made, { units: change.units, refunds }));
};

/**
 * Recomputes the refund instead of using the stored one: before the owner accepted, an admin may have refunded part of
 * it, or a refund in Stripe's dashboard may have failed.
 */
const refundDifference = async (
  tx: Transaction,
  booking: BookingRow,
  change: BookingChange,
): Promise<RefundPart[]> => {
  const allocations = await lockAllocations(tx, booking.id, { withHeld: true });
  const refundCents = refundOfChange(booking, change, sumLeft(allocations));
  const order = { allocations, refundCents, grantId: null, changeId: change.id } as const;
  const refunds = await refundParts(tx, booking, { ...order, reason: 'changed' });
  const owedCents = refundOfChange(booking, change, sumUnrefunded(allocations));
  await withholdRefund(tx, booking.id, { allocations, owedCents, refundCents });
  return refunds;
};

/** Ends a change and frees its units; the booking stays as it is. */
export const freeChange = async (
  tx: Transaction,
  { booking, change }: LockedChange,
): Promise<void> => {
  await endChange(tx, change.id);
  await publishAvailabilityOf(tx, booking);
};

/** Requests the owner's acceptance. Until the answer, the booking stays as it is and the change keeps its units. */
export const requestAcceptance = async (
  tx: Transaction,
  { booking, change }: LockedChange,
): Promise<void> => {
  const now = await databaseNow(tx);
  const { terms = null } = (await findTools(tx, [booking.toolId])).get(booking.toolId) ?? {};
  const answerBy = answerByOfChange(booking, change, { terms, now });
  const remindAt = remindAnswerAt({ ...booking, answerBy }, now);
  const asked = await saveChangeRequest(tx, change, { answerBy, remindAt });
  await addToOutbox(tx, changeRequested(await renewVersion(tx, booking), asked));
};

/**
 * Ends the request of a locked change and publishes the outcome, unless the booking itself has ended: its own event
 * covers the change. A change with a hold must end through its hold; `endChangeRequest` handles both.
 */
export const closeChangeRequest = async (
  tx: Transaction,
  locked: LockedChange,
  { transition, by, note }: RequestEnd,
): Promise<void> => {
  const { booking, change } = locked;
  if (change.status === 'done' || change.outcome) return;
  await freeChange(tx, locked);
  if (booking.status !== 'confirmed') return;
  // An accepted change that lapses was answered but not charged.
  const isUncharged = change.acceptedAt && transition === 'lapse';
  const how = { outcome: transit('requested', isUncharged ? 'fail' : transition, by), note };
  await saveEndOfChange(tx, change, how);
  await addToOutbox(tx, changeRequestEnded(await renewVersion(tx, booking), change, how));
};

export const publishAvailabilityOf = async (
  tx: Transaction,
  { toolId }: BookingRow,
): Promise<void> => {
  const tool = (await findTools(tx, [toolId])).get(toolId);
  if (tool) await publishAvailability(tx, tool);
};

/** Makes clients that show the tool's calendar reload it. */
export const publishAvailability = (
  tx: Transaction,
  tool: Pick<Tool, 'id' | 'version'>,
): Promise<void> => addToOutbox(tx, newEvent('AvailabilityChanged', tool, { toolId: tool.id }));
