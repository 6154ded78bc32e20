import type { BookingAction, CancelPreview, Terms } from '@lendtools/contracts';
import { calendarOf } from '@lendtools/contracts/availability';
import {
  type CancellationPolicy,
  refundNow,
  refundSteps,
  shareOf,
  stepsAtMost,
} from '@lendtools/contracts/cancellation';
import { dayMs } from '@lendtools/contracts/local-time';
import { type Circle, hourMs } from '@lendtools/contracts/rental-period';
import { AppError, forbidden } from '@lendtools/service-kit';
import {
  bookingNotActive,
  bookingNotStarted,
  bookingReviewed,
  bookingStarted,
  problemReported,
  returnNotUndone,
} from '../errors.ts';

export type BookingStatus =
  | 'held'
  | 'requested'
  | 'confirmed'
  | 'returned'
  | 'completed'
  | 'cancelled'
  | 'expired'
  | EndedRequest;
/** What becomes of a request that becomes no booking. */
export type EndedRequest = 'declined' | 'withdrawn' | 'lapsed' | 'failed';
export type Actor = 'renter' | 'owner' | 'admin' | 'system';
export type Transition = keyof typeof transitions;
/** What an owner is asked: about a booking, or a change of one. */
export type Asked = Pick<Request, 'status' | 'answerBy' | 'acceptedAt'>;

/** A booking's life: what may happen to it, from where, and who may cause it. */
export const transitions = {
  confirm: { from: ['held', 'requested'], to: 'confirmed', by: ['system'] },
  expire: { from: ['held'], to: 'expired', by: ['system'] },
  /** A payment succeeded after the hold had ended, and the dates are still free. */
  retake: { from: ['expired'], to: 'held', by: ['system'] },
  /** The card is authorized, not charged. */
  request: { from: ['held'], to: 'requested', by: ['system'] },
  /** It stays a request until the card is charged, but nobody can end it any more. */
  accept: { from: ['requested'], to: 'requested', by: ['owner'] },
  decline: { from: ['requested'], to: 'declined', by: ['owner', 'admin'] },
  withdraw: { from: ['requested'], to: 'withdrawn', by: ['renter'] },
  /** Nobody answered in time. */
  lapse: { from: ['requested'], to: 'lapsed', by: ['system'] },
  /** The card could not be charged, or was not in time. */
  fail: { from: ['requested'], to: 'failed', by: ['system'] },
  acceptReturn: { from: ['confirmed'], to: 'returned', by: ['owner', 'admin'] },
  undoReturn: { from: ['returned'], to: 'confirmed', by: ['owner', 'admin'] },
  /** Some time after the confirmed return or, without one, after the end. Nothing else happens to it then. */
  complete: { from: ['confirmed', 'returned'], to: 'completed', by: ['system'] },
  /** The return is still recorded: it stays completed. */
  acceptLateReturn: { from: ['completed'], to: 'completed', by: ['owner', 'admin'] },
  cancel: { from: ['confirmed'], to: 'cancelled', by: ['renter', 'owner', 'admin', 'system'] },
  /** Other dates, or another quantity. */
  change: { from: ['confirmed'], to: 'confirmed', by: ['renter'] },
} as const satisfies Record<
  string,
  { from: readonly BookingStatus[]; to: BookingStatus; by: readonly Actor[] }
>;

const refusals: Record<BookingStatus, string> = {
  held: 'This booking is not paid yet.',
  requested: 'This request is not a booking yet.',
  confirmed: 'This booking is paid already.',
  returned: 'This tool was already returned.',
  completed: 'This booking is completed.',
  cancelled: 'This booking was cancelled.',
  expired: 'This booking was not paid in time.',
  declined: 'The owner has declined this request.',
  withdrawn: 'The renter has withdrawn this request.',
  lapsed: 'This request was not answered in time.',
  failed: 'This request has ended, because the card could not be charged.',
};

/**
 * The status after a transition.
 * @throws AppError FORBIDDEN for somebody who may not cause it, BOOKING_NOT_ACTIVE from a wrong status
 */
export const transit = <T extends Transition>(
  status: BookingStatus,
  transition: T,
  by: Actor,
): (typeof transitions)[T]['to'] => {
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

/** Whether it was ever paid or requested: until then it is a draft, which nobody sees. */
export const isShown = ({ status }: { status: BookingStatus }): boolean =>
  status !== 'held' && status !== 'expired';

/** Why nothing more can be done with it, in a sentence. */
export const refusalOf = ({ status }: { status: BookingStatus }): string => refusals[status];

/** Whether it is a paid booking that was not cancelled. */
export const isInForce = ({ status }: { status: BookingStatus }): boolean =>
  status === 'confirmed' || status === 'returned' || status === 'completed';

/** Who somebody is to a booking; undefined for a stranger. An owner who is an admin acts as the owner. */
export const actorOf = (
  booking: { userId: string; ownerId: string },
  user: { userId: string; role: 'User' | 'Admin' },
): Exclude<Actor, 'system'> | undefined => {
  if (booking.ownerId === user.userId) return 'owner';
  if (user.role === 'Admin') return 'admin';
  return booking.userId === user.userId ? 'renter' : undefined;
};

/** An admin who asked for a tool is its renter: who may withdraw, and has no say in the answer. */
export const actorOfRequest: typeof actorOf = (request, user) =>
  request.userId === user.userId ? 'renter' : actorOf(request, user);

/**
 * Once it is reviewed its owner can't cancel: a friend's good review would cost the two of them nothing.
 * @throws AppError BOOKING_NOT_ACTIVE once it is over, BOOKING_STARTED for a renter or the system after its start, BOOKING_REVIEWED
 */
export const cancel = (
  booking: Rental,
  by: Actor,
  { now, isReviewed }: { now: Date; isReviewed: boolean },
): 'cancelled' => {
  const status = transit(booking.status, 'cancel', by);
  if ((by === 'renter' || by === 'system') && booking.startsAt <= now) throw bookingStarted();
  if (by === 'owner' && isReviewed) throw bookingReviewed();
  return status;
};

interface ReturnableRental extends Rental {
  returnedAt: Date | null;
}

/**
 * The tool came back. Not before the rental has begun: an owner who no longer wants to lend must cancel, which
 * refunds, instead of keeping the money and the dates.
 * @throws AppError BOOKING_NOT_ACTIVE unless it is paid and open, BOOKING_NOT_STARTED before its start
 */
export const acceptReturn = (
  booking: ReturnableRental,
  by: Actor,
  now: Date,
): 'returned' | 'completed' => {
  if (booking.status === 'completed' && !booking.returnedAt)
    return transit(booking.status, 'acceptLateReturn', by);
  const status = transit(booking.status, 'acceptReturn', by);
  if (booking.startsAt > now)
    throw bookingNotStarted(
      'This rental has not begun. If you can’t lend the tool, please cancel the booking.',
    );
  return status;
};

const isAccepted = 'The owner has accepted already, and the card is being charged.';

/** What a request is beside a booking. */
interface Request extends Rental {
  startTime: string;
  answerBy: Date | null;
  acceptedAt: Date | null;
}

/** A day to answer, at most until the rental could begin: without a time, while the owner is there on its first day. */
export const answerByOf = (
  { startDate, startTime, circle, timeZone }: Omit<Request, 'answerBy' | 'acceptedAt'>,
  terms: Terms | null,
  now: Date,
): Date => {
  const nowMs = now.getTime();
  const calendar = calendarOf({ circle, timeZone, units: 1, terms }, { taken: [], nowMs });
  return new Date(Math.min(nowMs + dayMs, calendar.lastStartMs(startDate, startTime)));
};

/**
 * The owner accepts: the card is charged from then on.
 * @throws AppError BOOKING_NOT_ACTIVE unless it still waits for an answer
 */
export const accept = (request: Asked, by: Actor, now: Date): BookingStatus => {
  const status = transit(request.status, 'accept', by);
  if (request.acceptedAt) throw bookingNotActive(isAccepted);
  if (isLate(request, now)) throw bookingNotActive(refusals.lapsed);
  return status;
};

/**
 * Somebody ends a request that is not accepted.
 * @throws AppError BOOKING_NOT_ACTIVE once it is accepted, or over
 */
export const endRequest = (
  request: Asked,
  transition: 'decline' | 'withdraw',
  by: Actor,
): BookingStatus => {
  const status = transit(request.status, transition, by);
  if (request.acceptedAt) throw bookingNotActive(isAccepted);
  return status;
};

/** Whether nobody has answered in time. */
export const hasLapsed = (request: Asked, now: Date): boolean =>
  request.status === 'requested' && !request.acceptedAt && isLate(request, now);

/** Stripe keeps an authorization for seven days at most; a day more for clocks and late webhooks. */
const chargedWithinMs = 8 * dayMs;

/** Whether a card that should have been charged when the owner accepted cannot be charged any more. */
export const isChargeLost = ({ acceptedAt }: Pick<Asked, 'acceptedAt'>, now: Date): boolean =>
  acceptedAt !== null && acceptedAt.getTime() + chargedWithinMs <= now.getTime();

const isLate = ({ answerBy }: Asked, now: Date): boolean => answerBy !== null && answerBy <= now;

/** A minute, and what a slow network adds to a press in its last second. */
const undoWindowMs = 70_000;

/**
 * The return was confirmed by mistake: as long as nobody can have built on it. Whether its dates are still free, the
 * database says.
 * @throws AppError BOOKING_NOT_ACTIVE unless it came back, RETURN_NOT_UNDONE after a minute, or once it is reviewed
 */
export const undoReturn = (
  booking: ReturnableRental,
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

interface EndingRental {
  returnedAt: Date | null;
  endsAt: Date;
}

/** When it completes if nothing is open: so long after the confirmed return or, where nobody confirmed one, after its end. */
export const completesAt = (hours: number, { returnedAt, endsAt }: EndingRental): Date =>
  new Date((returnedAt ?? endsAt).getTime() + hours * hourMs);

/** Whether its rental has been over for so long. */
export const isOverFor = (hours: number, booking: EndingRental, now: Date): boolean =>
  completesAt(hours, booking) <= now;

/**
 * From its start on a paid booking may be reviewed. Not a moment earlier, not even on the first day: until the start
 * the renter may cancel, and would have rated a tool without renting it.
 */
export const mayBeReviewed = (booking: Rental, now: Date): boolean => booking.startsAt <= now;

/**
 * A party reports a problem, which keeps the booking from being completed until an admin settles it.
 * @throws AppError BOOKING_NOT_ACTIVE unless it is rented out or returned, BOOKING_NOT_STARTED, PROBLEM_REPORTED
 */
export const reportProblem = (
  booking: Rental,
  by: Actor,
  { now, hasReported }: { now: Date; hasReported: boolean },
): void => {
  if (by !== 'renter' && by !== 'owner') throw forbidden();
  if (!isInForce(booking) || booking.status === 'completed')
    throw bookingNotActive(refusals[booking.status]);
  if (booking.startsAt > now)
    throw bookingNotStarted(
      'This rental has not begun. Please write to the other party, or cancel the booking.',
    );
  if (hasReported) throw problemReported();
};

/** What the rules ask of a booking beside what it is. */
interface BookingFacts {
  now: Date;
  /** Whether the caller has reported a problem that is still open. */
  hasReported: boolean;
  isReviewed: boolean;
  isReviewedSinceReturn: boolean;
  isRemoved: boolean;
  /** What an admin may still refund. */
  leftCents: number;
  /** A change that the owner is asked about, or that is being charged. */
  asked: Asked | null;
}

/** What somebody may do with a booking now: each rule is evaluated, so that nothing is offered that it would refuse. */
export const allowedActions = (
  booking: Request & { returnedAt: Date | null },
  user: { userId: string; role: 'User' | 'Admin' },
  facts: BookingFacts,
): BookingAction[] => {
  const by = actorOf(booking, user);
  const asParty = actorOfRequest(booking, user);
  if (!by || !asParty) return [];
  const { now, isReviewedSinceReturn: isReviewed, isRemoved, asked } = facts;
  const rules: Record<BookingAction, () => unknown> = {
    cancel: () => cancel(booking, by, facts),
    change: () => !asked && transit(booking.status, 'change', asParty),
    acceptReturn: () => acceptReturn(booking, by, now),
    undoReturn: () => undoReturn(booking, by, { now, isReviewed, isRemoved }),
    review: () =>
      booking.userId === user.userId && isInForce(booking) && mayBeReviewed(booking, now),
    reportProblem: () => reportProblem(booking, asParty, facts) === undefined,
    refund: () => user.role === 'Admin' && facts.leftCents > 0,
    accept: () => accept(booking, asParty, now),
    decline: () => endRequest(booking, 'decline', asParty),
    withdraw: () => endRequest(booking, 'withdraw', asParty),
    acceptChange: () => asked !== null && accept(asked, asParty, now),
    declineChange: () => asked !== null && endRequest(asked, 'decline', asParty),
    withdrawChange: () => asked !== null && endRequest(asked, 'withdraw', asParty),
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

interface PaidRental extends Rental {
  totalCents: number;
  bookedAt: Date | null;
  cancellationPolicy: CancellationPolicy | null;
  mostPercent: number;
}

/**
 * What a cancellation refunds now: what the booking's policy gives a renter, everything where the owner, an admin or the system cancels.
 * What was refunded before, or lost in a dispute, is not refunded again: no more than is left.
 */
export const previewCancel = (
  booking: PaidRental,
  by: Actor,
  { now, leftCents }: { now: Date; leftCents: number },
): CancelPreview => {
  const { cancellationPolicy: policy, totalCents } = booking;
  // Of what an earlier change left with the owner, the renter who cancels gets nothing.
  const of = by === 'renter' ? totalCents : leftCents;
  const cents = (percent: number) => Math.min(shareOf(of, percent), leftCents);
  const { step, next } =
    by === 'renter'
      ? refundNow(stepsOf(booking), now.getTime())
      : { step: { percent: 100, untilMs: null }, next: undefined };
  const { percent, untilMs } = step ?? { percent: 0, untilMs: null };
  return {
    policy,
    percent,
    refundCents: cents(percent),
    keptCents: leftCents - cents(percent),
    until: untilMs === null ? null : new Date(untilMs).toISOString(),
    next: next ? { percent: next.percent, refundCents: cents(next.percent) } : null,
  };
};

const stepsOf = (booking: PaidRental) => {
  const { cancellationPolicy, startsAt, bookedAt, circle, timeZone, mostPercent } = booking;
  const steps = refundSteps(cancellationPolicy, {
    ...{ circle, timeZone, startsAtMs: startsAt.getTime(), bookedAtMs: bookedAt?.getTime() },
  });
  return stepsAtMost(steps, mostPercent);
};

/** The share of the price that the renter would get back now; nothing once it has started. */
export const percentNow = (booking: PaidRental, now: Date): number =>
  refundNow(stepsOf(booking), now.getTime()).step?.percent ?? 0;

/** What can still be refunded of one of the payments for a booking. */
export interface RefundableAllocation {
  paymentId: string;
  leftCents: number;
  /** What bookings has not refunded: `leftCents`, and what was refunded or lost at Stripe. */
  unrefundedCents: number;
}

export const sumLeft = (allocations: RefundableAllocation[]): number =>
  allocations.reduce((sum, { leftCents }) => sum + leftCents, 0);

export const sumUnrefunded = (allocations: RefundableAllocation[]): number =>
  allocations.reduce((sum, { unrefundedCents }) => sum + unrefundedCents, 0);

export interface RefundPart {
  paymentId: string;
  refundCents: number;
}

/** Spreads a refund over what is left of the payments for a booking, in their order. */
export const spreadRefund = (
  payments: Pick<RefundableAllocation, 'paymentId' | 'leftCents'>[],
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
