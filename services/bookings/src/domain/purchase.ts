import type { Actor } from './booking.ts';

/** A hold and what became of it: the purchase of a cart, from its first second to a booking or to nothing. */
export interface Purchase {
  /** `requested`: the card is authorized, and the owner is asked. */
  status: 'live' | 'requested' | 'paid' | 'ended';
  userId: string;
  amountCents: number;
  expiresAt: Date;
  /** Since when a PaymentIntent may exist that could still succeed. */
  paymentStartedAt: Date | null;
  paidBy: string | null;
  onRequest: boolean;
  /** The payment whose card is authorized, from the request on. */
  authorizedBy: string | null;
  /** What it pays is the change of this booking, which stays as it is until then. */
  changesBookingId: string | null;
}

/** How a request ends that becomes no booking, and by whom. */
export interface RequestEnd {
  transition: 'decline' | 'withdraw' | 'lapse' | 'fail';
  by: Actor;
  note: string;
}

/** Nobody answered in time, or nobody can any more. */
export const lapse = {
  transition: 'lapse',
  by: 'system',
  note: '',
} as const satisfies RequestEnd;

/** The card was not charged, or no longer may be. */
export const fail = {
  transition: 'fail',
  by: 'system',
  note: '',
} as const satisfies RequestEnd;

export type PurchaseEvent =
  | { type: 'PaymentStarted'; now: Date }
  | { type: 'PaymentSucceeded'; paymentId: string; userId: string; amountCents: number }
  | { type: 'PaymentAuthorized'; paymentId: string; userId: string; amountCents: number }
  /** An owner who has accepted is asked no more: the caller sees to it. */
  | ({ type: 'RequestEnded' } & RequestEnd)
  /** What came of a `retake`. */
  | { type: 'UnitsRetaken' | 'UnitsLost'; paymentId: string }
  /** The intent is cancelled at Stripe and can never succeed. */
  | { type: 'PaymentFailedForGood'; now: Date }
  | { type: 'GivenUp' }
  | { type: 'TimePassed'; now: Date; graceMs: number };

export type Command =
  /** The drafts become bookings. */
  | { do: 'confirm'; paymentId: string }
  /** Take the units of an ended hold again, all of them or none: `UnitsRetaken` or `UnitsLost` says which. */
  | { do: 'retake'; paymentId: string }
  | { do: 'refund'; paymentId: string; reason: 'slot-lost' | 'unassigned' }
  /** The draft becomes a request. */
  | { do: 'request' }
  | ({ do: 'endRequest' } & RequestEnd)
  | { do: 'free' };

interface Step {
  purchase: Purchase;
  commands: Command[];
}

/**
 * The one place that decides what happens to a hold. An event that comes again or too late changes nothing, except
 * money: each payment that succeeds ends in the bookings or in one full refund. The caller sees to it that each
 * payment's success is stepped through once.
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
      // A hold has one payment, so it can't be paid any more.
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
  // Charged without the owner's word: by a replica of the version before, or by hand at Stripe once the request was over.
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

/** With a payment under way Stripe's word is awaited, but not for ever. */
const isOverdue = (
  purchase: Purchase,
  { now, graceMs }: { now: Date; graceMs: number },
): boolean => {
  const waitMs = purchase.paymentStartedAt ? graceMs : 0;
  return purchase.status === 'live' && purchase.expiresAt.getTime() + waitMs <= now.getTime();
};

/** Where decisions take effect: the service's tables, or the one slot of the property test. */
interface Effects<P extends Purchase> {
  save(purchase: P): Promise<P>;
  /** @returns what came of it, where that decides what happens next */
  carryOut(purchase: P, command: Command): Promise<PurchaseEvent | undefined>;
}

/** Decides, carries out the effects, and continues with their outcome until nothing is left to do. */
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
