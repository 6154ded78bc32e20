import { describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { payoutChangeInWords } from './payout-texts.ts';

type Changed = EventData<'PayoutAccountChanged'>;

const change = (before: Partial<Changed['before']>, now: Partial<Changed>): Changed => ({
  ownerId: '0197a000-0000-7000-8000-000000000000',
  state: 'incomplete',
  needsInformation: false,
  isInReview: false,
  neededBy: null,
  before: { state: 'incomplete', needsInformation: false, ...before },
  ...now,
});
const document = { needsInformation: true };

describe('the notice of a changed account', () => {
  it.each<[string, Changed, RegExp]>([
    ['is ready', change({}, { state: 'ready' }), /Payouts are set up/],
    ['needs more to become ready', change({}, document), /before you can be paid/],
    ['is paused', change({ state: 'ready' }, document), /payouts are paused/],
    [
      'needs more by a day',
      change(
        { state: 'ready' },
        { ...document, state: 'ready', neededBy: '2026-12-04T12:00:00.000Z' },
      ),
      /by Fri, Dec 4 to keep/,
    ],
    [
      'needs more without a deadline',
      change({ state: 'ready' }, { ...document, state: 'ready' }),
      /soon to keep/,
    ],
    ['was closed', change({ state: 'ready' }, { state: 'not-started' }), /was closed/],
  ])('reports an account that %s', (_, data, words) => {
    expect(payoutChangeInWords(data)?.message).toMatch(words);
  });

  it.each<[string, Changed]>([
    ['was just created', change({ state: 'not-started' }, {})],
    ['is in review', change({}, { isInReview: true })],
    ['still needs the same', change(document, document)],
    [
      'has a new deadline',
      change({ state: 'ready', ...document }, { ...document, state: 'ready' }),
    ],
    ['got what it needed while ready', change({ state: 'ready', ...document }, { state: 'ready' })],
  ])('does not report an account that %s', (_, data) => {
    expect(payoutChangeInWords(data)).toBeUndefined();
  });
});
