import { type CommissionTerms, termsOfShare } from '@lendtools/contracts/commission';
import fc from 'fast-check';
import { isOpen } from '../src/domain/dispute.ts';
import { balanceOf, type Entry } from '../src/domain/ledger.ts';
import { reversibleCents } from '../src/domain/reversal.ts';
import { type PaymentFacts, settle } from '../src/domain/settle-ledger.ts';
import type { Share } from '../src/domain/share.ts';
import {
  netDebts,
  prepareEntries,
  rejectEntries,
  type StripeTransfer,
  transferEntries,
} from '../src/domain/transfer.ts';
import { checkReleases } from './check-releases.ts';
import { type Model, steps as moneySteps, newPayment } from './money-model.ts';

const ownerIds = ['o0', 'o1'];

const which = fc.nat(99);
const part = fc.double({ min: 0.01, max: 1, noNaN: true });
const cents = fc.integer({ min: 1, max: 9_000 });
const terms = fc.record({
  percent: fc.constantFrom(0, 7.25, 10, 100),
  fixedCents: fc.constantFrom(0, 30),
});
const line = fc.record({
  ownerId: fc.constantFrom(...ownerIds),
  cents,
  terms: fc.option(terms, { freq: 7 }),
});
/** Whether a process dies before it has posted what happened. */
const crashes = fc.nat(3).map((n) => n === 0);
const step = <K extends string, T>(kind: K, fields: { [P in keyof T]: fc.Arbitrary<T[P]> }) =>
  fc.record({ kind: fc.constant(kind), ...fields }) as fc.Arbitrary<{ kind: K } & T>;

/** One thing that may happen in a marketplace. Numbers choose among what is there; a step that is impossible does nothing. */
export const marketplaceSteps = fc.oneof(
  {
    weight: 3,
    arbitrary: step('buy', { lines: fc.array(line, { minLength: 1, maxLength: 3 }), crashes }),
  },
  { weight: 6, arbitrary: step('money', { which, step: moneySteps, crashes }) },
  { weight: 2, arbitrary: step('change', { which, cents, isLonger: fc.boolean(), crashes }) },
  { weight: 2, arbitrary: step('cancel', { which, part, crashes }) },
  { weight: 6, arbitrary: step('complete', { which, crashes }) },
  { weight: 3, arbitrary: step('follow', { which }) },
  {
    weight: 10,
    arbitrary: step('transfer', {
      which,
      /** `lost`: nobody knows what Stripe did, which is nothing. */
      reply: fc.constantFrom<'made' | 'lost' | 'rejected'>('made', 'made', 'lost', 'rejected'),
      /** Where the process dies. */
      crash: fc.constantFrom<'never' | 'before Stripe' | 'after Stripe'>(
        'never',
        'never',
        'before Stripe',
        'after Stripe',
      ),
    }),
  },
  { weight: 3, arbitrary: step('reverse', { which, part, isOutside: fc.boolean(), crashes }) },
  { weight: 1, arbitrary: step('restore-backup', { part }) },
);
type MarketplaceStep = typeof marketplaceSteps extends fc.Arbitrary<infer T> ? T : never;
type StepOf<K extends MarketplaceStep['kind']> = Extract<MarketplaceStep, { kind: K }>;

interface Booking {
  bookingId: string;
  ownerId: string;
  terms: CommissionTerms | null;
  isOver: boolean;
}

interface Payment {
  paymentId: string;
  model: Model;
  chargedCents: number;
  shares: Share[];
}

export type TransferAtStripe = StripeTransfer & { paymentId: string };

const pick = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(1, all.length)];

/**
 * Payments of owners who have several bookings, of which some are paid for by several payments. Owners' accounts always have
 * enough to be reversed.
 */
export const newMarketplace = () => {
  const bookings: Booking[] = [];
  const payments: Payment[] = [];
  const transfers: TransferAtStripe[] = [];
  /** All entries, in the order in which they were posted. */
  let ledger: { paymentId: string; entry: Entry }[] = [];
  const touched = new Set<string>();
  let count = 0;

  const at = new Date(Date.UTC(2026, 0, 1));
  const entriesOf = (paymentId: string): Entry[] =>
    ledger.filter((one) => one.paymentId === paymentId).map(({ entry }) => entry);
  const post = (paymentId: string, entries: readonly Entry[]): void => {
    ledger.push(...entries.map((entry) => ({ paymentId, entry })));
    if (entries.length > 0) touched.add(paymentId);
  };

  const charge = (shares: Share[]): Payment => {
    const paymentId = `p${payments.length}`;
    const model = newPayment(paymentId, { shares, rest: 0 });
    const chargedCents = shares.reduce((sum, one) => sum + one.cents, 0);
    const payment = { paymentId, model, chargedCents, shares };
    payments.push(payment);
    return payment;
  };

  const isOver = (bookingId: string): boolean =>
    bookings.some((one) => one.bookingId === bookingId && one.isOver);

  const factsOf = ({ paymentId, model }: Payment): PaymentFacts => {
    const facts = model.facts();
    const shares = facts.shares.map((share) => ({
      ...share,
      releaseAt: isOver(share.bookingId) ? new Date(0) : null,
    }));
    const own = transfers.filter((one) => one.paymentId === paymentId);
    return { ...facts, shares, transfers: structuredClone(own) };
  };
  const follow = (payment: Payment): void => {
    const posted = entriesOf(payment.paymentId);
    const facts = factsOf(payment);
    const added = settle(facts, posted);
    checkReleases(facts, posted, added);
    post(payment.paymentId, added);
    payment.model.fit([...posted, ...added]);
  };

  const allShares = () =>
    payments.flatMap((payment) => payment.shares.map((share) => ({ payment, share })));

  const isTransferable = ({ payment, share }: ReturnType<typeof allShares>[number]): boolean => {
    const posted = entriesOf(payment.paymentId);
    const balance = (account: 'available' | 'sending') =>
      balanceOf(posted, account, share.bookingId);
    return balance('available') + balance('sending') > 0;
  };

  const isPosted = (key: string): boolean => ledger.some(({ entry }) => entry.key === key);

  /** The row whose outcome is unknown. */
  const unfinishedOf = (paymentId: string, { bookingId, ownerId }: Share) => {
    const entries = entriesOf(paymentId);
    // A transfer that was made after the backup may have ended it.
    if (balanceOf(entries, 'sending', bookingId) === 0) return undefined;
    const entry = entries.find(
      ({ key, to, bookingId: of }) =>
        to === 'sending' &&
        of === bookingId &&
        !isPosted(`${key}:sent`) &&
        !isPosted(`${key}:rejected`),
    );
    return (
      entry && { id: entry.key.replace('transfer:', ''), bookingId, ownerId, cents: entry.cents }
    );
  };

  const isReversing = (paymentId: string, bookingId: string): boolean =>
    transfers.some(
      (one) =>
        one.paymentId === paymentId &&
        one.bookingId === bookingId &&
        one.reversals.some(({ rowId, reversalId }) => rowId && !isPosted(`reversal:${reversalId}`)),
    );

  const owedFor = ({ paymentId, bookingId }: TransferAtStripe): number =>
    isReversing(paymentId, bookingId) ? 0 : reversibleCents(entriesOf(paymentId), bookingId);

  const debtsOf = (ownerId: string) =>
    allShares()
      .filter(({ share }) => share.ownerId === ownerId)
      .map(({ payment: { paymentId }, share: { bookingId } }) => ({
        paymentId,
        bookingId,
        cents: -balanceOf(entriesOf(paymentId), 'debts', bookingId),
      }))
      .filter((debt) => debt.cents > 0 && !isReversing(debt.paymentId, debt.bookingId));

  const prepare = ({ paymentId, model }: Payment, share: Share): void => {
    const { bookingId, ownerId } = share;
    if (model.facts().disputes.some(({ state }) => isOpen(state))) return;
    const owned = { paymentId, bookingId, ownerId };
    const { movements, leftCents } = netDebts(entriesOf(paymentId), owned, {
      debts: debtsOf(ownerId),
      happenedAt: at,
    });
    for (const movement of movements) post(movement.paymentId, movement.entries);
    const row = { id: `t${count++}`, bookingId, ownerId, cents: leftCents };
    if (leftCents > 0) post(paymentId, prepareEntries(row, at));
  };

  const settleTransfer = (paymentId: string, share: Share, transfer: StripeTransfer): void => {
    post(paymentId, transferEntries(entriesOf(paymentId), share, structuredClone(transfer)));
  };

  const apply: { [K in MarketplaceStep['kind']]: (step: StepOf<K>) => void } = {
    buy({ lines, crashes: dies }) {
      const shares = lines.map(({ ownerId, cents: price, terms: given }) => {
        const bookingId = `b${bookings.length}`;
        bookings.push({ bookingId, ownerId, terms: given, isOver: false });
        return { bookingId, ownerId, cents: price, terms: given };
      });
      const payment = charge(shares);
      if (dies) return;
      payment.model.apply({ kind: 'allocate' });
      follow(payment);
    },
    money({ which: n, step: one, crashes: dies }) {
      const payment = pick(payments, n);
      if (!payment || one.kind === 'follow') return;
      payment.model.apply(one);
      if (!dies) follow(payment);
    },
    /** A longer rental has another payment, and of a shorter one a part is refunded. */
    change({ which: n, cents: price, isLonger, crashes: dies }) {
      const booking = pick(bookings, n);
      if (!booking || booking.isOver) return;
      const { bookingId, ownerId, terms: given } = booking;
      if (isLonger) {
        const laterTerms = termsOfShare(given, { isFirst: false });
        const payment = charge([{ bookingId, ownerId, cents: price, terms: laterTerms }]);
        payment.model.apply({ kind: 'allocate' });
      } else refund(bookingId, price / 9_000);
      if (!dies) followBooking(bookingId);
    },
    /** The owner keeps what the policy does not refund, and gets it. */
    cancel({ which: n, part: refunded, crashes: dies }) {
      const booking = pick(bookings, n);
      if (!booking) return;
      refund(booking.bookingId, refunded);
      booking.isOver = true;
      if (!dies) followBooking(booking.bookingId);
    },
    complete({ which: n, crashes: dies }) {
      const booking = pick(bookings, n);
      if (!booking) return;
      booking.isOver = true;
      if (!dies) followBooking(booking.bookingId);
    },
    follow({ which: n }) {
      const payment = pick(payments, n);
      if (payment) follow(payment);
    },
    /** The task `send-transfer`: of a row that is there, it finds the outcome. */
    transfer({ which: n, reply, crash }) {
      const found = pick(allShares().filter(isTransferable), n);
      if (!found) return;
      const { payment, share } = found;
      const { paymentId } = payment;
      if (!unfinishedOf(paymentId, share)) prepare(payment, share);
      const row = unfinishedOf(paymentId, share);
      if (!row || crash === 'before Stripe') return;
      const unrecorded = transfers.find(
        (one) =>
          one.paymentId === paymentId &&
          one.bookingId === share.bookingId &&
          !entriesOf(paymentId).some(({ stripeId }) => stripeId === one.transferId),
      );
      if (unrecorded) {
        settleTransfer(paymentId, share, unrecorded);
        // Another row's transfer, made after the backup, has sent this one's money.
        if (unrecorded.rowId !== row.id)
          post(paymentId, rejectEntries(entriesOf(paymentId), row, at));
        return;
      }
      if (reply === 'rejected' && crash === 'never')
        post(paymentId, rejectEntries(entriesOf(paymentId), row, at));
      if (reply !== 'made') return;
      const { id: rowId, bookingId, cents: sentCents } = row;
      const made = { transferId: `tr_${count++}`, accountId: `acct_${row.ownerId}`, createdAt: at };
      const transfer = { ...made, paymentId, rowId, bookingId, cents: sentCents, reversals: [] };
      transfers.push(transfer);
      if (crash === 'never') settleTransfer(paymentId, share, transfer);
    },
    /** Ours takes the debt at most, one made in the dashboard any part. */
    reverse({ which: n, part: portion, isOutside, crashes: dies }) {
      const transfer = pick(
        transfers.filter((one) => isOutside || owedFor(one) > 0),
        n,
      );
      if (!transfer) return;
      const unreversed = transfer.reversals.reduce((sum, one) => sum - one.cents, transfer.cents);
      const most = isOutside ? unreversed : Math.min(owedFor(transfer), unreversed);
      const reversal = { reversalId: `trr_${count++}`, cents: Math.ceil(most * portion) };
      if (reversal.cents === 0) return;
      const rowId = isOutside ? null : reversal.reversalId;
      transfer.reversals.push({ ...reversal, rowId, createdAt: at });
      const payment = payments.find(({ paymentId }) => paymentId === transfer.paymentId);
      if (payment && !dies) follow(payment);
    },
    /** The ledger is that of an earlier moment, and Stripe's books stay. */
    'restore-backup'({ part: portion }) {
      const keys = [...new Set(ledger.map(({ entry }) => entry.key))];
      const kept = new Set(keys.slice(0, Math.ceil(keys.length * portion)));
      ledger = ledger.filter(({ entry }) => kept.has(entry.key));
    },
  };

  const followBooking = (bookingId: string): void => {
    for (const payment of payments)
      if (payment.shares.some((share) => share.bookingId === bookingId)) follow(payment);
  };

  /** Orders a part of what the booking's payments paid for it. */
  const refund = (bookingId: string, portion: number): void => {
    for (const { model, shares } of payments) {
      const index = shares.findIndex((share) => share.bookingId === bookingId);
      if (index >= 0) model.apply({ kind: 'order', which: index, part: portion });
    }
  };

  return {
    payments,
    transfers,
    isOver,
    entriesOf,
    entries: () => ledger.map(({ entry }) => entry),
    /** @returns the payments that got entries */
    apply(step: MarketplaceStep): string[] {
      touched.clear();
      (apply[step.kind] as (step: MarketplaceStep) => void)(step);
      return [...touched];
    },
    /** Posts everything that the ledger lacks. */
    followAll(): void {
      for (const payment of payments) {
        payment.model.apply({ kind: 'allocate' });
        payment.model.noticeAll();
        follow(payment);
        follow(payment);
      }
    },
    /** What the ledger still lacks. */
    missing: () =>
      payments.flatMap((payment) => settle(factsOf(payment), entriesOf(payment.paymentId))),
  };
};
export type Marketplace = ReturnType<typeof newMarketplace>;
