import type { BookingAction } from '@lendtools/contracts';
import type { Circle } from '@lendtools/contracts/rental-period';
import { AppError, forbidden } from '@lendtools/service-kit';
import {
  bookingNotActive,
  bookingNotStarted,
  bookingReviewed,
  bookingStarted,
  returnNotUndone,
} from '../errors.ts';

export type BookingStatus = 'held' | 'confirmed' | 'returned' | 'cancelled' | 'expired';
export type Actor = 'renter' | 'owner' | 'admin' | 'system';
export type Transition = keyof typeof transitions;

/** A booking's life: what may happen to it, from where, and who may cause it. */
export const transitions = {
  confirm: { from: ['held'], to: 'confirmed', by: ['system'] },
  expire: { from: ['held'], to: 'expired', by: ['system'] },
  /** A payment succeeded after the hold had ended, and the dates are still free. */
  retake: { from: ['expired'], to: 'held', by: ['system'] },
  acceptReturn: { from: ['confirmed'], to: 'returned', by: ['owner', 'admin'] },
  undoReturn: { from: ['returned'], to: 'confirmed', by: ['owner', 'admin'] },
  cancel: { from: ['confirmed'], to: 'cancelled', by: ['renter', 'owner', 'admin'] },
} as const satisfies Record<
  string,
  { from: readonly BookingStatus[]; to: BookingStatus; by: readonly Actor[] }
>;

const refusals: Record<BookingStatus, string> = {
  held: 'This booking is not paid yet.',
  confirmed: 'This booking is paid already.',
  returned: 'This tool was already returned.',
  cancelled: 'This booking was cancelled.',
  expired: 'This booking was not paid in time.',
};

/**
 * The status after a transition.
 * @throws AppError FORBIDDEN for somebody who may not cause it, BOOKING_NOT_ACTIVE from a wrong status
 */
export const transit = (
  status: BookingStatus,
  transition: Transition,
  by: Actor,
): BookingStatus => {
  const { from, to, by: allowed } = transitions[transition];
  if (!(allowed as readonly Actor[]).includes(by)) throw forbidden();
  if (!(from as readonly BookingStatus[]).includes(status))
    throw bookingNotActive(refusals[status]);
  return to;
};

interface Rental {
  status: BookingStatus;
  userId: string;
  ownerId: string;
  circle: Circle;
  startDate: string;
  startsAt: Date;
  timeZone: string;
}

/** Whether it was ever paid: until then it is a draft, which nobody sees. */
export const isBooked = ({ status }: { status: BookingStatus }): boolean =>
  status !== 'held' && status !== 'expired';

/** Who somebody is to a booking; undefined for a stranger. An owner who is an admin acts as the owner. */
export const actorOf = (
  booking: { userId: string; ownerId: string },
  user: { userId: string; role: 'User' | 'Admin' },
): Exclude<Actor, 'system'> | undefined => {
  if (booking.ownerId === user.userId) return 'owner';
  if (user.role === 'Admin') return 'admin';
  return booking.userId === user.userId ? 'renter' : undefined;
};

/**
 * Once it is reviewed its owner can't cancel: a friend's good review would cost the two of them nothing.
 * @throws AppError BOOKING_NOT_ACTIVE once it is over, BOOKING_STARTED for a renter after its start, BOOKING_REVIEWED
 */
export const cancel = (
  booking: Rental,
  by: Actor,
  { now, isReviewed }: { now: Date; isReviewed: boolean },
): BookingStatus => {
  const status = transit(booking.status, 'cancel', by);
  if (by === 'renter' && booking.startsAt <= now) throw bookingStarted();
  if (by === 'owner' && isReviewed) throw bookingReviewed();
  return status;
};

/**
 * The tool came back. Not before the rental has begun: an owner who no longer wants to lend must cancel, which
 * refunds, instead of keeping the money and the dates.
 * @throws AppError BOOKING_NOT_ACTIVE unless it is paid and open, BOOKING_NOT_STARTED before its start
 */
export const acceptReturn = (booking: Rental, by: Actor, now: Date): BookingStatus => {
  const status = transit(booking.status, 'acceptReturn', by);
  if (booking.startsAt > now)
    throw bookingNotStarted(
      'This rental has not begun. If you can’t lend the tool, please cancel the booking.',
    );
  return status;
};

/** A minute, and what a slow network adds to a press in its last second. */
const undoWindowMs = 70_000;

/**
 * The return was confirmed by mistake: as long as nobody can have built on it. Whether its dates are still free, the
 * database says.
 * @throws AppError BOOKING_NOT_ACTIVE unless it came back, RETURN_NOT_UNDONE after a minute, or once it is reviewed
 */
export const undoReturn = (
  booking: Rental & { returnedAt: Date | null },
  by: Actor,
  { now, isReviewed, isRemoved }: { now: Date; isReviewed: boolean; isRemoved: boolean },
): BookingStatus => {
  const status = transit(booking.status, 'undoReturn', by);
  if (!booking.returnedAt || now.getTime() - booking.returnedAt.getTime() > undoWindowMs)
    throw returnNotUndone('A confirmed return can be undone for a minute. That minute is over.');
  if (isReviewed)
    throw returnNotUndone('The renter has reviewed this rental already, so it stays returned.');
  if (isRemoved) throw returnNotUndone('The tool was deleted since, so it stays returned.');
  return status;
};

/**
 * From its start on a paid booking may be reviewed. Not a moment earlier, not even on the first day: until the start
 * the renter may cancel, and would have rated a tool without renting it.
 */
export const mayBeReviewed = (booking: Rental, now: Date): boolean => booking.startsAt <= now;

/** What the rules ask of a booking beside what it is. */
interface BookingFacts {
  now: Date;
  isReviewed: boolean;
  isReviewedSinceReturn: boolean;
  isRemoved: boolean;
  /** What an admin may still refund. */
  leftCents: number;
}

/** What somebody may do with a booking now: each rule is evaluated, so that nothing is offered that it would refuse. */
export const allowedActions = (
  booking: Rental & { returnedAt: Date | null },
  user: { userId: string; role: 'User' | 'Admin' },
  facts: BookingFacts,
): BookingAction[] => {
  const by = actorOf(booking, user);
  if (!by) return [];
  const { now, isReviewedSinceReturn: isReviewed, isRemoved } = facts;
  const rules: Record<BookingAction, () => unknown> = {
    cancel: () => cancel(booking, by, facts),
    acceptReturn: () => acceptReturn(booking, by, now),
    undoReturn: () => undoReturn(booking, by, { now, isReviewed, isRemoved }),
    review: () =>
      booking.userId === user.userId &&
      booking.status !== 'cancelled' &&
      mayBeReviewed(booking, now),
    refund: () => user.role === 'Admin' && facts.leftCents > 0,
  };
  return (Object.keys(rules) as BookingAction[]).filter((action) => isAllowed(rules[action]));
};

const isAllowed = (rule: () => unknown): boolean => {
  try {
    return rule() !== false;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
};

/** How much of a payment pays for a booking. */
export interface Allocation {
  paymentId: string;
  amountCents: number;
}

/**
 * How much of a cancelled booking's price is refunded: all of it. A policy with partial refunds changes only this.
 * What was refunded before, or lost in a dispute, is not refunded again: the caller refunds no more than is left.
 */
export const refundFor = (booking: { totalCents: number }): number => booking.totalCents;

/** What can still be refunded of one of the payments for a booking. */
export interface RefundableAllocation {
  paymentId: string;
  leftCents: number;
}

export const sumLeft = (allocations: RefundableAllocation[]): number =>
  allocations.reduce((sum, { leftCents }) => sum + leftCents, 0);

export interface RefundPart {
  paymentId: string;
  refundCents: number;
}

/** Spreads a refund over what is left of the payments for a booking, in their order. */
export const spreadRefund = (
  payments: RefundableAllocation[],
  refundCents: number,
): RefundPart[] => {
  let left = refundCents;
  return payments
    .map(({ paymentId, leftCents }) => {
      const part = Math.min(left, leftCents);
      left -= part;
      return { paymentId, refundCents: part };
    })
    .filter((refund) => refund.refundCents > 0);
};

/**
 * How much of each of a person's payments, oldest first, covers a price.
 * @returns undefined when they don't cover it
 */
export const allocate = (
  payments: { id: string; unassignedCents: number }[],
  totalCents: number,
): Allocation[] | undefined => {
  let missing = totalCents;
  const allocations: Allocation[] = [];
  for (const payment of payments) {
    const amountCents = Math.min(missing, payment.unassignedCents);
    if (amountCents > 0) allocations.push({ paymentId: payment.id, amountCents });
    missing -= amountCents;
  }
  return missing === 0 ? allocations : undefined;
};
