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
  | {
      type: 'PaymentSucceeded';
      paymentId: string;
      userId: string;
      amountCents: number;
      /** Asked of a hold that ended: can its units be had again? */
      slotIsFree: boolean;
    }
  /** The intent is cancelled at Stripe and can never succeed. */
  | { type: 'PaymentFailedForGood'; now: Date }
  | { type: 'GivenUp' }
  | { type: 'TimePassed'; now: Date; graceMs: number };

export type Command =
  | { do: 'confirm'; paymentId: string }
  /** Take the units again, then confirm. */
  | { do: 'retake'; paymentId: string }
  | { do: 'refund'; paymentId: string; reason: 'slot-lost' | 'unassigned' }
  | { do: 'free' };

export interface Step {
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
  event: Extract<PurchaseEvent, { type: 'PaymentSucceeded' }>,
): Step => {
  const { paymentId } = event;
  const fits = event.userId === purchase.userId && event.amountCents === purchase.amountCents;
  if (!fits || purchase.status === 'paid')
    return { purchase, commands: [{ do: 'refund', paymentId, reason: 'unassigned' }] };
  if (purchase.status === 'ended' && !event.slotIsFree)
    return { purchase, commands: [{ do: 'refund', paymentId, reason: 'slot-lost' }] };
  return {
    purchase: { ...purchase, status: 'paid', paidBy: paymentId },
    commands: [{ do: purchase.status === 'live' ? 'confirm' : 'retake', paymentId }],
  };
};

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
