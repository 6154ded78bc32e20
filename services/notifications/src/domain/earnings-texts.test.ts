import { describe, expect, it } from '@jest/globals';
import type { Event } from '@lendtools/contracts';
import { bookingMoneyInWords, payoutInWords } from './earnings-texts.ts';

const ids = { paymentId: 'p', bookingId: 'b', ownerId: 'o' };
const debt = (reason: Event<'DebtIncurred'>['data']['reason']) =>
  bookingMoneyInWords(
    { type: 'DebtIncurred', data: { ...ids, debtCents: 2_700, reason } } as Event<'DebtIncurred'>,
    'Drill',
  ).message;
const paid = (by: Event<'DebtPaid'>['data']['by']) =>
  bookingMoneyInWords(
    { type: 'DebtPaid', data: { ...ids, paidCents: 1_000, by } } as Event<'DebtPaid'>,
    'Drill',
  ).message;

describe('the notice of a debt', () => {
  it.each([
    ['refund', /^\$27\.00 for Drill goes back to the renter, and you had been paid already\. /],
    ['dispute', /^The renter’s bank took \$27\.00 for Drill back after you had been paid\. /],
    ['other', /^You were paid too much: \$27\.00 for Drill\. /],
  ] as const)('says why it arose, and how it is settled: %s', (reason, why) => {
    expect(debt(reason)).toMatch(why);
    expect(debt(reason)).toMatch(
      /We take it back from your balance at Stripe .* what you earn next\.$/,
    );
  });

  it('says how it was paid', () => {
    expect([paid('reversal'), paid('netting')]).toEqual([
      '$10.00 that you owed for Drill was taken back from your balance at Stripe.',
      '$10.00 that you owed for Drill was kept from what you have earned since.',
    ]);
  });
});

describe('the notice of a payout', () => {
  const payout = {
    payoutId: 'po_1',
    ownerId: 'o',
    amountCents: 3_060,
    arrivesAt: '2026-12-04T00:00:00.000Z',
  };

  it('names the reason and the next step when the bank rejected it', () => {
    const failed = { ...payout, status: 'failed', failureCode: 'account_closed' } as const;

    expect(payoutInWords(failed).message).toBe(
      'Your bank rejected a payout of $30.60 (account closed). Please check your bank account at Stripe: then Stripe pays you again.',
    );
  });

  it('omits a reason that Stripe does not give', () => {
    const failed = { ...payout, status: 'failed', failureCode: null } as const;

    expect(payoutInWords(failed).message).toMatch(/^Your bank rejected a payout of \$30\.60\. /);
  });
});
