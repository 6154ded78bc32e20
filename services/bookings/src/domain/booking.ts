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
/** The final statuses of a request that did not become a booking. */
export type EndedRequest = 'declined' | 'withdrawn' | 'lapsed' | 'failed';
export type Actor = 'renter' | 'owner' | 'admin' | 'system';
export type Transition = keyof typeof transitions;
/** A request that the owner has to accept: for a booking, or for a change of one. */
export type ApprovalRequest = Pick<Request, 'status' | 'answerBy' | 'acceptedAt'>;

/** The state machine of a booking: for each transition, the statuses it starts from and the actors who may trigger it. */
export const transitions = {
  confirm: { from: ['held', 'requested'], to: 'confirmed', by: ['system'] },
  expire: { from: ['held'], to: 'expired', by: ['system'] },
  /** A payment succeeded after its hold had ended, and the dates are still free. */
  retake: { from: ['expired'], to: 'held', by: ['system'] },
  /** The card is authorized, not charged. */
  request: { from: ['held'], to: 'requested', by: ['system'] },
  /** The status stays `requested` until the card is charged, but the request can no longer be declined or withdrawn. */
  accept: { from: ['requested'], to: 'requested', by: ['owner'] },
  decline: { from: ['requested'], to: 'declined', by: ['owner', 'admin'] },
  withdraw: { from: ['requested'], to: 'withdrawn', by: ['renter'] },
  /** The owner did not answer in time. */
  lapse: { from: ['requested'], to: 'lapsed', by: ['system'] },
  /** The card could not be charged, or was not charged in time. */
  fail: { from: ['requested'], to: 'failed', by: ['system'] },
  acceptReturn: { from: ['confirmed'], to: 'returned', by: ['owner', 'admin'] },
  undoReturn: { from: ['returned'], to: 'confirmed', by: ['owner', 'admin'] },
  /**
   * Happens COMPLETE_AFTER_HOURS after the confirmed return or, without one, after the end. The status is final; only a
   * late return is still recorded.
   */
  complete: { from: ['confirmed', 'returned'], to: 'completed', by: ['system'] },
  /** Records a return that is confirmed after completion; the status stays `completed`. */
  acceptLateReturn: { from: ['completed'], to: 'completed', by: ['owner', 'admin'] },
  cancel: { from: ['confirmed'], to: 'cancelled', by: ['renter', 'owner', 'admin', 'system'] },
  change: { from: ['confirmed'], to: 'confirmed', by: ['renter'] },
} as const satisfies Record<
  string,
  { from: readonly BookingStatus[]; to: BookingStatus; by: readonly Actor[] }
>;

const statusMessages: Record<BookingStatus, string> = {
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
 * Returns the status after a transition.
 * @throws AppError FORBIDDEN if the actor may not trigger it, BOOKING_NOT_ACTIVE from a wrong status
 */
export const transit = <T extends Transition>(
  status: BookingStatus,
  transition: T,
  by: Actor,
): (typeof transitions)[T]['to'] => {
  const { from, to, by: allowed } = transitions[transition];
  if (!(allowed as readonly Actor[]).includes(by)) throw forbidden();
  if (!(from as readonly BookingStatus[]).includes(status))
    throw bookingNotActive(statusMessages[status]);
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

/** Whether it was ever paid or requested. Until then it is a draft, which no route returns. */
export const isShown = ({ status }: { status: BookingStatus }): boolean =>
  status !== 'held' && status !== 'expired';

/** The user-visible reason why a booking in this status rejects an action. */
export const statusMessageOf = ({ status }: { status: BookingStatus }): string =>
  statusMessages[status];

export const isInForce = ({ status }: { status: BookingStatus }): boolean =>
  status === 'confirmed' || status === 'returned' || status === 'completed';

/** The user's role in a booking; undefined for a stranger. An owner who is also an admin acts as the owner. */
export const actorOf = (
  booking: { userId: string; ownerId: string },
  user: { userId: string; role: 'User' | 'Admin' },
): Exclude<Actor, 'system'> | undefined => {
  if (booking.ownerId === user.userId) return 'owner';
  if (user.role === 'Admin') return 'admin';
  return booking.userId === user.userId ? 'renter' : undefined;
};

/** Like `actorOf`, but an admin who rents acts as the renter: they may withdraw their request, but not answer it. */
export const actorOfRequest: typeof actorOf = (request, user) =>
  request.userId === user.userId ? 'renter' : actorOf(request, user);

/**
 * The owner can't cancel a reviewed booking. Otherwise a friend could book, leave a good review and get a full refund.
 * @throws AppError BOOKING_NOT_ACTIVE unless confirmed, BOOKING_STARTED for the renter or the system after the start, BOOKING_REVIEWED
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
 * Confirms a return. Rejected before the start: an owner who no longer wants to lend must cancel, which refunds the
 * renter, instead of keeping the money and freeing the dates.
 * @throws AppError BOOKING_NOT_ACTIVE unless the booking is confirmed, or completed without a return;
 * BOOKING_NOT_STARTED before its start
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

interface Request extends Rental {
  startTime: string;
  answerBy: Date | null;
  acceptedAt: Date | null;
}

/**
 * The owner's deadline to answer: a day, or earlier if the rental starts before that. A rental without a start time can
 * start until closing time of its first day or, without opening hours, until midnight.
 */
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
 * The owner accepts a request. The caller then has the card charged.
 * @throws AppError BOOKING_NOT_ACTIVE once the request is accepted, ended or past its deadline
 */
export const accept = (request: ApprovalRequest, by: Actor, now: Date): BookingStatus => {
  const status = transit(request.status, 'accept', by);
  if (request.acceptedAt) throw bookingNotActive(isAccepted);
  if (isLate(request, now)) throw bookingNotActive(statusMessages.lapsed);
  return status;
};

/**
 * Declines or withdraws an unanswered request.
 * @throws AppError BOOKING_NOT_ACTIVE once the request is accepted or ended
 */
export const endRequest = (
  request: ApprovalRequest,
  transition: 'decline' | 'withdraw',
  by: Actor,
): BookingStatus => {
  const status = transit(request.status, transition, by);
  if (request.acceptedAt) throw bookingNotActive(isAccepted);
  return status;
};

export const hasLapsed = (request: ApprovalRequest, now: Date): boolean =>
  request.status === 'requested' && !request.acceptedAt && isLate(request, now);

/** Stripe keeps an authorization for at most seven days; the eighth covers clock skew and late webhooks. */
const chargedWithinMs = 8 * dayMs;

/** Whether the owner accepted so long ago that the card's authorization has expired. */
export const isChargeLost = (
  { acceptedAt }: Pick<ApprovalRequest, 'acceptedAt'>,
  now: Date,
): boolean => acceptedAt !== null && acceptedAt.getTime() + chargedWithinMs <= now.getTime();

const isLate = ({ answerBy }: ApprovalRequest, now: Date): boolean =>
  answerBy !== null && answerBy <= now;

/** The advertised minute, plus ten seconds for a request sent in its last second over a slow network. */
const undoWindowMs = 70_000;

/**
 * Undoes a return that was confirmed by mistake. `reopenBooking` checks that the dates are still free, by a constraint.
 * @throws AppError BOOKING_NOT_ACTIVE unless returned, RETURN_NOT_UNDONE after a minute, once reviewed, or once the tool
 * is deleted
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

/** When a booking without open problems or changes completes: `hours` after its confirmed return or, without one, its end. */
export const completesAt = (hours: number, { returnedAt, endsAt }: EndingRental): Date =>
  new Date((returnedAt ?? endsAt).getTime() + hours * hourMs);

export const isOverFor = (hours: number, booking: EndingRental, now: Date): boolean =>
  completesAt(hours, booking) <= now;

/**
 * A paid booking may be reviewed from its start on. Until then the renter may cancel, so an earlier review could rate a
 * tool that was never rented.
 */
export const mayBeReviewed = (booking: Rental, now: Date): boolean => booking.startsAt <= now;

/**
 * Checks that a party may report a problem. The booking does not complete until an admin settles the problem.
 * @throws AppError BOOKING_NOT_ACTIVE unless it is confirmed or returned, BOOKING_NOT_STARTED, PROBLEM_REPORTED
 */
export const reportProblem = (
  booking: Rental,
  by: Actor,
  { now, hasReported }: { now: Date; hasReported: boolean },
): void => {
  if (by !== 'renter' && by !== 'owner') throw forbidden();
  if (!isInForce(booking) || booking.status === 'completed')
    throw bookingNotActive(statusMessages[booking.status]);
  if (booking.startsAt > now)
    throw bookingNotStarted(
      'This rental has not begun. Please write to the other party, or cancel the booking.',
    );
  if (hasReported) throw problemReported();
};

interface BookingFacts {
  now: Date;
  /** Whether the caller has reported a problem that is still open. */
  hasReported: boolean;
  isReviewed: boolean;
  isReviewedSinceReturn: boolean;
  isRemoved: boolean;
  /** How much an admin may still refund. */
  leftCents: number;
  /** The booking's open change request: unanswered, or accepted and not yet charged. */
  changeRequest: ApprovalRequest | null;
}

/** What the user may do with a booking now. Runs the rules themselves, so the UI never offers an action they reject. */
export const allowedActions = (
  booking: Request & { returnedAt: Date | null },
  user: { userId: string; role: 'User' | 'Admin' },
  facts: BookingFacts,
): BookingAction[] => {
  const by = actorOf(booking, user);
  const asParty = actorOfRequest(booking, user);
  if (!by || !asParty) return [];
  const { now, isReviewedSinceReturn: isReviewed, isRemoved, changeRequest } = facts;
  const rules: Record<BookingAction, () => unknown> = {
    cancel: () => cancel(booking, by, facts),
    change: () => !changeRequest && transit(booking.status, 'change', asParty),
    acceptReturn: () => acceptReturn(booking, by, now),
    undoReturn: () => undoReturn(booking, by, { now, isReviewed, isRemoved }),
    review: () =>
      booking.userId === user.userId && isInForce(booking) && mayBeReviewed(booking, now),
    reportProblem: () => reportProblem(booking, asParty, facts) === undefined,
    refund: () => user.role === 'Admin' && facts.leftCents > 0,
    accept: () => accept(booking, asParty, now),
    decline: () => endRequest(booking, 'decline', asParty),
    withdraw: () => endRequest(booking, 'withdraw', asParty),
    acceptChange: () => changeRequest !== null && accept(changeRequest, asParty, now),
    declineChange: () => changeRequest !== null && endRequest(changeRequest, 'decline', asParty),
    withdrawChange: () => changeRequest !== null && endRequest(changeRequest, 'withdraw', asParty),
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

/** A payment allocation: how much of a payment pays for a booking. */
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
 * What a cancellation refunds now: the policy's share if the renter cancels, everything if the owner, an admin or the
 * system does. Never more than what earlier refunds and lost disputes have left.
 */
export const previewCancel = (
  booking: PaidRental,
  by: Actor,
  { now, leftCents }: { now: Date; leftCents: number },
): CancelPreview => {
  const { cancellationPolicy: policy, totalCents } = booking;
  // `leftCents` includes what an earlier change left with the owner. The policy's share is of the current price only.
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
    circle,
    timeZone,
    startsAtMs: startsAt.getTime(),
    bookedAtMs: bookedAt?.getTime(),
  });
  return stepsAtMost(steps, mostPercent);
};

/** The percentage of the price that a cancellation by the renter would refund now; 0 once the rental has started. */
export const percentNow = (booking: PaidRental, now: Date): number =>
  refundNow(stepsOf(booking), now.getTime()).step?.percent ?? 0;

export interface RefundableAllocation {
  paymentId: string;
  leftCents: number;
  /** What this service has not refunded: `leftCents`, plus what was refunded or lost at Stripe. */
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

/** Splits a refund over a booking's payments, in their order, taking at most what is left of each. */
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
 * Covers a price from the given payments, in their order.
 * @returns undefined if they don't cover it
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
