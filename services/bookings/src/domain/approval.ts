import type { Terms } from '@lendtools/contracts';
import { calendarOf } from '@lendtools/contracts/availability';
import { dayMs } from '@lendtools/contracts/local-time';
import { undoMs } from '@lendtools/contracts/open-approval';
import type { Circle } from '@lendtools/contracts/rental-period';
import { forbidden } from '@lendtools/service-kit';
import type { Actor } from './actor.ts';
import { bookingNotActive } from './errors.ts';

/** How an approval ended without a booking or a change. */
export type ApprovalOutcome = 'declined' | 'withdrawn' | 'lapsed' | 'failed';

/** What the owner has to approve: a booking, or a change of a booking. */
interface Requested {
  id: string;
  bookingId: string;
  /** The requested change; null if the booking itself is requested. */
  changeId: string | null;
  /** The hold whose card is charged once the owner accepts; null if nothing is to be paid. */
  holdId: string | null;
  requestedAt: Date;
  answerBy: Date;
  /** When the owner is reminded; null once the owner was reminded or has answered. */
  remindAt: Date | null;
  /** When the owner's acceptance takes effect; null if none waits. Until then the approval is pending, and the owner may undo it. */
  chargesAt: Date | null;
  /** The owner's note to the renter when declining. */
  note: string;
}

export type Approval = Requested &
  (
    | { status: 'pending'; acceptedAt: null; endedBy: null }
    /** Accepted: the card is being charged. */
    | { status: 'accepted'; acceptedAt: Date; endedBy: null }
    /** Done: the booking or the change was made. */
    | { status: 'done'; acceptedAt: Date; endedBy: null }
    | { status: ApprovalOutcome; acceptedAt: Date | null; endedBy: Actor }
    /** Obsolete: the booking ended before its change was made. */
    | { status: 'obsolete'; acceptedAt: Date | null; endedBy: null }
  );

export type ApprovalStatus = Approval['status'];
export type ApprovalTransition = keyof typeof approvalTransitions;

/** The state machine of an approval: for each transition, the statuses it starts from and the actors who may trigger it. */
export const approvalTransitions = {
  /** The card is charged next. An accepted approval can no longer be declined or withdrawn. */
  accept: { from: ['pending'], to: 'accepted', by: ['owner'] },
  decline: { from: ['pending'], to: 'declined', by: ['owner', 'admin'] },
  withdraw: { from: ['pending'], to: 'withdrawn', by: ['renter'] },
  /** The owner did not answer in time, or can no longer answer. */
  lapse: { from: ['pending'], to: 'lapsed', by: ['system'] },
  /** The card could not be charged, or was not charged in time. */
  fail: { from: ['pending', 'accepted'], to: 'failed', by: ['system'] },
  /** Completes an approval, even a pending one if an operator captured its payment at Stripe by hand. */
  complete: { from: ['pending', 'accepted'], to: 'done', by: ['system'] },
  /** The booking was cancelled or returned, so its change can no longer be made. */
  drop: { from: ['pending', 'accepted'], to: 'obsolete', by: ['system'] },
} as const satisfies Record<
  string,
  { from: readonly ApprovalStatus[]; to: ApprovalStatus; by: readonly Actor[] }
>;

export const outcomeMessages: Record<ApprovalOutcome, string> = {
  declined: 'The owner has declined this request.',
  withdrawn: 'The renter has withdrawn this request.',
  lapsed: 'This request was not answered in time.',
  failed: 'This request has ended, because the card could not be charged.',
};

const statusMessages = {
  ...outcomeMessages,
  accepted: 'The owner has accepted already, and the card is being charged.',
  done: 'This booking is paid already.',
  obsolete: 'This change is not waiting for an answer any more.',
};

const messageOf = ({ status, changeId }: Pick<Approval, 'status' | 'changeId'>): string =>
  status === 'pending' || (status === 'done' && changeId)
    ? statusMessages.obsolete
    : statusMessages[status];

/** Returns the next status. @throws AppError FORBIDDEN for a wrong actor, BOOKING_NOT_ACTIVE for a wrong status */
export const moveApproval = <T extends ApprovalTransition>(
  approval: Pick<Approval, 'status' | 'changeId'>,
  transition: T,
  by: Actor,
): (typeof approvalTransitions)[T]['to'] => {
  const { from, to, by: allowed } = approvalTransitions[transition];
  if (!(allowed as readonly Actor[]).includes(by)) throw forbidden();
  if (!(from as readonly ApprovalStatus[]).includes(approval.status))
    throw bookingNotActive(messageOf(approval));
  return to;
};

/** Whether an approval is unanswered, or accepted and not yet charged. */
export const isOpen = ({ status }: Pick<Approval, 'status'>): boolean =>
  status === 'pending' || status === 'accepted';

/** Accepts an approval. The caller then charges the card or makes the change. @throws BOOKING_NOT_ACTIVE if too late */
export const accept = (approval: Approval, by: Actor, now: Date): 'accepted' => {
  const status = moveApproval(approval, 'accept', by);
  if (isLate(approval, now)) throw bookingNotActive(outcomeMessages.lapsed);
  return status;
};

export const chargesAtOf = (now: Date): Date => new Date(now.getTime() + undoMs);

/** Whether the owner has accepted, but may still undo it. Replicas of 1.0 leave `chargesAt` when they end an approval. */
export const isAcceptanceDelayed = ({
  status,
  chargesAt,
}: Pick<Approval, 'status' | 'chargesAt'>): boolean => status === 'pending' && chargesAt !== null;

/** Checks whether an acceptance may be undone. @throws AppError FORBIDDEN, BOOKING_NOT_ACTIVE if it has taken effect */
export const undoAccept = (approval: Approval, by: Actor): void => {
  if (by !== 'owner') throw forbidden();
  if (approval.status !== 'pending') throw bookingNotActive(messageOf(approval));
};

export interface ApprovalEnd {
  transition: 'decline' | 'withdraw' | 'lapse' | 'fail';
  by: Actor;
  note: string;
}

export const lapse = {
  transition: 'lapse',
  by: 'system',
  note: '',
} as const satisfies ApprovalEnd;

export const fail = { transition: 'fail', by: 'system', note: '' } as const satisfies ApprovalEnd;

/** The outcome of an approval that ends: an accepted one fails instead of lapsing. @throws BOOKING_NOT_ACTIVE */
export const endApproval = (
  approval: Pick<Approval, 'status' | 'changeId'>,
  { transition, by }: Pick<ApprovalEnd, 'transition' | 'by'>,
): ApprovalOutcome => {
  const isUncharged = approval.status === 'accepted' && transition === 'lapse';
  return moveApproval(approval, isUncharged ? 'fail' : transition, by);
};

/** An acceptance in time counts, even if it takes effect after the deadline. */
export const hasLapsed = (
  approval: Pick<Approval, 'status' | 'answerBy' | 'chargesAt'>,
  now: Date,
): boolean =>
  approval.status === 'pending' && !isAcceptanceDelayed(approval) && isLate(approval, now);

const isLate = ({ answerBy }: Pick<Approval, 'answerBy'>, now: Date): boolean => answerBy <= now;

/** Stripe keeps an authorization for at most seven days; the eighth covers clock skew and late webhooks. */
const chargedWithinMs = 8 * dayMs;

/** The deadline for charging an accepted approval: the end of its card authorization, or `tooLateAt` if earlier. */
export const chargeableUntil = (acceptedAt: Date, tooLateAt: Date): Date =>
  new Date(Math.min(acceptedAt.getTime() + chargedWithinMs, tooLateAt.getTime()));

/**
 * The owner's deadline: one day from now or, if earlier, the last moment at which the rental can start: its start time,
 * or without one the first day's closing time or midnight.
 */
export const answerByOf = (
  rental: { startDate: string; startTime: string; circle: Circle; timeZone: string },
  terms: Terms | null,
  now: Date,
): Date => {
  const { startDate, startTime, circle, timeZone } = rental;
  const nowMs = now.getTime();
  const calendar = calendarOf({ circle, timeZone, units: 1, terms }, { taken: [], nowMs });
  return new Date(Math.min(nowMs + dayMs, calendar.lastStartMs(startDate, startTime)));
};
