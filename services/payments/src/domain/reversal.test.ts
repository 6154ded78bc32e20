import { describe, expect, it } from '@jest/globals';
import type { Account } from './ledger.ts';
import { reversibleCents } from './reversal.ts';

const move = (from: Account, to: Account, cents: number, bookingId = 'b') => ({
  from,
  to,
  cents,
  bookingId,
  ownerId: 'o',
});
const paid = move('available', 'owner', 2_700);

describe('reversibleCents', () => {
  it('is nothing without a debt', () => {
    expect(reversibleCents([paid], 'b')).toBe(0);
  });

  it('is nothing before the ordered refund is made', () => {
    const ordered = [paid, move('commission', 'due', 300), move('debts', 'due', 2_700)];

    expect(reversibleCents(ordered, 'b')).toBe(0);
    expect(reversibleCents([...ordered, move('due', 'card', 3_000)], 'b')).toBe(2_700);
  });

  it('is the made part of several refunds', () => {
    const entries = [
      paid,
      move('debts', 'due', 1_000),
      move('due', 'card', 1_000),
      move('debts', 'due', 400),
    ];

    expect(reversibleCents(entries, 'b')).toBe(1_000);
  });

  it('is a refund in the dashboard or a lost dispute at once, beside a refund that waits', () => {
    const entries = [
      paid,
      move('debts', 'card', 200),
      move('debts', 'disputes', 500),
      move('debts', 'due', 400),
    ];

    expect(reversibleCents(entries, 'b')).toBe(700);
  });

  it('is what reversals and other bookings have not paid', () => {
    const entries = [
      paid,
      move('debts', 'card', 900),
      move('owner', 'debts', 300),
      move('netting', 'debts', 100),
    ];

    expect(reversibleCents(entries, 'b')).toBe(500);
  });

  it('does not count the refund of another booking', () => {
    const entries = [paid, move('debts', 'card', 900), move('debts', 'due', 400, 'c')];

    expect(reversibleCents(entries, 'b')).toBe(900);
  });
});
