import fc from 'fast-check';
import type { RefundOrder, StripeDispute, StripeRefund } from '../src/domain/settle-ledger.ts';
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

type Row = RefundOrder & { withdrawnCents: number };
interface Dispute extends StripeDispute {
  cents: number;
}

const sumOf = (all: readonly { cents: number }[]) => all.reduce((sum, { cents }) => sum + cents, 0);
const pick = <T>(all: T[], which: number): T | undefined => all[which % Math.max(1, all.length)];

/** The share of a booking and an owner of its own, for each price. */
const ownShares = (prices: number[]): Share[] =>
  prices.map((cents, n) => ({ bookingId: `b${n}`, ownerId: `o${n}`, cents }));

/**
 * A payment with its shares and `rest`, its refunds in our table and at Stripe, and its disputes. Orders, shrinks and
 * renews refunds by the rules of 1.0.0.
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
  const rows: Row[] = [];
  const refunds: StripeRefund[] = [];
  const disputes: Dispute[] = [];

  const refundedCents = () => sumOf(refunds.filter(({ status }) => status !== 'failed'));
  const outsideCents = () =>
    sumOf(refunds.filter(({ status, refundKey }) => status !== 'failed' && refundKey === null));
  const stateCents = (state: 'open' | 'lost') =>
    sumOf(disputes.filter((one) => one.state === state));
  const reservedCents = () => sumOf(rows.filter(({ status }) => status !== 'voided'));
  const isUnsent = ({ status, refundId }: Row) =>
    status === 'failed' || (status === 'pending' && refundId === null);

  /** Like `fitRefunds`: withdraws the newest unsent refunds, or renews the oldest withdrawn ones. */
  const fitRows = () => {
    let excess = reservedCents() + outsideCents() + stateCents('lost') - charged;
    for (const row of rows.filter(isUnsent).toReversed()) {
      const cents = Math.min(excess, row.cents);
      if (cents <= 0) break;
      excess -= cents;
      row.withdrawnCents += cents;
      if (cents === row.cents) row.status = 'voided';
      else row.cents -= cents;
    }
    let available = charged - reservedCents() - outsideCents() - stateCents('lost');
    for (const row of rows.filter(({ withdrawnCents }) => withdrawnCents > 0)) {
      const cents = Math.min(available, row.withdrawnCents);
      if (cents <= 0) break;
      available -= cents;
      row.withdrawnCents -= cents;
      rows.push(newRow(`${row.key}:again:${rows.length}`, row.bookingId, cents));
    }
  };
  const newRow = (key: string, bookingId: string | null, cents: number): Row => ({
    key,
    bookingId,
    cents,
    status: 'pending',
    refundId: null,
    createdAt: now(),
    withdrawnCents: 0,
  });

  const changes: { [K in Step['kind']]: (step: Extract<Step, { kind: K }>) => void } = {
    allocate() {
      isAllocated = true;
    },
    order({ which, part: portion }) {
      const share = isAllocated ? pick([...shares, undefined], which) : undefined;
      const ordered = rows.filter(({ bookingId }) => bookingId === (share?.bookingId ?? null));
      const whole = share ? share.cents : isAllocated ? rest : charged;
      const free = charged - reservedCents() - outsideCents() - stateCents('lost');
      const left = Math.min(free, whole - sumOf(ordered.filter((one) => one.status !== 'voided')));
      const cents = Math.ceil(left * portion);
      if (cents > 0)
        rows.push(newRow(`order ${paymentId} ${rows.length}`, share?.bookingId ?? null, cents));
    },
    send({ which, outcome }) {
      const row = pick(rows.filter(isUnsent), which);
      if (!row || stateCents('open') > 0) return;
      if (row.cents > charged - refundedCents()) return;
      const refundId = `re_${paymentId}_${refunds.length}`;
      const status = outcome === 'succeeded' ? 'succeeded' : 'pending';
      refunds.push({
        refundId,
        refundKey: row.key,
        cents: row.cents,
        status,
        isCharged: outcome !== 'waiting',
        createdAt: now(),
      });
      Object.assign(row, { status, refundId });
    },
    finish({ which, fails }) {
      const refund = pick(
        refunds.filter(({ status }) => status === 'pending'),
        which,
      );
      if (!refund) return;
      refund.status = fails ? 'failed' : 'succeeded';
      if (!fails) refund.isCharged = true;
      const row = rows.find(({ key }) => key === refund.refundKey);
      if (row) row.status = refund.status;
      fitRows();
    },
    fail({ which }) {
      const refund = pick(
        refunds.filter(({ status }) => status === 'succeeded'),
        which,
      );
      if (!refund) return;
      refund.status = 'failed';
      const row = rows.find(({ key }) => key === refund.refundKey);
      if (row) row.status = 'failed';
      fitRows();
    },
    dashboard({ part: portion }) {
      const cents = Math.ceil(
        (charged - refundedCents() - stateCents('open') - stateCents('lost')) * portion,
      );
      if (cents <= 0) return;
      const refundId = `re_${paymentId}_${refunds.length}`;
      const made = { status: 'succeeded', isCharged: true, createdAt: now() } as const;
      refunds.push({ refundId, refundKey: null, cents, ...made });
      fitRows();
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
      fitRows();
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
      fitRows();
    },
  };

  return {
    apply(step: Step): void {
      (changes[step.kind] as (step: Step) => void)(step);
    },
    facts: () => ({
      paymentId,
      readAt: now(),
      charge: {
        chargeId: `ch_${paymentId}`,
        cents: charged,
        createdAt: new Date(Date.UTC(2026, 0, 1)),
      },
      shares: isAllocated ? shares.map((share) => ({ ...share })) : [],
      orders: rows.map((row) => ({ ...row })),
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
    /** What the rows order and Stripe has not made, of each booking. */
    due() {
      const due = new Map<string | null, number>();
      for (const row of rows) {
        const made = refunds.some(
          (one) =>
            one.refundKey === row.key &&
            one.status !== 'failed' &&
            (one.isCharged || one.status === 'succeeded'),
        );
        const isOpen = row.status !== 'voided' && !(row.status === 'succeeded' && !made) && !made;
        due.set(row.bookingId, (due.get(row.bookingId) ?? 0) + (isOpen ? row.cents : 0));
      }
      return due;
    },
  };
};
export type Model = ReturnType<typeof newPayment>;
