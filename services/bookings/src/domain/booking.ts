import type { BookingAction, CancelPreview } from '@lendtools/contracts';
import {
  type CancellationPolicy,
  refundNow,
  refundSteps,
  shareOf,
  stepsAtMost,
} from '@lendtools/contracts/cancellation';
import { type Circle, hourMs } from '@lendtools/contracts/rental-period';
import { AppError, forbidden } from '@lendtools/service-kit';
import { type Actor, actorOf } from './actor.ts';
import {
  type Approval,
  type ApprovalOutcome,
  accept,
  endApproval,
  isAcceptanceDelayed,
  isOpen,
  outcomeMessages,
  undoAccept,
} from './approval.ts';
import {
  bookingNotActive,
  bookingNotStarted,
  bookingReviewed,
  bookingStarted,
  problemReported,
  returnNotUndone,
} from './errors.ts';
import { checkReviewOpen, type ReviewableTime } from './review.ts';

export type BookingStatus =
  | 'held'
  | 'requested'
  | 'confirmed'
  | 'returned'
  | 'completed'
  | 'cancelled'
  | 'expired'
  /** The outcome of a request that did not become a booking. */
  | ApprovalOutcome;
export type Transition = keyof typeof transitions;

/** The state machine of a booking: for each transition, the statuses it starts from and the actors who may trigger it. */
export const transitions = {
  confirm: { from: ['held', 'requested'], to: 'confirmed', by: ['system'] },
  expire: { from: ['held'], to: 'expired', by: ['system'] },
  /** A payment succeeded after its hold had ended, and the dates are still free. */
  retake: { from: ['expired'], to: 'held', by: ['system'] },
  /** The card is authorized, not charged: the booking waits for the owner's approval. */
  request: { from: ['held'], to: 'requested', by: ['system'] },
  acceptReturn: { from: ['confirmed'], to: 'returned', by: ['owner', 'admin'] },
  undoReturn: { from: ['returned'], to: 'confirmed', by: ['owner', 'admin'] },
  /** Happens 48 hours after the return or, without a confirmed return, after the rental's end. Completion is final. */
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
  ...outcomeMessages,
};

/** Returns the next status. @throws AppError FORBIDDEN for a wrong actor, BOOKING_NOT_ACTIVE for a wrong status */
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

/** A request that is not approved takes the outcome of its approval as its status. */
export const endRequest = (status: BookingStatus, outcome: ApprovalOutcome): ApprovalOutcome => {
  if (status !== 'requested') throw bookingNotActive(statusMessages[status]);
  return outcome;
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

/** Whether a booking was ever paid or requested. Before that it is a draft, which no route returns. */
export const isShown = ({ status }: { status: BookingStatus }): boolean =>
  status !== 'held' && status !== 'expired';

export const isInForce = ({ status }: { status: BookingStatus }): boolean =>
  status === 'confirmed' || status === 'returned' || status === 'completed';

/**
 * The owner can't cancel a reviewed booking: otherwise a friend could book, leave a good review and get a full refund.
 * @throws AppError BOOKING_NOT_ACTIVE, BOOKING_STARTED, BOOKING_REVIEWED
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
 * Rejects a return before the start: an owner who no longer wants to lend must cancel, which refunds the renter.
 * @throws AppError BOOKING_NOT_ACTIVE, BOOKING_NOT_STARTED
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

/** The minute that the page shows, plus ten seconds for a request sent in its last second over a slow network. */
const undoWindowMs = 70_000;

/**
 * Undoes a return that was confirmed by mistake. `reopenBooking` checks that the dates are still free.
 * @throws AppError BOOKING_NOT_ACTIVE; RETURN_NOT_UNDONE after a minute, a review or the tool's deletion
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

/** When a booking completes: `afterHours` after its confirmed return or, without one, after its end. */
export const completesAt = ({ returnedAt, endsAt }: EndingRental, afterHours: number): Date =>
  new Date((returnedAt ?? endsAt).getTime() + afterHours * hourMs);

export interface ReleasableRental {
  status: BookingStatus;
  completedAt: Date | null;
  cancelledAt: Date | null;
  hasOpenProblem: boolean;
  /** What the decided refunds leave of the booking's payments. */
  leftCents: number;
}

/**
 * When the booking's money may be paid to its owner: once it is completed or, if a cancellation left the owner something,
 * `afterHours` later. Null until then, and while a problem is open.
 */
export const releasesAt = (
  { status, completedAt, cancelledAt, hasOpenProblem, leftCents }: ReleasableRental,
  afterHours: number,
): Date | null => {
  if (hasOpenProblem) return null;
  if (status === 'completed') return completedAt;
  if (status !== 'cancelled' || !cancelledAt || leftCents <= 0) return null;
  return new Date(cancelledAt.getTime() + afterHours * hourMs);
};

export type EarningRental = EndingRental & Omit<ReleasableRental, 'leftCents'>;

/**
 * What the owner's money waits for in this service, and when it may be paid if nothing happens until then.
 * @param afterHours from a cancellation, or the end of a rental that is in force
 */
export const waitOf = (
  rental: EarningRental,
  afterHours: number,
): { waitsFor: 'rental' | 'problem' | 'release'; releaseAt: Date | null } => {
  if (rental.hasOpenProblem) return { waitsFor: 'problem', releaseAt: null };
  if (isEnded(rental.status))
    return { waitsFor: 'release', releaseAt: releasesAt({ ...rental, leftCents: 1 }, afterHours) };
  return { waitsFor: 'rental', releaseAt: completesAt(rental, afterHours) };
};

const isEnded = (status: BookingStatus): boolean =>
  status === 'completed' || status === 'cancelled';

type ReviewableRental = Rental & ReviewableTime;

/**
 * Checks whether the renter may write or change a review. Not before the start: a renter could review a tool and then cancel.
 * @throws AppError BOOKING_NOT_ACTIVE, BOOKING_NOT_STARTED, REVIEW_CLOSED
 */
export const reviewTool = (
  booking: ReviewableRental,
  facts: { now: Date; isPublished: boolean },
): void => {
  if (!isInForce(booking)) throw bookingNotActive(statusMessages[booking.status]);
  if (booking.startsAt > facts.now)
    throw bookingNotStarted('You can review this tool once your rental has started.');
  checkReviewOpen(booking, facts);
};

/** Checks whether the owner may write or change a review of the renter. @throws AppError BOOKING_NOT_ACTIVE, REVIEW_CLOSED */
export const reviewRenter = (
  booking: ReviewableRental,
  facts: { now: Date; isPublished: boolean },
): void => {
  if (!isInForce(booking)) throw bookingNotActive(statusMessages[booking.status]);
  if (booking.status !== 'completed')
    throw bookingNotActive('You can review the renter once the rental is completed.');
  checkReviewOpen(booking, facts);
};

/** Checks whether a party may report a problem. @throws BOOKING_NOT_ACTIVE, BOOKING_NOT_STARTED, PROBLEM_REPORTED */
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
  /** Whether the review of the tool, and that of the renter, has appeared. */
  isReviewPublished: boolean;
  isRenterReviewPublished: boolean;
  isRemoved: boolean;
  /** How much an admin may still refund. */
  leftCents: number;
  /** The latest approval of the booking or of one of its changes; null if there is none to show. */
  approval: Approval | null;
}

/** What the user may do now. Runs the rules that reject actions, so the UI never offers a rejected action. */
export const allowedActions = (
  booking: ReviewableRental & { returnedAt: Date | null },
  user: { userId: string; role: 'User' | 'Admin' },
  facts: BookingFacts,
): BookingAction[] => {
  const by = actorOf(booking, user);
  if (!by) return [];
  const { now, isReviewedSinceReturn: isReviewed, isRemoved, approval } = facts;
  const rules: Record<BookingAction, () => unknown> = {
    cancel: () => cancel(booking, by, facts),
    change: () => !(approval && isOpen(approval)) && transit(booking.status, 'change', by),
    acceptReturn: () => acceptReturn(booking, by, now),
    undoReturn: () => undoReturn(booking, by, { now, isReviewed, isRemoved }),
    review: () =>
      booking.userId === user.userId &&
      reviewTool(booking, { now, isPublished: facts.isReviewPublished }) === undefined,
    reviewRenter: () =>
      booking.ownerId === user.userId &&
      reviewRenter(booking, { now, isPublished: facts.isRenterReviewPublished }) === undefined,
    reportProblem: () => reportProblem(booking, by, facts) === undefined,
    refund: () => by === 'admin' && facts.leftCents > 0,
    accept: () => approval !== null && !isAcceptanceDelayed(approval) && accept(approval, by, now),
    undoAccept: () =>
      approval !== null && isAcceptanceDelayed(approval) && undoAccept(approval, by) === undefined,
    decline: () => approval !== null && endApproval(approval, { transition: 'decline', by }),
    withdraw: () => approval !== null && endApproval(approval, { transition: 'withdraw', by }),
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

/** What a cancellation refunds now: the policy's share if the renter cancels, otherwise all unrefunded money. */
export const previewCancel = (
  booking: PaidRental,
  by: Actor,
  { now, leftCents }: { now: Date; leftCents: number },
): CancelPreview => {
  const { cancellationPolicy: policy, totalCents } = booking;
  // `leftCents` may include money that the owner kept when a change lowered the price. The policy applies to the new price only.
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
  /** Cents that this service has not refunded: `leftCents`, plus the cents refunded or lost at Stripe. */
  unrefundedCents: number;
}

export const sumLeft = (allocations: RefundableAllocation[]): number =>
  allocations.reduce((sum, { leftCents }) => sum + leftCents, 0);

export const sumUnrefunded = (allocations: RefundableAllocation[]): number =>
  allocations.reduce((sum, { unrefundedCents }) => sum + unrefundedCents, 0);

export interface RefundPart {
  paymentId: string;
  refundCents: number;
  /** What is refunded now, if less: the rest is open until it is recovered. */
  expectedCents?: number;
}

/** Splits a refund over a booking's payments, in their order: first what is left of each, then what was refunded or lost at Stripe. */
export const spreadRefund = (
  payments: RefundableAllocation[],
  refundCents: number,
): RefundPart[] => {
  const expected = takeInOrder(
    payments.map(({ leftCents }) => leftCents),
    refundCents,
  );
  const open = takeInOrder(
    payments.map(({ unrefundedCents }, index) => unrefundedCents - (expected[index] ?? 0)),
    refundCents - expected.reduce((sum, cents) => sum + cents, 0),
  );
  return payments
    .map(({ paymentId }, index) => {
      const [expectedCents = 0, openCents = 0] = [expected[index], open[index]];
      const part = { paymentId, refundCents: expectedCents + openCents };
      return openCents > 0 ? { ...part, expectedCents } : part;
    })
    .filter((refund) => refund.refundCents > 0);
};

export const sumExpected = (refunds: RefundPart[]): number =>
  refunds.reduce((sum, refund) => sum + (refund.expectedCents ?? refund.refundCents), 0);

const takeInOrder = (available: number[], cents: number): number[] => {
  let rest = cents;
  return available.map((most) => {
    const part = Math.min(rest, most);
    rest -= part;
    return part;
  });
};

/** What is left of a booking's payments, oldest first, once it is changed. */
export const sharesAfterChange = (
  shares: Pick<RefundableAllocation, 'paymentId' | 'leftCents'>[],
  { dueCents, refundCents }: { dueCents: number; refundCents: number },
): number[] => {
  const left = shares.map(({ leftCents }) => leftCents);
  if (dueCents > 0) return [...left, dueCents];
  // `lockAllocations` returns the payments in the order of their ids.
  const byId = shares.toSorted((one, other) => (one.paymentId < other.paymentId ? -1 : 1));
  const parts = takeInOrder(
    byId.map(({ leftCents }) => leftCents),
    refundCents,
  );
  return shares.map((share) => share.leftCents - (parts[byId.indexOf(share)] ?? 0));
};

/** Covers a price from the given payments in their order. @returns undefined if they do not suffice */
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
