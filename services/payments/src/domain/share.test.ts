import { describe, expect, it } from '@jest/globals';
import { type Account, entriesOf, type Posting } from './ledger.ts';
import {
  giveToShare,
  type KeyedPosting,
  releaseShare,
  remainsOf,
  reverseShare,
  takeFromShare,
  transferShare,
} from './share.ts';

const share = {
  bookingId: 'b',
  ownerId: 'o',
  cents: 3000,
  terms: { percent: 10, fixedCents: 0 },
};
const move = (from: Account, to: Account, cents: number): Posting => ({
  from,
  to,
  cents,
  bookingId: 'b',
  ownerId: 'o',
});
const keyed = (key: string, postings: Posting[]): KeyedPosting[] =>
  entriesOf({ key, stripeId: null, happenedAt: new Date(0) }, postings);

const funded = keyed('share:p:b:1', [move('unallocated', 'pending', 3000)]);
const released = [...funded, ...keyed('release:p:b:1', releaseShare(funded, share))];
const sending = [...released, ...keyed('transfer:t', [move('available', 'sending', 2700)])];
const transferred = [
  ...sending,
  ...keyed('transfer:t:sent', transferShare(sending, share, { cents: 2700, sendingCents: 2700 })),
];
const lost = [
  ...transferred,
  ...keyed('loss:d:1', takeFromShare(transferred, share, { cents: 3000, to: 'disputes' })),
];

describe('a share', () => {
  it('is split at its release into the fee of what remains and the owner’s part', () => {
    expect(releaseShare(funded, share)).toEqual([
      move('pending', 'commission', 300),
      move('pending', 'available', 2700),
    ]);
  });

  it('is the operator’s without terms', () => {
    expect(releaseShare(funded, { ...share, terms: null })).toEqual([
      move('pending', 'operator', 3000),
    ]);
  });

  it('pays a refund after the release from commission and owner, so that the fee of the rest is kept', () => {
    expect(takeFromShare(released, share, { cents: 1000, to: 'due' })).toEqual([
      move('commission', 'due', 100),
      move('available', 'due', 900),
    ]);
  });

  it.each([
    ['being sent', sending],
    ['transferred', transferred],
  ])('makes a refund of money that is %s the owner’s debt', (_, entries) => {
    expect(takeFromShare(entries, share, { cents: 3000, to: 'disputes' })).toEqual([
      move('commission', 'disputes', 300),
      move('debts', 'disputes', 2700),
    ]);
  });

  it('returns a won dispute to the commission and to the debt', () => {
    expect(giveToShare(lost, share, { cents: 3000, from: 'disputes' })).toEqual([
      move('disputes', 'commission', 300),
      move('disputes', 'debts', 2700),
    ]);
  });

  it('returns a won dispute to `available` if a reversal has paid the debt', () => {
    const reversed = [...lost, ...keyed('reversal:r', reverseShare(lost, share, 2700))];

    expect(remainsOf(reversed, 'b')).toBe(0);
    expect(giveToShare(reversed, share, { cents: 3000, from: 'disputes' })).toEqual([
      move('disputes', 'commission', 300),
      move('disputes', 'available', 2700),
    ]);
  });

  it('returns to the operator what was written off, before the owner gets anything', () => {
    const writtenOff = [...lost, ...keyed('write-off:w', [move('losses', 'debts', 2700)])];

    expect(remainsOf(writtenOff, 'b')).toBe(0);
    expect(giveToShare(writtenOff, share, { cents: 3000, from: 'disputes' })).toEqual([
      move('disputes', 'commission', 300),
      move('disputes', 'debts', 2700),
      move('debts', 'losses', 2700),
    ]);
  });

  it('returns a reversal to the operator if the debt was written off, and the rest to the owner', () => {
    const refunded = [
      ...transferred,
      ...keyed('outside:r', takeFromShare(transferred, share, { cents: 1000, to: 'card' })),
      ...keyed('write-off:w', [move('losses', 'debts', 400)]),
    ];

    expect(reverseShare(refunded, share, 2700)).toEqual([
      move('owner', 'debts', 900),
      move('debts', 'losses', 400),
      move('owner', 'available', 1800),
    ]);
  });

  it('takes a transfer that the ledger lacks from the owner’s part, and the rest as a debt', () => {
    expect(transferShare(released, share, { cents: 3000, sendingCents: 0 })).toEqual([
      move('sending', 'owner', 0),
      move('available', 'owner', 2700),
      move('debts', 'owner', 300),
      move('sending', 'available', 0),
    ]);
  });
});
