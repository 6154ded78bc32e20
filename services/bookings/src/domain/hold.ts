import { type ApprovalEnd, fail } from './approval.ts';

/** How long an unpaid hold keeps its dates. */
export const holdMs = 15 * 60_000;

/** How much longer a hold lives once its payment has started, and how long a payment without a hold can be used. */
export const graceMinutes = 15;

/** The hold of a cart or of a change of a booking, from its creation to its payment or end. */
export interface Hold {
  /** `requested`: the card is authorized, and the owner has to accept. */
  status: 'live' | 'requested' | 'paid' | 'ended';
  userId: string;
  amountCents: number;
  expiresAt: Date;
  /** From this time on, a Stripe PaymentIntent may exist that can still succeed. */
  paymentStartedAt: Date | null;
  paidBy: string | null;
  onRequest: boolean;
  /** The authorized payment, set when the approval is requested. */
  authorizedBy: string | null;
  /** The booking whose change this hold pays for; null for a cart. */
  changesBookingId: string | null;
}

export type HoldEvent =
  | { type: 'PaymentStarted'; now: Date }
  | { type: 'PaymentSucceeded'; paymentId: string; userId: string; amountCents: number }
  | { type: 'PaymentAuthorized'; paymentId: string; userId: string; amountCents: number }
  /** Ends a request. The caller must check first that the approval may end this way. */
  | ({ type: 'ApprovalEnded' } & ApprovalEnd)
  /** The two outcomes of the command `retake`. */
  | { type: 'UnitsRetaken' | 'UnitsLost'; paymentId: string }
  /** The PaymentIntent is canceled at Stripe and can never succeed. */
  | { type: 'PaymentFailedForGood'; now: Date }
  | { type: 'GivenUp' }
  | { type: 'TimePassed'; now: Date; graceMs: number };

export type Command =
  | { do: 'confirm'; paymentId: string }
  /** Reserves the units of an ended hold again, all or none. Results in the event `UnitsRetaken` or `UnitsLost`. */
  | { do: 'retake'; paymentId: string }
  | { do: 'refund'; paymentId: string; reason: 'slot-lost' | 'unassigned' }
  | { do: 'requestApproval' }
  | ({ do: 'endApproval' } & ApprovalEnd)
  | { do: 'free' };

interface Step {
  hold: Hold;
  commands: Command[];
}

/**
 * The state machine of a hold. Duplicate and late events are no-ops, except `PaymentSucceeded`: passing it
 * twice for the same payment would refund that payment.
 */
export const step = (hold: Hold, event: HoldEvent): Step => {
  const unchanged = { hold, commands: [] };
  switch (event.type) {
    case 'PaymentStarted':
      return hold.status === 'live' && event.now < hold.expiresAt
        ? {
            hold: { ...hold, paymentStartedAt: hold.paymentStartedAt ?? event.now },
            commands: [],
          }
        : unchanged;
    case 'PaymentSucceeded':
      return settle(hold, event);
    case 'PaymentAuthorized':
      return isPaidBy(hold, event) && hold.onRequest && hold.status === 'live'
        ? {
            hold: { ...hold, status: 'requested', authorizedBy: event.paymentId },
            commands: [{ do: 'requestApproval' }],
          }
        : unchanged;
    case 'ApprovalEnded': {
      const { type: _, ...how } = event;
      return hold.status === 'requested' ? endApproval(hold, how) : unchanged;
    }
    case 'UnitsRetaken':
      return pay(hold, event.paymentId);
    case 'UnitsLost':
      return refund(hold, event.paymentId, 'slot-lost');
    case 'PaymentFailedForGood':
      if (hold.status === 'requested') return endApproval(hold, fail);
      // A hold has only one payment, so it can't be paid after that payment has failed.
      return hold.status === 'live' ? end(hold) : unchanged;
    case 'GivenUp':
      return hold.status === 'live' ? end(hold) : unchanged;
    case 'TimePassed':
      return isOverdue(hold, event) ? end(hold) : unchanged;
  }
};

const isPaidBy = (
  hold: Hold,
  { userId, amountCents }: { userId: string; amountCents: number },
): boolean => userId === hold.userId && amountCents === hold.amountCents;

const settle = (hold: Hold, event: Extract<HoldEvent, { type: 'PaymentSucceeded' }>): Step => {
  const { paymentId } = event;
  if (!isPaidBy(hold, event) || hold.status === 'paid')
    return refund(hold, paymentId, 'unassigned');
  // Refund a charge made while no request was open, for example by an operator after the request had ended.
  if (hold.onRequest && hold.status !== 'requested') return refund(hold, paymentId, 'unassigned');
  if (hold.changesBookingId !== null && hold.status === 'ended')
    return refund(hold, paymentId, 'unassigned');
  if (hold.status === 'ended') return { hold, commands: [{ do: 'retake', paymentId }] };
  return pay(hold, paymentId);
};

const pay = (hold: Hold, paymentId: string): Step => ({
  hold: { ...hold, status: 'paid', paidBy: paymentId },
  commands: [{ do: 'confirm', paymentId }],
});

const refund = (hold: Hold, paymentId: string, reason: 'slot-lost' | 'unassigned'): Step => ({
  hold,
  commands: [{ do: 'refund', paymentId, reason }],
});

const end = (hold: Hold): Step => ({
  hold: { ...hold, status: 'ended' },
  commands: [{ do: 'free' }],
});

const endApproval = (hold: Hold, how: ApprovalEnd): Step => ({
  hold: { ...hold, status: 'ended' },
  commands: [{ do: 'endApproval', ...how }],
});

/** A hold whose payment has started expires `graceMs` later, because the payment may still succeed. */
export const overdueAt = (
  { expiresAt, paymentStartedAt }: Pick<Hold, 'expiresAt' | 'paymentStartedAt'>,
  graceMs: number,
): Date => new Date(expiresAt.getTime() + (paymentStartedAt ? graceMs : 0));

const isOverdue = (hold: Hold, { now, graceMs }: { now: Date; graceMs: number }): boolean =>
  hold.status === 'live' && overdueAt(hold, graceMs) <= now;

/** Applies commands to the service's tables or, in the property test, to a model. */
interface Effects<P extends Hold> {
  save(hold: P): Promise<P>;
  /** @returns the outcome, if `step` needs another event to continue */
  carryOut(hold: P, command: Command): Promise<HoldEvent | undefined>;
}

/** Steps a hold through an event, applies the resulting commands, and steps through their outcomes in turn. */
export const advance = async <P extends Hold>(
  before: P,
  event: HoldEvent,
  effects: Effects<P>,
): Promise<P> => {
  const { hold, commands } = step(before, event);
  let after = hold === before ? before : await effects.save({ ...before, ...hold });
  for (const command of commands) {
    const outcome = await effects.carryOut(after, command);
    if (outcome) after = await advance(after, outcome, effects);
  }
  return after;
};
