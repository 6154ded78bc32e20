import { describe, expect, it } from '@jest/globals';
import { goneFromShares } from './gone-from-shares.ts';
import { type PaymentFacts, settle } from './settle-ledger.ts';

const at = new Date(Date.UTC(2026, 0, 1));
const shares = [
  { bookingId: 'a', ownerId: 'o1', cents: 5_000 },
  { bookingId: 'b', ownerId: 'o2', cents: 3_000 },
  { bookingId: 'c', ownerId: 'o3', cents: 2_000 },
];
const refund = { status: 'succeeded', isCharged: true, createdAt: at } as const;
const outside = (cents: number) => ({ ...refund, refundId: 're_1', refundKey: null, cents });
const dispute = (state: 'open' | 'won' | 'lost', cents: number) => ({
  disputeId: 'du_1',
  state,
  transactions: [{ transactionId: 'txn_1', cents: -cents, createdAt: at }],
});

const factsOf = (facts: Partial<PaymentFacts>): PaymentFacts => ({
  paymentId: 'p',
  readAt: at,
  charge: { chargeId: 'ch_1', cents: 10_000, createdAt: at },
  shares,
  orders: [],
  fills: [],
  refunds: [],
  disputes: [],
  ...facts,
});

/** @param before facts that were posted earlier */
const goneOf = (facts: Partial<PaymentFacts>, before?: Partial<PaymentFacts>) => {
  const posted = before ? settle(factsOf(before), []) : [];
  const entries = [...posted, ...settle(factsOf(facts), posted)];
  return goneFromShares(entries, shares).map(
    ({ bookingId, outsideCents, lostCents, heldCents }) => [
      bookingId,
      outsideCents,
      lostCents,
      heldCents,
    ],
  );
};

describe('goneFromShares', () => {
  it('is empty for a payment that nothing happened to', () => {
    expect(goneOf({})).toEqual([]);
  });

  it('divides a dashboard refund in proportion to what remains of each share', () => {
    expect(goneOf({ refunds: [outside(3_000)] })).toEqual([
      ['a', 1_500, 0, 0],
      ['b', 900, 0, 0],
      ['c', 600, 0, 0],
    ]);
  });

  it('deducts a dashboard refund first from what pays for no booking', () => {
    const charge = { chargeId: 'ch_1', cents: 12_000, createdAt: at };
    expect(goneOf({ charge, refunds: [outside(2_000)] })).toEqual([]);
  });

  it('counts a held dispute as if it were lost, and a lost one as lost', () => {
    expect(goneOf({ disputes: [dispute('open', 5_000)] })).toEqual([
      ['a', 0, 0, 2_500],
      ['b', 0, 0, 1_500],
      ['c', 0, 0, 1_000],
    ]);
    expect(goneOf({ disputes: [dispute('lost', 10_000)] })).toEqual([
      ['a', 0, 5_000, 0],
      ['b', 0, 3_000, 0],
      ['c', 0, 2_000, 0],
    ]);
  });

  it('counts what the charge did not have for a share as outside', () => {
    const charge = { chargeId: 'ch_1', cents: 9_000, createdAt: at };
    expect(goneOf({ charge })).toEqual([
      ['a', 500, 0, 0],
      ['b', 300, 0, 0],
      ['c', 200, 0, 0],
    ]);
  });

  it('counts as lost what a dispute took before bookings had used the payment', () => {
    const facts = { disputes: [dispute('lost', 4_000)], refunds: [outside(1_000)] };
    expect(goneOf(facts, { ...facts, shares: [] })).toEqual([
      ['a', 500, 2_000, 0],
      ['b', 300, 1_200, 0],
      ['c', 200, 800, 0],
    ]);
  });

  it('does not count a booking’s own refund, but what another booking’s refund took from its share', () => {
    const fill = {
      key: 'refund:p:a',
      bookingId: 'a',
      cents: 5_000,
      status: 'succeeded' as const,
      refundId: 're_2',
      createdAt: at,
    };
    const made = { ...refund, refundId: 're_2', refundKey: fill.key, cents: 5_000 };
    expect(goneOf({ fills: [fill], refunds: [made] })).toEqual([]);
    expect(goneOf({ fills: [fill], refunds: [outside(3_000), made] })).toEqual([
      ['b', 1_800, 0, 0],
      ['c', 1_200, 0, 0],
    ]);
  });
});
