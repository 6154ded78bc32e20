import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkGone } from '../../test/check-gone.ts';
import { type Model, newModel, steps } from '../../test/money-model.ts';
import { balanceOf, type Entry, totalOf } from './ledger.ts';
import { refundedCents } from './refund-fills.ts';
import { settle } from './settle-ledger.ts';
import { remainsOf } from './share.ts';

// biome-ignore lint/style/noProcessEnv: a parameter of this test only.
const runs = Number(process.env.LEDGER_HISTORIES ?? 300);

const never = (entries: readonly Entry[], name: 'below' | 'above', accounts: string[]) => {
  const bookings = new Set(entries.map(({ bookingId }) => bookingId));
  for (const account of accounts)
    for (const bookingId of bookings) {
      const cents = balanceOf(entries, account as Entry['from'], bookingId);
      const isWrong = name === 'below' ? cents < 0 : cents > 0;
      if (isWrong) throw new Error(`${account} of ${bookingId} has ${cents}`);
    }
};

const check = (model: Model, entries: readonly Entry[]): void => {
  never(entries, 'below', ['unallocated', 'pending', 'due']);
  never(entries, 'above', ['disputes', 'losses']);
  const { card, bank, held } = model.books();
  expect(totalOf(entries, 'card')).toBe(card);
  expect(totalOf(entries, 'bank')).toBe(bank);
  expect(totalOf(entries, 'disputes')).toBe(0 - held);
  // All accounts but the outside ones are the platform's balance.
  const inside = ['unallocated', 'pending', 'due', 'disputes', 'losses', 'operator'] as const;
  expect(inside.reduce((sum, account) => sum + totalOf(entries, account), 0)).toBe(0 - card - bank);
  expect(new Set(entries.map(({ key, line }) => `${key} ${line}`)).size).toBe(entries.length);
  checkGone(entries, model.facts().shares);
};

/** Orders are open only if nothing is left for them, and their fills are what the ledger has for them. */
const checkOrders = (model: Model, entries: readonly Entry[]): void => {
  const facts = model.facts();
  for (const bookingId of new Set(facts.orders.map((order) => order.bookingId))) {
    const isOf = (one: { bookingId: string | null }) => one.bookingId === bookingId;
    const sumOf = (all: { cents: number }[]) => all.reduce((sum, { cents }) => sum + cents, 0);
    const ordered = sumOf(facts.orders.filter(isOf));
    const refunded = refundedCents(facts, entries, bookingId);
    const filled = balanceOf(entries, 'due', bookingId) + refunded;
    const left = facts.shares.some(isOf)
      ? remainsOf(entries, bookingId as string)
      : balanceOf(entries, 'unallocated');
    if (filled < ordered) expect({ bookingId, left }).toEqual({ bookingId, left: 0 });
    if (model.wasStale()) continue;
    expect(filled).toBeLessThanOrEqual(ordered);
    const fills = facts.fills.filter((one) => isOf(one) && one.status !== 'voided');
    // Stripe may have a refund already whose money a bank took.
    const atStripe = fills.filter(({ refundId }) => refundId !== null);
    expect(sumOf(fills)).toBe(Math.max(filled, sumOf(atStripe)));
  }
};

describe('the ledger', () => {
  it(`equals Stripe's books after any history, followed at any moments (${runs} histories)`, () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 4 }),
        fc.nat(3_000),
        fc.array(steps, { maxLength: 25, size: 'max' }),
        (shares, rest, history) => {
          const model = newModel(shares, rest);
          let entries: Entry[] = [];
          for (const step of history) {
            if (step.kind !== 'follow') {
              model.apply(step);
              continue;
            }
            const added = settle(model.facts(), entries);
            // A process that dies before the commit posts nothing.
            if (step.crashes) continue;
            entries = [...entries, ...added];
            model.fit(entries);
            check(model, entries);
          }
          model.noticeAll();
          for (const _ of [1, 2]) {
            entries = [...entries, ...settle(model.facts(), entries)];
            model.fit(entries);
          }
          check(model, entries);
          checkOrders(model, entries);
          expect(settle(model.facts(), entries)).toEqual([]);
          expect(model.fit(entries)).toBe(false);
        },
      ),
      { numRuns: runs },
    );
  });
});
