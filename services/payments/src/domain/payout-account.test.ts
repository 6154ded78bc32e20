import { describe, expect, it } from '@jest/globals';
import { isSameStatus, notStarted, statusOf } from './payout-account.ts';

const document = 'individual.verification.document';
const account = (
  transfers: string,
  {
    submitted = true,
    currently_due = [] as string[],
    past_due = [] as string[],
    current_deadline = null as number | null,
  } = {},
) => ({
  details_submitted: submitted,
  capabilities: { transfers },
  requirements: { currently_due, past_due, current_deadline },
});

describe('the status of an account', () => {
  it.each([
    [
      'is incomplete until the owner has submitted the form',
      account('inactive', { submitted: false, currently_due: ['external_account'] }),
      { state: 'incomplete' },
    ],
    [
      'is in review while Stripe checks what was submitted',
      account('pending'),
      { state: 'incomplete', isInReview: true },
    ],
    [
      'needs information if Stripe could not verify the owner',
      account('inactive', { currently_due: [document], past_due: [document] }),
      { state: 'incomplete', needsInformation: true },
    ],
    ['is ready once it can receive transfers', account('active'), { state: 'ready' }],
    [
      'stays ready until the deadline of a later requirement',
      account('active', { currently_due: [document], current_deadline: 1_800_000_000 }),
      { state: 'ready', needsInformation: true, neededBy: new Date('2027-01-15T08:00:00.000Z') },
    ],
    [
      'is no longer ready when the deadline has passed',
      account('inactive', { past_due: [document], current_deadline: 1_800_000_000 }),
      { state: 'incomplete', needsInformation: true },
    ],
    [
      'is incomplete without capabilities and requirements',
      { details_submitted: false },
      { state: 'incomplete' },
    ],
  ])('%s', (_, atStripe, expected) => {
    expect(statusOf(atStripe)).toEqual({ ...notStarted, ...expected });
  });

  it.each([
    ['state', { state: 'ready' as const }],
    ['information', { needsInformation: true }],
    ['review', { isInReview: true }],
    ['deadline', { neededBy: new Date(0) }],
  ])('differs by its %s', (_, change) => {
    expect(isSameStatus({ ...notStarted, ...change }, notStarted)).toBe(false);
    expect(isSameStatus({ ...notStarted, ...change }, { ...notStarted, ...change })).toBe(true);
  });
});
