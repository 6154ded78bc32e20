import type { Actor } from './booking.ts';

/** A hold over its whole life: a cart, or a change of a booking, from its creation until it is paid or ended. */
export interface Purchase {
  /** `requested`: the card is authorized, and the owner has to accept. */
  status: 'live' | 'requested' | 'paid' | 'ended';
  userId: string;
  amountCents: number;
  expiresAt: Date;
  /** From when on a PaymentIntent may exist that can still succeed. */
  paymentStartedAt: Date | null;
  paidBy: string | null;
  onRequest: boolean;
  /** The authorized payment, set when the hold becomes a request. */
  authorizedBy: string | null;
  /** The booking that this hold pays a change of; null for a cart. */
  changesBookingId: string | null;
}

/** How a request ended without becoming a booking, and by whom. */
export interface RequestEnd {
  transition: 'decline' | 'withdraw' | 'lapse' | 'fail';
  by: Actor;
  note: string;
}

/** The owner did not answer in time, or can no longer answer. */
export const lapse = {
  transition: 'lapse',
  by: 'system',
  note: '',
} as const satisfies RequestEnd;

/** The card was not charged, or may no longer be charged. */
export const fail = {
  transition: 'fail',
  by: 'system',
  note: '',
} as const satisfies RequestEnd;

export type PurchaseEvent =
  | { type: 'PaymentStarted'; now: Date }
  | { type: 'PaymentSucceeded'; paymentId: string; userId: string; amountCents: number }
  | { type: 'PaymentAuthorized'; paymentId: string; userId: string; amountCents: number }
  /** The caller must make sure that the owner has not accepted. */
  | ({ type: 'RequestEnded' } & RequestEnd)
  /** The two outcomes of the command `retake`. */
  | { type: 'UnitsRetaken' | 'UnitsLost'; paymentId: string }
  /** The PaymentIntent is canceled at Stripe and can never succeed. */
  | { type: 'PaymentFailedForGood'; now: Date }
  | { type: 'GivenUp' }
  | { type: 'TimePassed'; now: Date; graceMs: number };

export type Command =
  | { do: 'confirm'; paymentId: string }
  /** Takes the units of an ended hold again, all or none. Results in `UnitsRetaken` or `UnitsLost`. */
  | { do: 'retake'; paymentId: string }
  | { do: 'refund'; paymentId: string; reason: 'slot-lost' | 'unassigned' }
  | { do: 'request' }
  | ({ do: 'endRequest' } & RequestEnd)
  | { do: 'free' };

interface Step {
  purchase: Purchase;
  commands: Command[];
}

/**
 * The state machine of a hold. Duplicate and late events are no-ops, except for a success: each payment that succeeds
 * ends in bookings or in one full refund. The caller must pass each payment's success only once.
 */
export const step = (purchase: Purchase, event: PurchaseEvent): Step => {
  const unchanged = { purchase, commands: [] };
  switch (event.type) {
    case 'PaymentStarted':
      return purchase.status === 'live' && event.now < purchase.expiresAt
        ? {
            purchase: { ...purchase, paymentStartedAt: purchase.paymentStartedAt ?? event.now },
            commands: [],
          }
        : unchanged;
    case 'PaymentSucceeded':
      return settle(purchase, event);
    case 'PaymentAuthorized':
      return isPaidBy(purchase, event) && purchase.onRequest && purchase.status === 'live'
        ? {
            purchase: { ...purchase, status: 'requested', authorizedBy: event.paymentId },
            commands: [{ do: 'request' }],
          }
        : unchanged;
    case 'RequestEnded': {
      const { type: _, ...how } = event;
      return purchase.status === 'requested' ? endRequest(purchase, how) : unchanged;
    }
    case 'UnitsRetaken':
      return pay(purchase, event.paymentId);
    case 'UnitsLost':
      return refund(purchase, event.paymentId, 'slot-lost');
    case 'PaymentFailedForGood':
      if (purchase.status === 'requested') return endRequest(purchase, fail);
      // A hold has one payment, so it can no longer be paid.
      return purchase.status === 'live' ? end(purchase) : unchanged;
    case 'GivenUp':
      return purchase.status === 'live' ? end(purchase) : unchanged;
    case 'TimePassed':
      return isOverdue(purchase, event) ? end(purchase) : unchanged;
  }
};

const isPaidBy = (
  purchase: Purchase,
  { userId, amountCents }: { userId: string; amountCents: number },
): boolean => userId === purchase.userId && amountCents === purchase.amountCents;

const settle = (
  purchase: Purchase,
  event: Extract<PurchaseEvent, { type: 'PaymentSucceeded' }>,
): Step => {
  const { paymentId } = event;
  if (!isPaidBy(purchase, event) || purchase.status === 'paid')
    return refund(purchase, paymentId, 'unassigned');
  // Charged without the owner's acceptance: by an older replica, or by hand at Stripe after the request had ended.
  if (purchase.onRequest && purchase.status !== 'requested')
    return refund(purchase, paymentId, 'unassigned');
  if (purchase.changesBookingId !== null && purchase.status === 'ended')
    return refund(purchase, paymentId, 'unassigned');
  if (purchase.status === 'ended') return { purchase, commands: [{ do: 'retake', paymentId }] };
  return pay(purchase, paymentId);
};

const pay = (purchase: Purchase, paymentId: string): Step => ({
  purchase: { ...purchase, status: 'paid', paidBy: paymentId },
  commands: [{ do: 'confirm', paymentId }],
});

const refund = (
  purchase: Purchase,
  paymentId: string,
  reason: 'slot-lost' | 'unassigned',
): Step => ({ purchase, commands: [{ do: 'refund', paymentId, reason }] });

const end = (purchase: Purchase): Step => ({
  purchase: { ...purchase, status: 'ended' },
  commands: [{ do: 'free' }],
});

const endRequest = (purchase: Purchase, how: RequestEnd): Step => ({
  purchase: { ...purchase, status: 'ended' },
  commands: [{ do: 'endRequest', ...how }],
});

/** A hold whose payment has started expires later, by `graceMs`: its success may still arrive. */
const isOverdue = (
  purchase: Purchase,
  { now, graceMs }: { now: Date; graceMs: number },
): boolean => {
  const waitMs = purchase.paymentStartedAt ? graceMs : 0;
  return purchase.status === 'live' && purchase.expiresAt.getTime() + waitMs <= now.getTime();
};

/** Applies the decisions: to the service's tables, or to the model of the property test. */
interface Effects<P extends Purchase> {
  save(purchase: P): Promise<P>;
  /** @returns the outcome, if `step` has to continue with it */
  carryOut(purchase: P, command: Command): Promise<PurchaseEvent | undefined>;
}

/** Steps a purchase through an event, applies the resulting commands, and steps through their outcomes in turn. */
export const advance = async <P extends Purchase>(
  before: P,
  event: PurchaseEvent,
  effects: Effects<P>,
): Promise<P> => {
  const { purchase, commands } = step(before, event);
  let after = purchase === before ? before : await effects.save({ ...before, ...purchase });
  for (const command of commands) {
    const outcome = await effects.carryOut(after, command);
    if (outcome) after = await advance(after, outcome, effects);
  }
  return after;
};
