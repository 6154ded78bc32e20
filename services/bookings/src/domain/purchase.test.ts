import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Command, type Purchase, type PurchaseEvent, step } from './purchase.ts';

const minute = 60_000;
const graceMs = 15 * minute;
const at = (minutes: number): Date => new Date(minutes * minute);

const live: Purchase = {
  status: 'live',
  userId: 'ray',
  amountCents: 5_000,
  expiresAt: at(15),
  paymentStartedAt: null,
  paidBy: null,
};
const started: Purchase = { ...live, paymentStartedAt: at(1) };
const paid: Purchase = { ...started, status: 'paid', paidBy: 'p1' };
const ended: Purchase = { ...started, status: 'ended' };

const success = (
  overrides: Partial<Extract<PurchaseEvent, { type: 'PaymentSucceeded' }>> = {},
) => ({
  type: 'PaymentSucceeded' as const,
  paymentId: 'p1',
  userId: 'ray',
  amountCents: 5_000,
  slotIsFree: false,
  ...overrides,
});
const timePassed = (minutes: number) => ({
  type: 'TimePassed' as const,
  now: at(minutes),
  graceMs,
});
const failed = (minutes: number) => ({ type: 'PaymentFailedForGood' as const, now: at(minutes) });

describe('step', () => {
  it.each([
    [
      'a live hold that is paid becomes bookings',
      live,
      success(),
      [{ do: 'confirm', paymentId: 'p1' }],
    ],
    [
      'an ended one too, if its slot is free',
      ended,
      success({ slotIsFree: true }),
      [{ do: 'retake', paymentId: 'p1' }],
    ],
    [
      'an ended one whose slot is lost is refunded',
      ended,
      success(),
      [{ do: 'refund', paymentId: 'p1', reason: 'slot-lost' }],
    ],
    [
      'a second payment is refunded',
      paid,
      success({ paymentId: 'p2' }),
      [{ do: 'refund', paymentId: 'p2', reason: 'unassigned' }],
    ],
    [
      'another amount is refunded',
      live,
      success({ amountCents: 4_999 }),
      [{ do: 'refund', paymentId: 'p1', reason: 'unassigned' }],
    ],
    [
      "somebody else's payment is refunded",
      live,
      success({ userId: 'eve' }),
      [{ do: 'refund', paymentId: 'p1', reason: 'unassigned' }],
    ],
    ['a hold that is given up is freed', started, { type: 'GivenUp' }, [{ do: 'free' }]],
    ['giving up a paid hold does nothing', paid, { type: 'GivenUp' }, []],
    ['giving up twice does nothing', ended, { type: 'GivenUp' }, []],
    ['a hold is kept until its expiry', live, timePassed(14.9), []],
    ['and then freed', live, timePassed(15), [{ do: 'free' }]],
    ['one with a payment under way waits for it', started, timePassed(29.9), []],
    ['but not for ever', started, timePassed(30), [{ do: 'free' }]],
    ['a paid hold never expires', paid, timePassed(99), []],
    ['an ended one is freed once', ended, timePassed(99), []],
    ['a dead intent after the expiry frees it', started, failed(15), [{ do: 'free' }]],
    ['a dead intent before the expiry leaves time for another card', started, failed(5), []],
    ['a dead intent of a paid hold does nothing', paid, failed(20), []],
  ] as [string, Purchase, PurchaseEvent, Command[]][])('%s', (_name, purchase, event, commands) => {
    expect(step(purchase, event).commands).toEqual(commands);
  });

  it('notes when the first payment started, but not of a hold that is over', () => {
    const begin = (purchase: Purchase, minutes: number) =>
      step(purchase, { type: 'PaymentStarted', now: at(minutes) }).purchase.paymentStartedAt;

    expect(begin(live, 3)).toEqual(at(3));
    expect(begin(started, 3)).toEqual(at(1));
    expect(begin(live, 15)).toBeNull();
  });
});

/** Two people want the one slot; each may start and pay twice. What the world does, in any order, any number of times. */
const doings = fc.oneof(
  fc.record({
    kind: fc.constantFrom('hold', 'start', 'pay', 'fail', 'giveUp', 'cancel' as const),
    who: fc.constantFrom(0, 1),
    payment: fc.constantFrom(0, 1),
  }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 20 }) }),
);

type Doing = typeof doings extends fc.Arbitrary<infer T> ? T : never;

/** The world around the pure step: one slot, a bank, and events that may come twice. */
class World {
  minutes = 0;
  purchases: (Purchase | undefined)[] = [undefined, undefined];
  slot: number | undefined;
  recorded = new Set<string>();
  booked = new Map<string, number>();
  refunded = new Map<string, number>();
  cancelled = new Set<number>();

  do(doing: Doing): void {
    if (doing.kind === 'wait') {
      this.minutes += doing.minutes;
      for (const who of [0, 1])
        this.take(who, { type: 'TimePassed', now: at(this.minutes), graceMs });
      return;
    }
    const { who } = doing;
    const now = at(this.minutes);
    switch (doing.kind) {
      case 'hold':
        if (this.purchases[who] || this.slot !== undefined) return;
        this.slot = who;
        this.purchases[who] = { ...live, userId: `${who}`, expiresAt: at(this.minutes + 15) };
        return;
      case 'start':
        this.take(who, { type: 'PaymentStarted', now });
        return;
      case 'pay':
        this.pay(who, `${who}-${doing.payment}`);
        return;
      case 'fail':
        this.take(who, { type: 'PaymentFailedForGood', now });
        return;
      case 'giveUp':
        this.take(who, { type: 'GivenUp' });
        return;
      case 'cancel': {
        const purchase = this.purchases[who];
        if (purchase?.status !== 'paid' || this.cancelled.has(who)) return;
        this.cancelled.add(who);
        this.give(purchase.paidBy as string, purchase.amountCents);
        this.slot = undefined;
        return;
      }
    }
  }

  pay(who: number, paymentId: string): void {
    if (!this.purchases[who] || this.recorded.has(paymentId)) return;
    this.recorded.add(paymentId);
    const slotIsFree = this.slot === undefined;
    const event = success({ paymentId, userId: `${who}`, slotIsFree });
    this.take(who, event);
  }

  take(who: number, event: PurchaseEvent): void {
    const purchase = this.purchases[who];
    if (!purchase) return;
    const next = step(purchase, event);
    this.purchases[who] = next.purchase;
    for (const command of next.commands) this.obey(who, command);
  }

  obey(who: number, command: Command): void {
    if (command.do === 'free') {
      if (this.slot === who) this.slot = undefined;
      return;
    }
    if (command.do === 'refund') {
      this.give(command.paymentId, live.amountCents);
      return;
    }
    if (command.do === 'retake' && this.slot !== undefined) throw new Error('Booked twice');
    if (command.do === 'confirm' && this.slot !== who) throw new Error('Confirmed what was let go');
    this.slot = who;
    this.booked.set(command.paymentId, (this.booked.get(command.paymentId) ?? 0) + 1);
  }

  give(paymentId: string, cents: number): void {
    this.refunded.set(paymentId, (this.refunded.get(paymentId) ?? 0) + cents);
  }
}

describe('any interleaving of hold, pay, fail, give up, expire, cancel, twice and out of order', () => {
  it('ends each payment in one booking or one full refund, and no slot is booked twice', () => {
    fc.assert(
      fc.property(fc.array(doings, { maxLength: 40 }), (story) => {
        const world = new World();

        for (const doing of story) world.do(doing);

        for (const paymentId of world.recorded) {
          const who = Number(paymentId[0]);
          const isBooked = world.booked.get(paymentId) ?? 0;
          const refunded = world.refunded.get(paymentId) ?? 0;
          const mustGoBack = isBooked === 0 || world.cancelled.has(who);
          expect(isBooked).toBeLessThanOrEqual(1);
          expect(refunded).toBe(mustGoBack ? live.amountCents : 0);
        }
        const holders = [0, 1].filter((who) => {
          const purchase = world.purchases[who];
          return (
            purchase?.status === 'live' ||
            (purchase?.status === 'paid' && !world.cancelled.has(who))
          );
        });
        expect(holders).toEqual(world.slot === undefined ? [] : [world.slot]);
      }),
      { numRuns: 5_000 },
    );
  });
});
