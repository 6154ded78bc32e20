import { balanceOf, type Entry } from './ledger.ts';
import type { RefundStatus, StoredRefundStatus } from './refund.ts';

/** A refund that bookings decided. The ledger fills it as money becomes available. */
export interface RefundOrder {
  key: string;
  bookingId: string | null;
  cents: number;
  createdAt: Date;
}

/** A row of `refunds`: the part of an order for which money is available. The first fill has the order's key. */
export interface RefundFill extends RefundOrder {
  status: StoredRefundStatus;
  refundId: string | null;
}

export interface StripeRefund {
  refundId: string;
  /** The key of the fill; null for a refund made without us. */
  refundKey: string | null;
  cents: number;
  status: RefundStatus;
  /** Whether it has taken money from the balance. A refund that waits for the balance has not. */
  isCharged: boolean;
  createdAt: Date;
}

export interface RefundFacts {
  orders: readonly RefundOrder[];
  fills: readonly RefundFill[];
  refunds: readonly StripeRefund[];
}

/** Cents of the booking's orders that were refunded, minus refunds that failed. */
export const refundedCents = (
  { fills, refunds }: Pick<RefundFacts, 'fills' | 'refunds'>,
  entries: readonly Entry[],
  bookingId: string | null,
): number => {
  const own = fills.filter((fill) => fill.bookingId === bookingId);
  const ownKeys = own.map(({ key }) => key);
  const made = refunds.filter(({ refundKey }) => refundKey && ownKeys.includes(refundKey));
  const keys = new Set([
    ...ownKeys.map((key) => `by-hand:${key}`),
    ...made
      .flatMap(({ refundId }) => [`refund:${refundId}`, `outside:${refundId}`])
      .flatMap((key) => [key, `${key}:failed`]),
  ]);
  return (
    entries
      // If a failed refund pays a debt that was written off, a second entry moves the same cents to `losses`.
      .filter(({ key, from, to }) => keys.has(key) && !(from === 'debts' && to === 'losses'))
      .reduce((sum, { from, cents }) => sum + (from === 'card' ? -cents : cents), 0)
  );
};

interface FillChanges<Order> {
  /** Parts of orders that became available. */
  added: { order: Order; key: string; cents: number }[];
  /** Cents of unsent fills that are no longer available. */
  withdrawn: { fill: RefundFill; cents: number }[];
}

/**
 * Makes each booking's fills add up to its `due` balance plus what was refunded. Fills the oldest order first, and withdraws
 * the newest fill that Stripe does not have.
 */
export const fitFills = <Order extends RefundOrder>(
  facts: Omit<RefundFacts, 'orders'> & { orders: readonly Order[] },
  entries: readonly Entry[],
): FillChanges<Order> => {
  const { orders, fills } = facts;
  const changes: FillChanges<Order> = { added: [], withdrawn: [] };
  const bookingIds = new Set([...orders, ...fills].map(({ bookingId }) => bookingId));
  for (const bookingId of bookingIds) {
    const own = fills.filter((fill) => fill.bookingId === bookingId);
    const available =
      balanceOf(entries, 'due', bookingId) + refundedCents(facts, entries, bookingId);
    let missing = available - filledCents(own, facts);
    for (const order of oldestFirst(orders.filter((one) => one.bookingId === bookingId))) {
      const filled = own.filter(({ key }) => orderKeyOf(key) === order.key);
      const cents = Math.min(missing, order.cents - filledCents(filled, facts));
      if (cents <= 0) continue;
      const count = fills.length + changes.added.length;
      const key = filled.length === 0 ? order.key : `${order.key}:again:${count}`;
      changes.added.push({ order, key, cents });
      missing -= cents;
    }
    for (const fill of oldestFirst(own.filter(isUnsent)).toReversed()) {
      const cents = Math.min(-missing, fill.cents);
      if (cents <= 0) break;
      changes.withdrawn.push({ fill, cents });
      missing += cents;
    }
  }
  return changes;
};

/** The key of the order of a fill. */
export const orderKeyOf = (fillKey: string): string => fillKey.replace(/:again:\d+$/, '');

/** If Stripe refunded more of a fill than its row has, because it was shrunk or voided meanwhile, Stripe's amount counts. */
const filledCents = (
  fills: readonly RefundFill[],
  { refunds }: Pick<RefundFacts, 'refunds'>,
): number =>
  fills.reduce((sum, { key, status, cents }) => {
    const atStripe = refunds.filter((one) => one.refundKey === key && one.status !== 'failed');
    const sentCents = atStripe.reduce((sent, one) => sent + one.cents, 0);
    return sum + Math.max(sentCents, status === 'voided' ? 0 : cents);
  }, 0);

const isUnsent = ({ status, refundId }: RefundFill): boolean =>
  status === 'failed' || (status === 'pending' && refundId === null);

export const oldestFirst = <T extends { createdAt: Date }>(all: readonly T[]): T[] =>
  all.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
