import { describe, expect, it } from '@jest/globals';
import { deduct, restore, type UnsentRefunds } from './deduct.ts';
import { type Account, balanceOf, type Posting } from './ledger.ts';

const [a, b, c] = ['a', 'b', 'c'].map((bookingId) => ({
  bookingId,
  ownerId: `owner of ${bookingId}`,
  cents: 0,
})) as [Share, Share, Share];
type Share = { bookingId: string; ownerId: string; cents: number };
const shares = [c, a, b];

const move = (from: Account, to: Account, cents: number, share?: Share): Posting => ({
  from,
  to,
  cents,
  bookingId: share?.bookingId ?? null,
  ownerId: share?.ownerId ?? null,
});

/** A payment with shares of $50, $30 and $20, and so much that is not part of a share. */
const paid = (unallocated = 0): Posting[] => [
  move('card', 'unallocated', 100 + unallocated),
  move('unallocated', 'pending', 50, a),
  move('unallocated', 'pending', 30, b),
  move('unallocated', 'pending', 20, c),
];

const deducted = (
  entries: Posting[],
  cents: number,
  { unsent = [], to = 'card' }: { unsent?: UnsentRefunds[]; to?: Account } = {},
) => deduct(entries, { cents, to, shares, unsent });

describe('deduct', () => {
  it('takes what is not part of a share first', () => {
    expect(deducted(paid(40), 30)).toEqual([move('unallocated', 'card', 30)]);
  });

  it('then takes from the shares in proportion to what remains of them, ordered by booking', () => {
    expect(deducted(paid(40), 70)).toEqual([
      move('unallocated', 'card', 40),
      move('pending', 'card', 15, a),
      move('pending', 'card', 9, b),
      move('pending', 'card', 6, c),
    ]);
  });

  it('counts what remains of a share, not its price', () => {
    const entries = [...paid(), move('pending', 'due', 50, a)];

    expect(deducted(entries, 25)).toEqual([
      move('pending', 'card', 15, b),
      move('pending', 'card', 10, c),
    ]);
  });

  it('takes nothing from a share that was refunded, and whose debt was written off', () => {
    const entries = [
      ...paid(),
      move('pending', 'available', 50, a),
      move('available', 'owner', 50, a),
      move('debts', 'card', 50, a),
      move('losses', 'debts', 50, a),
    ];

    expect(deducted(entries, 25)).toEqual([
      move('pending', 'card', 15, b),
      move('pending', 'card', 10, c),
    ]);
  });

  it('gives the cent that does not divide to the largest remainder', () => {
    expect(deducted(paid(), 1)).toEqual([move('pending', 'card', 1, a)]);
    expect(deducted(paid(), 3)).toEqual([
      move('pending', 'card', 1, a),
      move('pending', 'card', 1, b),
      move('pending', 'card', 1, c),
    ]);
  });

  it('takes from ordered refunds only once the shares are empty, from the newest unsent one first', () => {
    const entries = [...paid(), move('pending', 'due', 50, a), move('pending', 'due', 30, b)];
    const unsent = [
      { bookingId: 'b', sentCents: 0 },
      { bookingId: 'a', sentCents: 0 },
    ];

    expect(deducted(entries, 60, { unsent })).toEqual([
      move('pending', 'card', 20, c),
      move('due', 'card', 30, b),
      move('due', 'card', 10, a),
    ]);
  });

  it('takes from a refund of no booking', () => {
    const entries = [...paid(40), move('unallocated', 'due', 40)];
    const unsent = [{ bookingId: null, sentCents: 0 }];

    expect(deducted(entries, 110, { unsent }).at(-1)).toEqual(move('due', 'card', 10));
  });

  it('leaves a refund that Stripe has, and takes the rest as a loss', () => {
    const entries = [...paid(), move('pending', 'due', 50, a)];
    const unsent = [{ bookingId: 'a', sentCents: 45 }];

    expect(deducted(entries, 60, { unsent, to: 'disputes' })).toEqual([
      move('pending', 'disputes', 30, b),
      move('pending', 'disputes', 20, c),
      move('due', 'disputes', 5, a),
      move('losses', 'disputes', 5),
    ]);
  });

  it('takes a payment of which nothing is left as a loss', () => {
    expect(deducted([], 10)).toEqual([move('losses', 'card', 10)]);
  });

  it('takes nothing for 0 cents', () => {
    expect(deducted(paid(40), 0)).toEqual([]);
  });
});

describe('restore', () => {
  const restored = (entries: Posting[], cents: number, from: Account = 'card') =>
    restore(entries, { cents, from, shares, entries });

  it('returns each account what was taken from it', () => {
    expect(restored(deducted(paid(40), 70), 70)).toEqual([
      move('card', 'pending', 15, a),
      move('card', 'pending', 9, b),
      move('card', 'pending', 6, c),
      move('card', 'unallocated', 40),
    ]);
  });

  it("returns what was taken from a booking's refund to its share", () => {
    expect(restored([move('due', 'card', 30, b)], 30)).toEqual([move('card', 'pending', 30, b)]);
  });

  it('returns what was taken from a refund of no booking to what is not part of a share', () => {
    expect(restored([move('due', 'card', 30)], 30)).toEqual([move('card', 'unallocated', 30)]);
  });

  it('returns a part in reverse order: losses, shares in proportion, then the rest', () => {
    const lost = [
      move('unallocated', 'disputes', 10),
      move('pending', 'disputes', 20, a),
      move('pending', 'disputes', 10, b),
      move('losses', 'disputes', 5),
    ];

    expect(restored(lost, 5, 'disputes')).toEqual([move('disputes', 'losses', 5)]);
    expect(restored(lost, 20, 'disputes')).toEqual([
      move('disputes', 'losses', 5),
      move('disputes', 'pending', 10, a),
      move('disputes', 'pending', 5, b),
    ]);
  });

  it('returns nothing twice', () => {
    const lost = [move('pending', 'disputes', 20, a), move('losses', 'disputes', 5)];
    const back = restored(lost, 15, 'disputes');

    expect(restored([...lost, ...back], 10, 'disputes')).toEqual([
      move('disputes', 'pending', 10, a),
    ]);
  });

  it('restores the balances of before', () => {
    const before = [...paid(7), move('pending', 'due', 50, a)];
    const taken = deducted(before, 80, { unsent: [{ bookingId: 'a', sentCents: 0 }] });
    const after = [...before, ...taken, ...restored(taken, 80)];

    for (const account of ['unallocated', 'losses', 'card'] as const)
      expect(balanceOf(after, account)).toBe(balanceOf(before, account));
    for (const share of shares) {
      const remains = (entries: Posting[]) =>
        balanceOf(entries, 'pending', share.bookingId) + balanceOf(entries, 'due', share.bookingId);
      expect(remains(after)).toBe(remains(before));
    }
  });
});
