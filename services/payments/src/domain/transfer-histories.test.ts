import { describe, expect, it } from '@jest/globals';
import { feeOf } from '@lendtools/contracts/commission';
import fc from 'fast-check';
import { checkGone } from '../../test/check-gone.ts';
import { checkReleases } from '../../test/check-releases.ts';
import { newModel, steps } from '../../test/money-model.ts';
import { type Account, balanceOf, type Entry, entriesOf, totalOf } from './ledger.ts';
import { reversibleCents } from './reversal.ts';
import { type PaymentFacts, settle } from './settle-ledger.ts';
import { balancesOfShare, remainsOf } from './share.ts';
import { netDebts, prepareEntries, rejectEntries, type StripeTransfer } from './transfer.ts';

// biome-ignore lint/style/noProcessEnv: a parameter of this test only.
const runs = Number(process.env.LEDGER_HISTORIES ?? 300);

const which = fc.nat(9);
const part = fc.double({ min: 0.01, max: 1, noNaN: true });
/** What may happen beside the steps of the money: numbers choose among what is there. */
const transferSteps = fc.oneof(
  fc.record({ kind: fc.constant('release' as const), which }),
  fc.record({ kind: fc.constant('prepare' as const), which }),
  fc.record({ kind: fc.constant('transfer' as const), which }),
  fc.record({ kind: fc.constant('reject' as const), which }),
  fc.record({ kind: fc.constant('reverse' as const), which, part }),
  fc.record({ kind: fc.constant('take-back' as const), which }),
  fc.record({ kind: fc.constant('write-off' as const), which }),
  fc.record({ kind: fc.constant('restore-backup' as const), part }),
);

const terms = fc.record({
  percent: fc.constantFrom(0, 7.25, 10, 100),
  fixedCents: fc.constantFrom(0, 30),
});

const pick = <T>(all: T[], n: number): T | undefined => all[n % Math.max(1, all.length)];

const start = new Date(0);
const ownedShare = (bookingId: string) => ({ bookingId, ownerId: `o${bookingId.slice(1)}` });

const newWorld = (prices: number[], given: (object | null)[]) => {
  const model = newModel(prices, 0);
  const releasedIds = new Set<string>();
  const transfers: StripeTransfer[] = [];
  const rows: { rowId: string; bookingId: string; cents: number }[] = [];
  let entries: Entry[] = [];
  let count = 0;

  const facts = (): PaymentFacts => {
    const found = model.facts();
    const shares = found.shares.map((share, n) => ({
      ...share,
      terms: given[n] as { percent: number; fixedCents: number } | null,
      releaseAt: releasedIds.has(share.bookingId) ? new Date(0) : null,
    }));
    return { ...found, shares, transfers: structuredClone(transfers) };
  };
  const preparedOf = ({ rowId, bookingId, cents }: (typeof rows)[number]) => ({
    ...ownedShare(bookingId),
    id: rowId,
    cents,
  });
  const isOver = ({ rowId }: { rowId: string }) =>
    entries.some(({ key }) =>
      [`transfer:${rowId}:sent`, `transfer:${rowId}:rejected`].includes(key),
    );
  const isSending = (row: { rowId: string }) =>
    !isOver(row) && entries.some(({ key }) => key === `transfer:${row.rowId}`);
  const isAtStripe = ({ rowId }: { rowId: string }) => transfers.some((one) => one.rowId === rowId);

  const follow = (): void => {
    const found = facts();
    const added = settle(found, entries);
    checkReleases(found, entries, added);
    entries = [...entries, ...added];
    model.fit(entries);
  };

  return {
    model,
    transfers,
    given,
    entries: () => entries,
    follow,
    settled: () => settle(facts(), entries),
    steps: {
      release: ({ which: n }: { which: number }) => {
        releasedIds.add(`b${n % prices.length}`);
      },
      prepare({ which: n }: { which: number }) {
        const bookingId = `b${n % prices.length}`;
        if (balanceOf(entries, 'sending', bookingId) > 0) return;
        const share = { paymentId: 'p', ...ownedShare(bookingId) };
        // Debts of the payment's other bookings stand for those of the owner's other payments.
        const debts = given
          .map((_, other) => `b${(n + other) % given.length}`)
          .map((id) => ({
            paymentId: 'p',
            bookingId: id,
            cents: -balanceOf(entries, 'debts', id),
          }));
        const { movements, leftCents } = netDebts(entries, share, { debts, happenedAt: start });
        entries = [...entries, ...movements.flatMap((one) => one.entries)];
        if (leftCents === 0) return;
        const row = { rowId: `${count++}`, bookingId, cents: leftCents };
        rows.push(row);
        entries = [...entries, ...prepareEntries(preparedOf(row), start)];
      },
      transfer({ which: n }: { which: number }) {
        const row = pick(
          rows.filter((one) => isSending(one) && !isAtStripe(one)),
          n,
        );
        if (!row) return;
        const made = { transferId: `tr_${row.rowId}`, accountId: 'acct', createdAt: new Date(0) };
        transfers.push({ ...row, ...made, reversals: [] });
      },
      reject({ which: n }: { which: number }) {
        const row = pick(
          rows.filter((one) => isSending(one) && !isAtStripe(one)),
          n,
        );
        if (row) entries = [...entries, ...rejectEntries(entries, preparedOf(row), start)];
      },
      reverse({ which: n, part: portion }: { which: number; part: number }) {
        const transfer = pick(transfers, n);
        if (!transfer) return;
        const left = transfer.reversals.reduce((sum, one) => sum - one.cents, transfer.cents);
        const cents = Math.ceil(left * portion);
        const reversalId = `trr_${count++}`;
        if (cents > 0)
          transfer.reversals.push({ reversalId, rowId: null, cents, createdAt: new Date(0) });
      },
      /** Our own reversal returns only what is owed, so that nothing is transferred again. */
      'take-back'({ which: n }: { which: number }) {
        const transfer = pick(transfers, n);
        if (!transfer) return;
        const { bookingId } = transfer;
        follow();
        const left = transfer.reversals.reduce((sum, one) => sum - one.cents, transfer.cents);
        const cents = Math.min(left, reversibleCents(entries, bookingId));
        if (cents <= 0) return;
        const { available, debts } = balancesOfShare(entries, bookingId);
        const id = `${count++}`;
        const made = { reversalId: `trr_${id}`, rowId: id, cents, createdAt: start };
        transfer.reversals.push(made);
        follow();
        expect(balancesOfShare(entries, bookingId)).toMatchObject({
          available,
          debts: debts + cents,
        });
      },
      'write-off'({ which: n }: { which: number }) {
        const bookingId = `b${n % prices.length}`;
        const movement = { key: `write-off:${count++}`, stripeId: null, happenedAt: start };
        const cents = -balanceOf(entries, 'debts', bookingId);
        const posting = { from: 'losses', to: 'debts', cents, ...ownedShare(bookingId) } as const;
        entries = [...entries, ...entriesOf(movement, [posting])];
      },
      'restore-backup'({ part: portion }: { part: number }) {
        const movements = [...new Set(entries.map(({ key }) => key))];
        const kept = new Set(movements.slice(0, Math.ceil(movements.length * portion)));
        entries = entries.filter(({ key }) => kept.has(key));
      },
    },
  };
};
type World = ReturnType<typeof newWorld>;

/** What was paid for a share, less what was refunded, ordered or lost of it. */
const paidFor = (entries: readonly Entry[], bookingId: string): number => {
  const isOutside = (account: Account, key: string) =>
    ['unallocated', 'due', 'card', 'disputes'].includes(account) ||
    (account === 'operator' && key.startsWith('by-hand:'));
  return entries
    .filter((entry) => entry.bookingId === bookingId)
    .reduce((sum, { from, to, cents, key }) => {
      const comes = Number(isOutside(from, key)) - Number(isOutside(to, key));
      return sum + comes * cents;
    }, 0);
};

const check = ({ model, transfers, given, entries }: World): void => {
  const posted = entries();
  given.forEach((share, n) => {
    const balances = balancesOfShare(posted, `b${n}`);
    for (const name of ['pending', 'available', 'commission', 'sending'] as const)
      expect(balances[name]).toBeGreaterThanOrEqual(0);
    expect(balances.debts).toBeLessThanOrEqual(0);
    const keptForRefund = -balances.debts - reversibleCents(posted, `b${n}`);
    expect(keptForRefund).toBeGreaterThanOrEqual(0);
    expect(keptForRefund).toBeLessThanOrEqual(balanceOf(posted, 'due', `b${n}`));
    const remains = remainsOf(posted, `b${n}`);
    expect(remains).toBeGreaterThanOrEqual(0);
    expect(balances.writtenOff).toBeGreaterThanOrEqual(0);
    if (share) expect(remains).toBe(paidFor(posted, `b${n}`));
    const released = remains - balances.pending - balances.operator;
    const fee = feeOf(released, share as Parameters<typeof feeOf>[1]);
    const isReleased = posted.some(({ key }) => key.startsWith(`release:p:b${n}:`));
    if (isReleased && share) expect(balances.commission).toBe(fee);
  });
  checkGone(
    posted,
    model.facts().shares.filter((_, n) => given[n]),
  );
  for (const id of [null, ...given.map((_, n) => `b${n}`)])
    expect(balanceOf(posted, 'due', id)).toBeGreaterThanOrEqual(0);
  expect(totalOf(posted, 'unallocated')).toBeGreaterThanOrEqual(0);
  expect(totalOf(posted, 'losses')).toBeLessThanOrEqual(0);
  const { card, bank } = model.books();
  expect(totalOf(posted, 'card')).toBe(card);
  expect(totalOf(posted, 'bank')).toBe(bank);
  const atOwners = transfers.reduce(
    (sum, { cents, reversals }) => reversals.reduce((left, one) => left - one.cents, sum + cents),
    0,
  );
  expect(totalOf(posted, 'owner')).toBe(atOwners);
  expect(new Set(posted.map(({ key, line }) => `${key} ${line}`)).size).toBe(posted.length);
};

describe('the ledger of released shares', () => {
  it(`equals Stripe's books after any history of releases, transfers and reversals (${runs} histories)`, () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9_000 }), fc.option(terms, { freq: 4 })), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.array(fc.oneof(steps, { weight: 2, arbitrary: transferSteps }), {
          maxLength: 40,
          size: 'max',
        }),
        (shares, history) => {
          const world = newWorld(
            shares.map(([cents]) => cents),
            shares.map(([, given]) => given),
          );
          world.model.apply({ kind: 'allocate' });
          for (const step of history) {
            if (step.kind in world.steps)
              (world.steps[step.kind as keyof World['steps']] as (one: unknown) => void)(step);
            else if (step.kind !== 'follow')
              world.model.apply(step as Parameters<World['model']['apply']>[0]);
            else {
              world.follow();
              check(world);
            }
          }
          world.model.noticeAll();
          world.follow();
          world.follow();
          check(world);
          expect(world.settled()).toEqual([]);
        },
      ),
      { numRuns: runs },
    );
  });
});
