import { describe, expect, it } from '@jest/globals';
import { disputeStateOf, sumDisputes } from './dispute.ts';

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
  ])('%s is %s', (status, state) => {
    expect(disputeStateOf(status)).toBe(state);
  });
});

describe('sumDisputes', () => {
  it('holds what is open, has lost what is lost, and says what matters most', () => {
    const sums = sumDisputes([
      { amountCents: 100, state: 'won' },
      { amountCents: 20, state: 'lost' },
      { amountCents: 3, state: 'open' },
      { amountCents: 1000, state: 'inquiry' },
    ]);

    expect(sums).toEqual({ heldCents: 3, lostCents: 20, dispute: 'open' });
  });

  it('of none is nothing', () => {
    expect(sumDisputes([])).toEqual({ heldCents: 0, lostCents: 0, dispute: null });
  });
});
