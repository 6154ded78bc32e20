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
import { saveAsked, saveEndOfChange } from './change-request-repository.ts';
import { type RefundPart, sumLeft, sumUnrefunded, transit } from './domain/booking.ts';
import { answerByOfChange, isTooLate, refundOfChange } from './domain/change.ts';
import type { Tool } from './domain/price.ts';
import type { RequestEnd } from './domain/purchase.ts';
import { remindAnswerAt } from './domain/reminders.ts';
import { databaseNow, type HoldRow } from './purchase-repository.ts';
import { refundParts } from './refund-parts.ts';
import { withholdRefund } from './refund-recovered.ts';
import { findTools } from './tool-repository.ts';

/** A booking and a change of it, both locked. */
export interface LockedChange {
  booking: BookingRow;
  change: BookingChange;
}

/** Locks the booking and the change of a locked hold. Undefined for a hold that changes no booking. */
export const lockBookingAndChange = async (
  tx: Transaction,
  { id, changesBookingId }: HoldRow,
): Promise<LockedChange | undefined> => {
  if (changesBookingId === null) return undefined;
  const booking = await lockBooking(tx, changesBookingId);
  const change = await lockChangeOfHold(tx, id);
  if (!booking || !change) throw new Error(`The change of hold ${id} is not there`);
  return { booking, change };
};

/**
 * Whether a change can still be made when its payment arrives: the booking is in force, it is not too late, and no payment of
 * it is disputed.
 */
export const isOpen = async (
  tx: Transaction,
  { booking, change }: LockedChange,
): Promise<boolean> =>
  change.status === 'open' &&
  booking.status === 'confirmed' &&
  !isTooLate(booking, change, await databaseNow(tx)) &&
  !(await isDisputed(tx, booking.id));

/** The booking is what the change says from now on. What it costs less goes back, what it costs more `paymentId` has paid. */
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

/** Recomputes the refund: until the owner accepts, an admin may refund part of it, or a refund in Stripe's dashboard may fail. */
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

/** The booking stays as it is, and what the change took beside it is free again. */
export const freeChange = async (
  tx: Transaction,
  { booking, change }: LockedChange,
): Promise<void> => {
  await endChange(tx, change.id);
  await tellCalendarsOf(tx, booking);
};

/** The booking stays as it is, with what the change has taken beside it, until the owner answers. */
export const askOwner = async (
  tx: Transaction,
  { booking, change }: LockedChange,
): Promise<void> => {
  const now = await databaseNow(tx);
  const { terms = null } = (await findTools(tx, [booking.toolId])).get(booking.toolId) ?? {};
  const answerBy = answerByOfChange(booking, change, { terms, now });
  const remindAt = remindAnswerAt({ ...booking, answerBy }, now);
  const asked = await saveAsked(tx, change, { answerBy, remindAt });
  await addToOutbox(tx, changeRequested(await renewVersion(tx, booking), asked));
};

/**
 * The owner is asked no more, and both hear why; of a booking that is over, its own end has told. For a change without a hold: one with
 * a hold ends by its hold. `endChangeRequest` chooses; `giveUpChange` ends the hold of a change that has ended already.
 */
export const endQuestion = async (
  tx: Transaction,
  locked: LockedChange,
  { transition, by, note }: RequestEnd,
): Promise<void> => {
  const { booking, change } = locked;
  if (change.status === 'done' || change.outcome) return;
  await freeChange(tx, locked);
  if (booking.status !== 'confirmed') return;
  // Once it is accepted it does not lack an answer, but the charge.
  const isUncharged = change.acceptedAt && transition === 'lapse';
  const how = { outcome: transit('requested', isUncharged ? 'fail' : transition, by), note };
  await saveEndOfChange(tx, change, how);
  await addToOutbox(tx, changeRequestEnded(await renewVersion(tx, booking), change, how));
};

export const tellCalendarsOf = async (tx: Transaction, { toolId }: BookingRow): Promise<void> => {
  const tool = (await findTools(tx, [toolId])).get(toolId);
  if (tool) await tellCalendars(tx, tool);
};

/** Whoever looks at a tool's calendar asks for it again. */
export const tellCalendars = (tx: Transaction, tool: Pick<Tool, 'id' | 'version'>): Promise<void> =>
  addToOutbox(tx, newEvent('AvailabilityChanged', tool, { toolId: tool.id }));
