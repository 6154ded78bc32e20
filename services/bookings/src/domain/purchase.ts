/** A hold and what became of it: the purchase of a cart, from its first second to a booking or to nothing. */
export interface Purchase {
  status: 'live' | 'paid' | 'ended';
  userId: string;
  amountCents: number;
  expiresAt: Date;
  /** Since when a PaymentIntent may exist that could still succeed. */
  paymentStartedAt: Date | null;
  paidBy: string | null;
}

export type PurchaseEvent =
  | { type: 'PaymentStarted'; now: Date }
  | { type: 'PaymentSucceeded'; paymentId: string; userId: string; amountCents: number }
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
    case 'UnitsRetaken':
      return pay(purchase, event.paymentId);
    case 'UnitsLost':
      return refund(purchase, event.paymentId, 'slot-lost');
    case 'PaymentFailedForGood':
      if (purchase.status !== 'live') return unchanged;
      // Before the expiry the person may still try another card; from then on the job frees it.
      return event.now >= purchase.expiresAt
        ? end(purchase)
        : { purchase: { ...purchase, paymentStartedAt: null }, commands: [] };
    case 'GivenUp':
      return purchase.status === 'live' ? end(purchase) : unchanged;
    case 'TimePassed':
      return isOverdue(purchase, event) ? end(purchase) : unchanged;
  }
};

const settle = (
  purchase: Purchase,
  { paymentId, userId, amountCents }: Extract<PurchaseEvent, { type: 'PaymentSucceeded' }>,
): Step => {
  const fits = userId === purchase.userId && amountCents === purchase.amountCents;
  if (!fits || purchase.status === 'paid') return refund(purchase, paymentId, 'unassigned');
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
