import { describe, expect, it } from '@jest/globals';
import type { Account, Entry } from './ledger.ts';
import { moneyEventsOf } from './money-events.ts';

const entry = (key: string, from: Account, to: Account, cents: number, bookingId = 'b'): Entry => ({
  key,
  line: 1,
  from,
  to,
  cents,
  bookingId,
  ownerId: 'o',
  stripeId: 'tr_1',
  happenedAt: new Date(0),
});
const ofBooking = { paymentId: 'p', bookingId: 'b', ownerId: 'o' };
const eventsOf = (...entries: Entry[]) =>
  moneyEventsOf('p', entries).map(({ type, data }) => ({ type, data }));

describe('the events of entries', () => {
  it('publishes a sent transfer once, with all of its cents', () => {
    const key = 'transfer:1:sent';
    const sent = [entry(key, 'sending', 'owner', 2_000), entry(key, 'available', 'owner', 700)];

    expect(eventsOf(entry('transfer:1', 'available', 'sending', 2_000), ...sent)).toEqual([
      { type: 'TransferSent', data: { transferId: 'tr_1', ...ofBooking, amountCents: 2_700 } },
    ]);
  });

  it.each([
    ['an ordered refund', 'order:refund:p:b:1', 'due', 'refund'],
    ['a refund without an order', 'refund:re_1', 'card', 'refund'],
    ['a refund in the dashboard', 'outside:re_1', 'card', 'refund'],
    ['a lost dispute', 'loss:du_1:1', 'disputes', 'dispute'],
    ['a transfer of too much', 'transfer:1:sent', 'owner', 'other'],
  ] as const)('publishes the debt of %s', (_, key, to, reason) => {
    expect(eventsOf(entry(key, 'debts', to, 500))).toContainEqual({
      type: 'DebtIncurred',
      data: { ...ofBooking, debtCents: 500, reason },
    });
  });

  it.each(['reversal', 'netting'] as const)('publishes a debt that is paid by %s', (by) => {
    expect(
      eventsOf(entry(`${by}:1`, by === 'netting' ? 'netting' : 'owner', 'debts', 500)),
    ).toEqual([{ type: 'DebtPaid', data: { ...ofBooking, paidCents: 500, by } }]);
  });

  it('publishes the debts of each booking', () => {
    const events = eventsOf(
      entry('outside:re_1', 'debts', 'card', 500),
      entry('outside:re_1', 'debts', 'card', 200, 'c'),
    );

    expect(events.map(({ data }) => data)).toMatchObject([
      { bookingId: 'b', debtCents: 500 },
      { bookingId: 'c', debtCents: 200 },
    ]);
  });

  it('publishes nothing of a debt that the same entries undo, or that is written off', () => {
    expect(
      eventsOf(
        entry('outside:re_1', 'debts', 'card', 500),
        entry('outside:re_1:failed', 'card', 'debts', 500),
        entry('write-off:1', 'losses', 'debts', 300),
        entry('release:p:b:1', 'pending', 'available', 900),
      ),
    ).toEqual([]);
  });
});
