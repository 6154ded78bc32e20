import { describe, expect, it } from '@jest/globals';
import { answerByOf, disputeStateOf, sumDisputes } from './dispute.ts';

describe('disputeStateOf', () => {
  it.each([
    ['warning_needs_response', 'inquiry'],
    ['warning_under_review', 'inquiry'],
    ['warning_closed', 'won'],
    ['needs_response', 'open'],
    ['under_review', 'open'],
    ['appeal_under_review', 'open'],
    ['won', 'won'],
    ['prevented', 'won'],
    ['lost', 'lost'],
    ['something_new', 'open'],
  ])('maps Stripe’s status of a dispute %s to %s', (status, state) => {
    expect(disputeStateOf(status)).toBe(state);
  });
});

describe('answerByOf', () => {
  it.each([
    ['needs_response', 1_700_000_000, '2023-11-14T22:13:20.000Z'],
    ['warning_needs_response', 1_700_000_000, '2023-11-14T22:13:20.000Z'],
    ['appeal_needs_response', 1_700_000_000, '2023-11-14T22:13:20.000Z'],
    ['needs_response', 0, undefined],
    ['needs_response', null, undefined],
    ['under_review', 1_700_000_000, undefined],
    ['lost', 1_700_000_000, undefined],
  ])(
    'returns, for status %s and due time %s, the deadline for evidence %s',
    (status, dueBy, expected) => {
      expect(answerByOf(status, dueBy)?.toISOString()).toBe(expected);
    },
  );
});

describe('sumDisputes', () => {
  it('sums open and lost disputes and returns the most important state', () => {
    const sums = sumDisputes([
      { amountCents: 100, state: 'won' },
      { amountCents: 20, state: 'lost' },
      { amountCents: 3, state: 'open' },
      { amountCents: 1000, state: 'inquiry' },
    ]);

    expect(sums).toEqual({ heldCents: 3, lostCents: 20, dispute: 'open' });
  });

  it('returns zero sums for a payment without disputes', () => {
    expect(sumDisputes([])).toEqual({ heldCents: 0, lostCents: 0, dispute: null });
  });
});
