import { describe, expect, it } from '@jest/globals';
import { balanceOf, type Entry } from './ledger.ts';
import { netDebts, rejectEntries, type StripeTransfer, transferEntries } from './transfer.ts';

const at = new Date('2026-06-01T12:00:00Z');
const share = { bookingId: 'b', ownerId: 'o' };

const entry = (key: string, from: Entry['from'], to: Entry['to'], cents: number): Entry => ({
  key,
  line: 1,
  from,
  to,
  cents,
  ...share,
  stripeId: null,
  happenedAt: at,
});
const released = [
  entry('share:p:b:1', 'unallocated', 'pending', 3000),
  entry('release:p:b:1', 'pending', 'available', 3000),
];
const sending = [...released, entry('transfer:r1', 'available', 'sending', 3000)];

const transfer = (overrides: Partial<StripeTransfer> = {}): StripeTransfer => ({
  transferId: 'tr_1',
  rowId: 'r1',
  bookingId: 'b',
  accountId: 'acct_1',
  cents: 3000,
  createdAt: at,
  reversals: [],
  ...overrides,
});

const balances = (entries: Entry[]) => ({
  available: balanceOf(entries, 'available', 'b'),
  sending: balanceOf(entries, 'sending', 'b'),
  debts: balanceOf(entries, 'debts', 'b'),
  owner: balanceOf(entries, 'owner'),
});

describe('transferEntries', () => {
  it('moves what was being sent to the owner, once', () => {
    const posted = [...sending, ...transferEntries(sending, share, transfer())];

    expect(balances(posted)).toEqual({ available: 0, sending: 0, debts: 0, owner: 3000 });
    expect(transferEntries(posted, share, transfer())).toEqual([]);
  });

  it('counts a second transfer of the same row as a debt', () => {
    const first = [...sending, ...transferEntries(sending, share, transfer())];
    const second = transfer({ transferId: 'tr_2' });

    const posted = [...first, ...transferEntries(first, share, second)];

    expect(balances(posted)).toEqual({ available: 0, sending: 0, debts: -3000, owner: 6000 });
    expect(transferEntries(posted, share, second)).toEqual([]);
    expect(transferEntries(posted, share, transfer())).toEqual([]);
  });

  it('ends what a restored backup was sending when it finds a transfer without a row', () => {
    const found = transfer({ rowId: 'lost', cents: 2000 });

    const posted = [...sending, ...transferEntries(sending, share, found)];

    expect(balances(posted)).toEqual({ available: 1000, sending: 0, debts: 0, owner: 2000 });
    expect(rejectEntries(posted, { id: 'r1', cents: 3000, ...share }, at)).toEqual([]);
  });
});

describe('netDebts', () => {
  const own = { paymentId: 'p', bookingId: 'b', cents: 500 };
  const other = { paymentId: 'q', bookingId: 'c', cents: 2000 };
  const net = (entries: Entry[], debts: (typeof own)[]) =>
    netDebts(entries, { paymentId: 'p', ...share }, { debts, happenedAt: at });

  it('pays the own debt directly, and those of other payments by netting', () => {
    const { movements, leftCents } = net(released, [own, other]);

    expect(leftCents).toBe(500);
    expect(
      movements.flatMap(({ paymentId, entries }) =>
        entries.map(({ key, line, from, to, cents, bookingId }) =>
          [paymentId, key, line, from, to, cents, bookingId].join(' '),
        ),
      ),
    ).toEqual([
      'p netting:p:b:1 1 available debts 500 b',
      'p netting:p:b:2 1 available netting 2000 b',
      'q netting:p:b:2 2 netting debts 2000 c',
    ]);
  });

  it('pays a debt in part with all that is available', () => {
    const { movements, leftCents } = net(released, [{ ...other, cents: 5000 }]);

    expect(leftCents).toBe(0);
    expect(movements.map(({ entries }) => entries[0]?.cents)).toEqual([3000, 3000]);
  });

  it('numbers the movements of a share', () => {
    const first = net(released, [own]).movements.flatMap(({ entries }) => entries);

    const { movements } = net([...released, ...first], [own]);

    expect(movements[0]?.entries[0]?.key).toBe('netting:p:b:2');
  });
});
