import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkGone } from '../../test/check-gone.ts';
import { type Model, newModel, steps } from '../../test/money-model.ts';
import { balanceOf, type Entry, totalOf } from './ledger.ts';
import { settle } from './settle-ledger.ts';

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
            check(model, entries);
          }
          entries = [...entries, ...settle(model.facts(), entries)];
          check(model, entries);
          expect(settle(model.facts(), entries)).toEqual([]);
        },
      ),
      { numRuns: runs },
    );
  });

  it(`never lets \`due\` exceed the refund rows (${runs} histories)`, () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 4 }),
        fc.array(steps, { maxLength: 25, size: 'max' }),
        (shares, history) => {
          const model = newModel(shares, 0);
          let entries: Entry[] = [];
          for (const step of history) {
            if (step.kind !== 'follow') model.apply(step);
            entries = [...entries, ...settle(model.facts(), entries)];
            for (const [bookingId, cents] of model.due())
              expect(balanceOf(entries, 'due', bookingId)).toBeLessThanOrEqual(cents);
          }
        },
      ),
      { numRuns: runs },
    );
  });
});
