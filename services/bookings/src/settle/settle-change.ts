import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { databaseNow, type Transaction } from '@lendtools/service-kit';
import { type RefundPart, sumExpected, sumUnrefunded, transit } from '../domain/booking.ts';
import { isTooLate, refundOfChange } from '../domain/change.ts';
import type { Tool } from '../domain/price.ts';
import {
  findEarnings,
  insertAllocations,
  isDisputed,
  lockAllocations,
} from '../store/allocation-repository.ts';
import { completeApproval } from '../store/approval-repository.ts';
import { bookingChanged } from '../store/booking-events.ts';
import { type BookingRow, lockBooking } from '../store/booking-repository.ts';
import {
  type BookingChange,
  endChange,
  lockChangeOfHold,
  saveChanged,
} from '../store/change-repository.ts';
import type { HoldRow } from '../store/hold-repository.ts';
import { findTools } from '../store/tool-repository.ts';
import { refundParts } from './refund-parts.ts';

export interface LockedChange {
  booking: BookingRow;
  change: BookingChange;
}

/** Locks the booking and the change of a locked hold. Returns undefined for the hold of a cart. */
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

/** Whether a paid change can still be made: the booking is confirmed and undisputed, and the deadline has not passed. */
export const isChangeable = async (
  tx: Transaction,
  { booking, change }: LockedChange,
): Promise<boolean> =>
  change.status === 'open' &&
  booking.status === 'confirmed' &&
  !isTooLate(booking, change, await databaseNow(tx)) &&
  !(await isDisputed(tx, booking.id));

/** Applies a change to its booking. Refunds a price reduction, or allocates `paymentId` to a price increase. */
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
  const made = { ...change, refundCents: sumExpected(refunds) };
  await saveChanged(tx, booking, made);
  const isApproved = await completeApproval(tx, { changeId: change.id });
  const changed = (await lockBooking(tx, booking.id)) as BookingRow;
  const paymentIds = paymentId ? [paymentId] : [];
  const earnings = await findEarnings(tx, changed);
  const how = { units: change.units, refunds, paymentIds, isApproved, earnings };
  await addToOutbox(tx, bookingChanged(changed, made, how));
};

/** Recomputes the refund: since the request, an admin may have refunded a part, or a refund may have failed. */
const refundDifference = async (
  tx: Transaction,
  booking: BookingRow,
  change: BookingChange,
): Promise<RefundPart[]> => {
  const allocations = await lockAllocations(tx, booking.id, { withHeld: true });
  const refundCents = refundOfChange(booking, change, sumUnrefunded(allocations));
  const order = { allocations, refundCents, grantId: null, changeId: change.id } as const;
  return refundParts(tx, booking, { ...order, reason: 'changed' });
};

/** Ends a change and frees its units. The booking stays unchanged. */
export const freeChange = async (
  tx: Transaction,
  { booking, change }: LockedChange,
): Promise<void> => {
  await endChange(tx, change.id);
  await publishAvailabilityOf(tx, booking);
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
