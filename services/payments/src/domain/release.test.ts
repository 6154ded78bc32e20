import { describe, expect, it } from '@jest/globals';
import { balanceOf, type Entry } from './ledger.ts';
import { nextReleaseAt } from './release.ts';
import { type PaymentFacts, settle } from './settle-ledger.ts';
import type { Share } from './share.ts';

const readAt = new Date('2026-06-01T12:00:00Z');
const paidAt = new Date('2026-05-01T12:00:00Z');

const share = (bookingId: string, changed: Partial<Share> = {}): Share => ({
  bookingId,
  ownerId: `owner of ${bookingId}`,
  cents: 50,
  terms: { percent: 10, fixedCents: 0 },
  releaseAt: readAt,
  ...changed,
});

const facts = (changed: Partial<PaymentFacts> = {}): PaymentFacts => ({
  paymentId: 'p',
  readAt,
  charge: { chargeId: 'ch', cents: 100, createdAt: paidAt },
  shares: [share('a'), share('b')],
  orders: [],
  fills: [],
  refunds: [],
  disputes: [],
  ...changed,
});

const isReleased = (changed: Partial<PaymentFacts>): boolean =>
  settle(facts(changed), []).some(({ key }) => key.startsWith('release:'));

const dispute = (state: 'inquiry' | 'open' | 'won') => ({
  disputeId: 'du',
  state,
  transactions: [],
});

describe('the release of shares', () => {
  it('leaves the owner what remains after the commission', () => {
    const outside = {
      refundId: 're',
      refundKey: null,
      cents: 20,
      status: 'succeeded' as const,
      isCharged: true,
      createdAt: paidAt,
    };

    const entries = settle(facts({ refunds: [outside] }), []);

    expect(
      ['a', 'b'].map((id) => [
        balanceOf(entries, 'commission', id),
        balanceOf(entries, 'available', id),
        balanceOf(entries, 'pending', id),
      ]),
    ).toEqual([
      [4, 36, 0],
      [4, 36, 0],
    ]);
  });

  it.each([
    ['before its time', { releaseAt: new Date(readAt.getTime() + 1) }],
    ['while none is named', { releaseAt: null }],
    ['without terms that were read', { terms: undefined }],
  ])('does not happen %s', (_, changed: Partial<Share>) => {
    expect(isReleased({ shares: [share('a', changed)] })).toBe(false);
  });

  it.each([
    ['a dispute at Stripe', { disputes: [dispute('open')] }],
    ['an inquiry at Stripe', { disputes: [dispute('inquiry')] }],
    ['a waived inquiry that became a dispute', { disputes: [dispute('open')], waived: ['du'] }],
    ['a stored dispute', { isContested: true }],
  ])('waits for %s', (_, changed) => {
    expect(isReleased(changed)).toBe(false);
  });

  it.each([
    ['a dispute is won', { disputes: [dispute('won')] }],
    ['an inquiry is waived', { disputes: [dispute('inquiry')], waived: ['du'] }],
  ])('happens once %s', (_, changed) => {
    expect(isReleased(changed)).toBe(true);
  });

  it('does not wait for an order that has nothing left to take', () => {
    const order = { key: 'order', bookingId: 'a', cents: 60, createdAt: paidAt };

    expect(isReleased({ orders: [order] })).toBe(true);
  });
});

describe('nextReleaseAt', () => {
  const hour = 3_600_000;
  const succeededAt = new Date(readAt.getTime() - 72 * hour);
  const entry = (from: Entry['from'], to: Entry['to']): Entry => ({
    key: `${from} to ${to}`,
    line: 1,
    from,
    to,
    cents: 50,
    bookingId: 'a',
    ownerId: 'o',
    stripeId: null,
    happenedAt: readAt,
  });
  const pending = [entry('unallocated', 'pending')];
  const released = [...pending, entry('pending', 'available')];
  const sending = [...released, entry('available', 'sending')];
  const next = (entries: Entry[], releaseAt: Date | null) => {
    const shares: Share[] = [{ bookingId: 'a', ownerId: 'o', cents: 50, releaseAt }];
    const found = nextReleaseAt({ shares, entries, readAt, succeededAt });
    return found && (found.getTime() - readAt.getTime()) / hour;
  };

  it('is the release that bookings names', () => {
    expect(next(pending, new Date(readAt.getTime() + 5 * hour))).toBe(5);
  });

  it.each([
    ['while none is named', null],
    ['after one that something stops', new Date(readAt.getTime() - hour)],
    ['before one that is far away', new Date(readAt.getTime() + 1_000 * hour)],
  ])('is when the age of the payment has doubled, %s', (_, releaseAt) => {
    expect(next(pending, releaseAt)).toBe(72);
  });

  it.each([
    ['waits for a transfer', released],
    ['is being transferred', sending],
  ])('looks again while money %s', (_, entries) => {
    expect(next(entries, new Date(0))).toBe(72);
  });

  it('is never once nothing waits', () => {
    expect(next([...sending, entry('sending', 'owner')], new Date(0))).toBeNull();
  });
});
