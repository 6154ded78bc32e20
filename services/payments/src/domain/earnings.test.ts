import { describe, expect, it } from '@jest/globals';
import {
  type EarningBalances,
  earnedMoneyOf,
  nextTransferOf,
  type PayoutConditions,
  waitOf,
} from './earnings.ts';

const tenPercent = { percent: 10, fixedCents: 0 };

const balances = (overrides: Partial<EarningBalances> = {}): EarningBalances => ({
  paidCents: 4_000,
  availableCents: 0,
  commissionCents: 0,
  transferredCents: 0,
  nettedCents: 0,
  operatorCents: 0,
  debtCents: 0,
  writtenOffCents: 0,
  pending: [],
  ...overrides,
});

const share = (pendingCents: number, overrides = {}) => ({
  pendingCents,
  releasedCents: 0,
  commissionCents: 0,
  isFirst: true,
  ...overrides,
});

describe('earnedMoneyOf', () => {
  it('subtracts the commission that the release will charge', () => {
    const money = earnedMoneyOf(balances({ pending: [share(4_000)] }), tenPercent);

    expect(money).toMatchObject({
      refundedCents: 0,
      commissionCents: 400,
      earnedCents: 3_600,
      onTheWayCents: 3_600,
    });
  });

  it('charges the fixed part for the first share only', () => {
    const pending = [share(3_000), share(1_000, { isFirst: false })];

    const money = earnedMoneyOf(balances({ pending }), { percent: 10, fixedCents: 50 });

    expect(money).toMatchObject({ commissionCents: 450, onTheWayCents: 3_550 });
  });

  it('charges for the rest of a share that was released in part', () => {
    const rest = share(1_005, { releasedCents: 2_995, commissionCents: 299 });
    const released = { commissionCents: 299, transferredCents: 2_696 };

    const money = earnedMoneyOf(balances({ ...released, pending: [rest] }), tenPercent);

    expect(money).toMatchObject({ commissionCents: 400, onTheWayCents: 904, earnedCents: 3_600 });
  });

  it('counts what is missing as refunded', () => {
    const money = earnedMoneyOf(balances({ pending: [share(3_000)] }), tenPercent);

    expect(money).toMatchObject({ refundedCents: 1_000, earnedCents: 2_700 });
  });

  it('leaves everything of a booking without terms to the operator', () => {
    const money = earnedMoneyOf(balances({ operatorCents: 1_000, pending: [share(3_000)] }), null);

    expect(money).toMatchObject({
      outsideStripeCents: 4_000,
      onTheWayCents: 0,
      commissionCents: 0,
      earnedCents: 4_000,
    });
  });

  it('counts a written-off debt as earned, and its refund as refunded', () => {
    const written = { transferredCents: 3_600, writtenOffCents: 3_600 };

    const money = earnedMoneyOf(balances(written), tenPercent);

    expect(money).toMatchObject({ refundedCents: 4_000, earnedCents: 3_600, debtCents: 0 });
  });
});

const now = new Date('2026-11-27T12:00:00Z');
const later = new Date('2026-11-29T12:00:00Z');
const earlier = new Date('2026-11-26T12:00:00Z');

const conditions = (overrides: Partial<PayoutConditions> = {}): PayoutConditions => ({
  booking: { waitsFor: 'release', releaseAt: earlier },
  isDisputed: false,
  isReturned: false,
  account: { state: 'ready', isHeld: false },
  retryAt: null,
  now,
  ...overrides,
});

describe('waitOf', () => {
  const onTheWay = { onTheWayCents: 3_600, availableCents: 0 };
  const available = { onTheWayCents: 0, availableCents: 3_600 };

  it.each([
    ['the rental', { booking: { waitsFor: 'rental', releaseAt: later } }, 'rental', later],
    ['a problem', { booking: { waitsFor: 'problem', releaseAt: null } }, 'problem', null],
    ['the release', { booking: { waitsFor: 'release', releaseAt: later } }, 'release', later],
    [
      'a bank',
      { isDisputed: true, account: { state: 'incomplete', isHeld: true } },
      'dispute',
      null,
    ],
    ['an admin', { account: { state: 'incomplete', isHeld: true } }, 'hold', null],
    ['an admin after a dashboard reversal', { isReturned: true }, 'hold', null],
    ['the account', { account: { state: 'incomplete', isHeld: false } }, 'account', null],
    ['us', {}, 'transfer', now],
    ['the next try', { retryAt: later }, 'transfer', later],
    ['us if the next try is due', { retryAt: earlier }, 'transfer', now],
  ] as [string, Partial<PayoutConditions>, string, Date | null][])(
    'waits for %s',
    (_, given, waitsFor, expectedAt) => {
      expect(waitOf(onTheWay, conditions(given))).toEqual({ waitsFor, expectedAt });
    },
  );

  it('ignores the rental once the money is released', () => {
    const booking = { waitsFor: 'problem' as const, releaseAt: null };

    expect(waitOf(available, conditions({ booking }))?.waitsFor).toBe('transfer');
  });

  it('waits for nothing without money', () => {
    expect(waitOf({ onTheWayCents: 0, availableCents: 0 }, conditions())).toBeNull();
  });
});

describe('nextTransferOf', () => {
  it('adds up what is expected first', () => {
    const waits = [
      { waitsFor: 'rental' as const, expectedAt: later, cents: 100 },
      { waitsFor: 'transfer' as const, expectedAt: now, cents: 20 },
      { waitsFor: 'transfer' as const, expectedAt: new Date(now), cents: 3 },
      { waitsFor: 'problem' as const, expectedAt: null, cents: 1_000 },
    ];

    expect(nextTransferOf(waits)).toEqual({ at: now, cents: 23 });
  });

  it('is null if no date is known', () => {
    expect(nextTransferOf([{ waitsFor: 'problem', expectedAt: null, cents: 1 }])).toBeNull();
  });
});
