import fc from 'fast-check';
import type { Entry } from '../src/domain/ledger.ts';
import {
  fitFills,
  type RefundFill,
  type RefundOrder,
  type StripeRefund,
} from '../src/domain/refund-fills.ts';
import type { StripeDispute } from '../src/domain/settle-ledger.ts';
import type { Share } from '../src/domain/share.ts';

const index = fc.nat(9);
const part = fc.double({ min: 0.01, max: 1, noNaN: true });

/** One thing that may happen to a payment. Numbers choose among what is there; a step that is impossible does nothing. */
export const steps = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('follow' as const), crashes: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('allocate' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('order' as const), which: index, part }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      which: index,
      outcome: fc.constantFrom('succeeded' as const, 'pending' as const, 'waiting' as const),
      /** The process dies before it stores the reply. */
      isLost: fc.nat(3).map((n) => n === 0),
      /** The process read the row before it was shrunk or voided. */
      isStale: fc.nat(9).map((n) => n === 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('finish' as const),
      which: index,
      fails: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), which: index }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('dashboard' as const), part }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('by-hand' as const), which: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('dispute' as const), part }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      which: index,
      state: fc.constantFrom('won' as const, 'lost' as const),
      part,
    }),
  },
);
type Step = Exclude<typeof steps extends fc.Arbitrary<infer T> ? T : never, { kind: 'follow' }>;

/** `firstCents`: before it was shrunk. */
type Row = RefundFill & { firstCents: number };
interface Dispute extends StripeDispute {
  cents: number;
}

const sumOf = (all: readonly { cents: number }[]) => all.reduce((sum, { cents }) => sum + cents, 0);
const pick = <T>(all: T[], which: number): T | undefined => all[which % Math.max(1, all.length)];

/** The share of a booking and an owner of its own, for each price. */
const ownShares = (prices: number[]): Share[] =>
  prices.map((cents, n) => ({ bookingId: `b${n}`, ownerId: `o${n}`, cents }));

/**
 * A payment with its shares and `rest`, its refunds in our table and at Stripe, and its disputes. Bookings orders what it
 * has not ordered yet, whether the money is there or not.
 */
export const newModel = (prices: number[], rest: number) =>
  newPayment('p', { shares: ownShares(prices), rest });

export const newPayment = (
  paymentId: string,
  { shares, rest }: { shares: readonly Share[]; rest: number },
) => {
  const charged = sumOf(shares) + rest;
  let isAllocated = false;
  let clock = 0;
  const now = () => new Date(Date.UTC(2026, 0, 1) + 1_000 * clock++);
  const orders: RefundOrder[] = [];
  const rows: Row[] = [];
  let isStale = false;
  const refunds: StripeRefund[] = [];
  const disputes: Dispute[] = [];

  const refundedCents = () => sumOf(refunds.filter(({ status }) => status !== 'failed'));
  const stateCents = (state: 'open' | 'lost') =>
    sumOf(disputes.filter((one) => one.state === state));
  const isUnsent = ({ status, refundId }: Row) =>
    status === 'failed' || (status === 'pending' && refundId === null);

  /** Stores what Stripe replied, or what a webhook reports. */
  const notice = (refund: StripeRefund | undefined): void => {
    const row = rows.find(({ key }) => key === refund?.refundKey);
    if (!row || !refund) return;
    const { refundId, status, cents } = refund;
    if (status !== 'failed') Object.assign(row, { refundId, status, cents });
    else if (row.status !== 'voided' && row.refundId === refundId) row.status = status;
  };

  const changes: { [K in Step['kind']]: (step: Extract<Step, { kind: K }>) => void } = {
    allocate() {
      isAllocated = true;
    },
    order({ which, part: portion }) {
      const share = isAllocated ? pick([...shares, undefined], which) : undefined;
      const bookingId = share?.bookingId ?? null;
      const ordered = sumOf(orders.filter((one) => one.bookingId === bookingId));
      const whole = share ? share.cents : isAllocated ? rest : charged;
      const cents = Math.ceil((whole - ordered) * portion);
      const key = `order ${paymentId} ${orders.length}`;
      if (cents > 0) orders.push({ key, bookingId, cents, createdAt: now() });
    },
    send({ which, outcome, isLost, isStale: isOld }) {
      const row = pick(
        rows.filter((one) => isUnsent(one) || (isOld && one.status === 'voided')),
        which,
      );
      if (!row || stateCents('open') > 0) return;
      const sent = refunds.find((one) => one.refundKey === row.key && one.status !== 'failed');
      if (sent) return notice(sent);
      const cents = isOld ? row.firstCents : row.cents;
      if (cents > charged - refundedCents()) return;
      isStale ||= cents !== row.cents || row.status === 'voided';
      const refund: StripeRefund = {
        refundId: `re_${paymentId}_${refunds.length}`,
        refundKey: row.key,
        cents,
        status: outcome === 'succeeded' ? 'succeeded' : 'pending',
        isCharged: outcome !== 'waiting',
        createdAt: now(),
      };
      refunds.push(refund);
      if (!isLost) notice(refund);
    },
    finish({ which, fails }) {
      const refund = pick(
        refunds.filter(({ status }) => status === 'pending'),
        which,
      );
      if (!refund) return;
      refund.status = fails ? 'failed' : 'succeeded';
      if (!fails) refund.isCharged = true;
      notice(refund);
    },
    fail({ which }) {
      const refund = pick(
        refunds.filter(({ status }) => status === 'succeeded'),
        which,
      );
      if (!refund) return;
      refund.status = 'failed';
      notice(refund);
    },
    dashboard({ part: portion }) {
      const cents = Math.ceil(
        (charged - refundedCents() - stateCents('open') - stateCents('lost')) * portion,
      );
      if (cents <= 0) return;
      const refundId = `re_${paymentId}_${refunds.length}`;
      const made = { status: 'succeeded', isCharged: true, createdAt: now() } as const;
      refunds.push({ refundId, refundKey: null, cents, ...made });
    },
    'by-hand'({ which }) {
      const row = pick(
        rows.filter(({ status }) => status === 'failed'),
        which,
      );
      if (row) Object.assign(row, { status: 'succeeded', refundId: null });
    },
    dispute({ part: portion }) {
      const cents = Math.ceil(1.2 * charged * portion);
      const transactionId = `txn_${paymentId}_${disputes.length}`;
      const transactions = [{ transactionId, cents: -cents, createdAt: now() }];
      disputes.push({
        disputeId: `du_${paymentId}_${disputes.length}`,
        state: 'open',
        cents,
        transactions,
      });
    },
    /** A lost dispute may be won later. A loss may reinstate a part. */
    decide({ which, state, part: portion }) {
      const dispute = pick(
        disputes.filter((one) => one.state !== 'won'),
        which,
      );
      if (!dispute || (dispute.state === 'lost' && state === 'lost')) return;
      const withdrawn = -sumOf(dispute.transactions);
      const cents = state === 'won' ? withdrawn : Math.floor(withdrawn * portion * (which % 2));
      const transactionId = `${dispute.disputeId} ${dispute.transactions.length}`;
      if (cents > 0) dispute.transactions.push({ transactionId, cents, createdAt: now() });
      dispute.state = state;
    },
  };

  return {
    apply(step: Step): void {
      (changes[step.kind] as (step: Step) => void)(step);
    },
    /** Makes the rows what the ledger has for the orders. @returns whether any changed */
    fit(entries: readonly Entry[]): boolean {
      const { added, withdrawn } = fitFills({ orders, fills: rows, refunds }, entries);
      for (const { fill, cents } of withdrawn) {
        const row = rows.find(({ key }) => key === fill.key) as Row;
        if (cents === row.cents) row.status = 'voided';
        else row.cents -= cents;
      }
      for (const { order, key, cents } of added)
        rows.push({
          key,
          bookingId: order.bookingId,
          cents,
          firstCents: cents,
          status: 'pending',
          refundId: null,
          createdAt: now(),
        });
      return added.length + withdrawn.length > 0;
    },
    /** Stores every refund that Stripe made. */
    noticeAll: () => refunds.forEach(notice),
    /** Whether Stripe got more than a row had, or a row that was voided. */
    wasStale: () => isStale,
    facts: () => ({
      paymentId,
      readAt: now(),
      charge: {
        chargeId: `ch_${paymentId}`,
        cents: charged,
        createdAt: new Date(Date.UTC(2026, 0, 1)),
      },
      shares: isAllocated ? shares.map((share) => ({ ...share })) : [],
      orders: orders.map((order) => ({ ...order })),
      fills: rows.map((row) => ({ ...row })),
      refunds: refunds.map((refund) => ({ ...refund })),
      disputes: disputes.map((dispute) => ({
        ...dispute,
        transactions: [...dispute.transactions],
      })),
    }),
    /** Stripe's books: what came from the card and is still ours, what banks have, and what they have not decided. */
    books() {
      const isMade = ({ isCharged, status }: StripeRefund) =>
        (isCharged && status !== 'failed') || status === 'succeeded';
      const withdrawn = (all: Dispute[]) =>
        all.reduce((sum, one) => sum - sumOf(one.transactions), 0);
      return {
        card: sumOf(refunds.filter(isMade)) - charged,
        bank: withdrawn(disputes),
        held: withdrawn(disputes.filter((one) => one.state !== 'lost')),
      };
    },
  };
};
export type Model = ReturnType<typeof newPayment>;
