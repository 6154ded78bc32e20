import { deduct, restore, type UnsentRefunds } from './deduct.ts';
import { type DisputeState, isOpen } from './dispute.ts';
import { divide } from './divide.ts';
import { type Account, balanceOf, type Entry, entriesOf, type Posting } from './ledger.ts';
import {
  oldestFirst,
  orderKeyOf,
  type RefundFacts,
  type RefundFill,
  type RefundOrder,
  refundedCents,
  type StripeRefund,
} from './refund-fills.ts';
import { giveToShare, releaseShare, remainsOf, type Share, takeFromShare } from './share.ts';
import { type StripeTransfer, transferEntries } from './transfer.ts';

/** What is known about the money of a payment. Times order the facts; Stripe's have whole seconds. */
export interface PaymentFacts extends RefundFacts {
  paymentId: string;
  /** The time of entries for which Stripe has no timestamp. */
  readAt: Date;
  charge: { chargeId: string; cents: number; createdAt: Date };
  shares: Share[];
  disputes: StripeDispute[];
  /** Our transfers at Stripe, the oldest first. */
  transfers?: StripeTransfer[];
  /** Whether our table has an open dispute. Nothing is released then. */
  isContested?: boolean;
  /** Ids of waived inquiries. */
  waived?: readonly string[];
}

export interface StripeDispute {
  disputeId: string;
  state: DisputeState;
  /** Negative cents if the bank withdrew them, positive if it reinstated them. */
  transactions: { transactionId: string; cents: number; createdAt: Date }[];
}

/**
 * Posts what the facts contain and the ledger lacks, in the order of the facts. Moves to `due` what bookings ordered, as far as
 * the booking's share suffices. A repeated call returns nothing.
 * @param posted the payment's entries so far
 * @returns the entries to insert
 */
export const settle = (facts: PaymentFacts, posted: readonly Entry[]): Entry[] => {
  const book = openBook(facts, posted);
  book.charge();
  book.fundShares();
  for (const { post } of inOrder(factsOf(facts, book))) post();
  // Money that orders return funds shares; shares then fill open orders; only the rest is released to owners.
  book.releaseOrders();
  book.fundShares();
  book.fillOrders();
  book.release();
  for (const transfer of facts.transfers ?? []) book.transfer(transfer);
  return book.entries.slice(posted.length);
};

interface Fact {
  at: Date;
  post: () => void;
}

const factsOf = (facts: PaymentFacts, book: Book): Fact[] => [
  ...book.orders.map((order) => ({ at: order.createdAt, post: () => book.order(order) })),
  ...facts.fills.map((fill) => ({ at: fill.createdAt, post: () => book.refundByHand(fill) })),
  ...facts.refunds.map((refund) => ({
    at: latest([refund.createdAt, fillOf(facts, refund)?.createdAt]),
    post: () => book.refund(refund),
  })),
  ...facts.disputes.flatMap((dispute) => [
    ...dispute.transactions.map((transaction) => ({
      at: transaction.createdAt,
      post: () => book.disputeTransaction(dispute, transaction),
    })),
    {
      at: latest(dispute.transactions.map(({ createdAt }) => createdAt)),
      post: () => book.loss(dispute),
    },
  ]),
];

/** Stripe's clock may be behind ours: facts of one instant keep their order, so an order comes before its refund. */
const inOrder = (facts: Fact[]): Fact[] =>
  facts.toSorted((one, other) => one.at.getTime() - other.at.getTime());

const latest = (times: (Date | undefined)[]): Date =>
  new Date(Math.max(0, ...times.map((time) => time?.getTime() ?? 0)));

const fillOf = ({ fills }: PaymentFacts, { refundKey }: StripeRefund): RefundFill | undefined =>
  fills.find(({ key }) => key === refundKey);

type Book = ReturnType<typeof openBook>;

const openBook = (facts: PaymentFacts, posted: readonly Entry[]) => {
  const { charge, fills, readAt } = facts;
  const entries = [...posted];
  const orders = allOrders(facts);
  const shares = allShares(facts.shares, posted);

  const has = (key: string): boolean => entries.some((entry) => entry.key === key);
  const entriesIn = (isIn: (key: string) => boolean): Entry[] =>
    entries.filter(({ key }) => isIn(key));
  /** Posts a movement once. */
  const post = (
    key: string,
    postings: Posting[],
    { stripeId = null, happenedAt = readAt }: { stripeId?: string | null; happenedAt?: Date } = {},
  ): void => {
    if (!has(key)) entries.push(...entriesOf({ key, stripeId, happenedAt }, postings));
  };
  /** Posts a difference under the next number of its key. */
  const postNext = (
    prefix: string,
    postings: Posting[],
    details?: { stripeId?: string; happenedAt?: Date },
  ): void => {
    let n = 1;
    while (has(`${prefix}:${n}`)) n += 1;
    post(`${prefix}:${n}`, postings, details);
  };

  const shareOf = (bookingId: string | null): Share | undefined =>
    shares.find((share) => share.bookingId === bookingId);
  const ofBooking = (bookingId: string | null) => ({
    bookingId,
    ownerId: shareOf(bookingId)?.ownerId ?? null,
  });
  const ofNone = { bookingId: null, ownerId: null };

  const take = (cents: number, to: Account): Posting[] =>
    deduct(entries, { cents, to, shares, unsent: unsentRefunds() });

  /** Bookings with orders, the newest order first. */
  const unsentRefunds = (): UnsentRefunds[] => {
    const bookingIds = new Set(
      oldestFirst(orders)
        .toReversed()
        .map(({ bookingId }) => bookingId),
    );
    return [...bookingIds].map((bookingId) => ({
      bookingId,
      sentCents: sumOf(
        fills.filter((one) => one.bookingId === bookingId).map((one) => asCents(sentCentsOf(one))),
      ),
    }));
  };

  /** Cents that are pending at Stripe. Its reply may be lost: then the fill has no refund yet. */
  const sentCentsOf = ({ key, status, refundId, cents }: RefundFill): number => {
    const waiting = facts.refunds.filter(
      (one) => one.refundKey === key && one.status === 'pending' && !one.isCharged,
    );
    return Math.max(sumOf(waiting), status === 'pending' && refundId !== null ? cents : 0);
  };

  /** What `due` lacks of the orders that were created until an instant; negative if it has too much. */
  const missingCents = (bookingId: string | null, until?: Date): number => {
    const counted = orders.filter(
      (one) => one.bookingId === bookingId && (until === undefined || one.createdAt <= until),
    );
    const dueCents = Math.max(0, sumOf(counted) - refundedCents(facts, entries, bookingId));
    return dueCents - balanceOf(entries, 'due', bookingId);
  };

  /** Fills an order from the booking's share or, as long as there is none, from what is not part of a share. */
  const fill = ({ key, bookingId, createdAt }: RefundOrder, cents: number): void => {
    const share = shareOf(bookingId);
    const there = share ? remainsOf(entries, share.bookingId) : balanceOf(entries, 'unallocated');
    const part = Math.min(cents, there);
    if (part <= 0) return;
    const postings: Posting[] = share
      ? takeFromShare(entries, share, { cents: part, to: 'due' })
      : [{ from: 'unallocated', to: 'due', cents: part, ...ofBooking(bookingId) }];
    postNext(`order:${key}`, postings, { happenedAt: createdAt });
  };

  const cancel = ({ key, bookingId }: RefundOrder, cents: number): void => {
    const share = shareOf(bookingId);
    const postings: Posting[] = share
      ? giveToShare(entries, share, { cents, from: 'due' })
      : [{ from: 'due', to: 'unallocated', cents, ...ofBooking(bookingId) }];
    postNext(`order:${key}`, postings);
  };

  /** The newest order of each booking. */
  const newestOrders = (): RefundOrder[] => [
    ...new Map(oldestFirst(orders).map((order) => [order.bookingId, order])).values(),
  ];

  /** Moves a refund's cents out of `due`. What `due` lacks is deducted, because the refund was made. */
  const leaveDue = (bookingId: string | null, cents: number, to: Account): Posting[] => {
    const part = Math.max(0, Math.min(cents, balanceOf(entries, 'due', bookingId)));
    const fromDue: Posting = { from: 'due', to, cents: part, ...ofBooking(bookingId) };
    const rest = cents - part;
    if (rest === 0) return [fromDue];
    return [
      fromDue,
      ...deduct([...entries, fromDue], { cents: rest, to, shares, unsent: unsentRefunds() }),
    ];
  };

  const returnToDue = (bookingId: string | null, made: readonly Entry[]): Posting[] => {
    const isOfDue = (entry: Entry) => entry.from === 'due' && entry.bookingId === bookingId;
    const back = made
      .filter(isOfDue)
      .map(({ cents }): Posting => ({ from: 'card', to: 'due', cents, ...ofBooking(bookingId) }));
    const deducted = made.filter((entry) => !isOfDue(entry));
    return [
      ...back,
      ...restore(deducted, { cents: sumOf(deducted), from: 'card', shares, entries }),
    ];
  };

  return {
    entries,
    orders,

    charge(): void {
      const { chargeId, cents, createdAt } = charge;
      post(`charge:${chargeId}`, [{ from: 'card', to: 'unallocated', cents, ...ofNone }], {
        stripeId: chargeId,
        happenedAt: createdAt,
      });
    },

    /** Funds what the shares lack. If too little is there, divides it in proportion. */
    fundShares(): void {
      const lacks = shares.map(({ bookingId, cents }) => {
        const own = entries.filter((entry) => entry.bookingId === bookingId);
        return Math.max(0, cents + balanceOf(own, 'unallocated'));
      });
      const cents = Math.min(balanceOf(entries, 'unallocated'), sumOf(lacks.map(asCents)));
      const parts = divide(cents, lacks);
      shares.forEach(({ bookingId, ownerId }, index) => {
        const part = parts[index] ?? 0;
        if (part === 0) return;
        const posting: Posting = {
          from: 'unallocated',
          to: 'pending',
          cents: part,
          bookingId,
          ownerId,
        };
        postNext(`share:${facts.paymentId}:${bookingId}`, [posting]);
      });
    },

    order(order: RefundOrder): void {
      const missing = missingCents(order.bookingId, order.createdAt);
      if (missing > 0) fill(order, missing);
    },

    /** An operator returned the money in another way, and marked the refund as done. */
    refundByHand(fill: RefundFill): void {
      const { key, status, refundId, bookingId, cents } = fill;
      if (status !== 'succeeded' || refundId !== null || has(`by-hand:${key}`)) return;
      post(`by-hand:${key}`, leaveDue(bookingId, cents, 'operator'));
    },

    refund(refund: StripeRefund): void {
      const { refundId, cents, status, createdAt } = refund;
      // After a restore, a refund may be seen before its fill.
      const isOutside = has(`outside:${refundId}`);
      const fill = isOutside ? undefined : fillOf(facts, refund);
      const key = fill ? `refund:${refundId}` : `outside:${refundId}`;
      if (!has(key) && (refund.isCharged || status === 'succeeded')) {
        const made = fill ? leaveDue(fill.bookingId, cents, 'card') : take(cents, 'card');
        post(key, made, { stripeId: refundId, happenedAt: createdAt });
      }
      if (status !== 'failed' || !has(key)) return;
      const made = entriesIn((one) => one === key);
      const back = fill
        ? returnToDue(fill.bookingId, made)
        : restore(made, { cents: sumOf(made), from: 'card', shares, entries });
      post(`${key}:failed`, back, { stripeId: refundId });
    },

    disputeTransaction(
      { disputeId }: StripeDispute,
      { transactionId, cents, createdAt }: StripeDispute['transactions'][number],
    ): void {
      const [from, to]: Account[] = cents < 0 ? ['disputes', 'bank'] : ['bank', 'disputes'];
      if (!from || !to) return;
      post(`dispute:${transactionId}`, [{ from, to, cents: Math.abs(cents), ...ofNone }], {
        stripeId: disputeId,
        happenedAt: createdAt,
      });
    },

    /** A lost dispute costs what it withdrew less what it reinstated. Covers partial losses and late wins. */
    loss({ disputeId, state, transactions }: StripeDispute): void {
      const withdrawn = -transactions.reduce((sum, { cents }) => sum + cents, 0);
      const lost = state === 'lost' ? Math.max(0, withdrawn) : 0;
      const prefix = `loss:${disputeId}`;
      const earlier = entriesIn((key) => key.startsWith(`${prefix}:`));
      const more = lost - balanceOf(earlier, 'disputes');
      if (more > 0) postNext(prefix, take(more, 'disputes'), { stripeId: disputeId });
      if (more < 0) {
        const restored = restore(earlier, { cents: -more, from: 'disputes', shares, entries });
        postNext(prefix, restored, { stripeId: disputeId });
      }
    },

    /** Returns what `due` has too much, because Stripe refunded a fill that was withdrawn. */
    releaseOrders(): void {
      for (const order of newestOrders()) {
        const missing = missingCents(order.bookingId);
        if (missing < 0) cancel(order, -missing);
      }
    },

    /** Fills open orders with recovered money. */
    fillOrders(): void {
      for (const order of newestOrders()) {
        const missing = missingCents(order.bookingId);
        if (missing > 0) fill(order, missing);
      }
    },

    /**
     * Releases the shares whose time has come, unless a bank may still take the money. Orders that are still open here found no
     * money in their share.
     */
    release(): void {
      const isDisputed = facts.disputes.some(
        ({ disputeId, state }) =>
          isOpen(state) && !(state === 'inquiry' && facts.waived?.includes(disputeId)),
      );
      if (facts.isContested || isDisputed) return;
      for (const share of shares) {
        const { bookingId, terms, releaseAt } = share;
        if (terms === undefined || !releaseAt || releaseAt > readAt) continue;
        if (balanceOf(entries, 'pending', bookingId) <= 0) continue;
        postNext(`release:${facts.paymentId}:${bookingId}`, releaseShare(entries, share));
      }
    },

    transfer(transfer: StripeTransfer): void {
      const share = shareOf(transfer.bookingId);
      if (share) entries.push(...transferEntries(entries, share, transfer));
    },
  };
};

/** Adds shares of earlier entries, in case the facts lack them. */
const allShares = (shares: readonly Share[], posted: readonly Entry[]): Share[] => {
  const all = new Map(shares.map((share) => [share.bookingId, share]));
  for (const { bookingId, ownerId } of posted)
    if (bookingId !== null && ownerId !== null && !all.has(bookingId))
      all.set(bookingId, { bookingId, ownerId, cents: 0 });
  return [...all.values()];
};

/** After a restore, bookings may lack an order whose fill exists. Treats such a fill as an order. */
const allOrders = ({ orders, fills }: PaymentFacts): RefundOrder[] => {
  const keys = new Set(orders.map(({ key }) => key));
  const isKnown = ({ key, status }: RefundFill) => status === 'voided' || keys.has(orderKeyOf(key));
  return [...orders, ...fills.filter((fill) => !isKnown(fill))];
};

const asCents = (cents: number) => ({ cents });

const sumOf = (all: readonly { cents: number }[]): number =>
  all.reduce((sum, { cents }) => sum + cents, 0);
