import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { advance, type Command, type Purchase, type PurchaseEvent, step } from './purchase.ts';

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
  onRequest: false,
  authorizedBy: null,
  changesBookingId: null,
};
const started: Purchase = { ...live, paymentStartedAt: at(1) };
const paid: Purchase = { ...started, status: 'paid', paidBy: 'p1' };
const ended: Purchase = { ...started, status: 'ended' };

const asking: Purchase = { ...started, onRequest: true };
const requested: Purchase = { ...asking, status: 'requested', authorizedBy: 'p1' };

const success = (
  overrides: Partial<Extract<PurchaseEvent, { type: 'PaymentSucceeded' }>> = {},
) => ({
  type: 'PaymentSucceeded' as const,
  paymentId: 'p1',
  userId: 'ray',
  amountCents: 5_000,
  ...overrides,
});
const authorized = (
  overrides: { amountCents?: number; userId?: string } = {},
  paymentId = 'p1',
) => ({ ...success({ paymentId, ...overrides }), type: 'PaymentAuthorized' as const });
const requestEnd = { transition: 'decline', by: 'owner', note: '' } as const;
const requestEnded = { type: 'RequestEnded' as const, ...requestEnd };
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
      'for an ended one its units are to be taken again',
      ended,
      success(),
      [{ do: 'retake', paymentId: 'p1' }],
    ],
    [
      'for an ended change it goes back: the booking may be another by now',
      { ...ended, changesBookingId: 'b1' },
      success(),
      [{ do: 'refund', paymentId: 'p1', reason: 'unassigned' }],
    ],
    [
      'an ended one whose units are its own again becomes bookings',
      ended,
      { type: 'UnitsRetaken', paymentId: 'p1' },
      [{ do: 'confirm', paymentId: 'p1' }],
    ],
    [
      'an ended one whose units are lost is refunded',
      ended,
      { type: 'UnitsLost', paymentId: 'p1' },
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
    ['a dead intent before the expiry frees it as well', started, failed(5), [{ do: 'free' }]],
    ['a dead intent of a paid hold does nothing', paid, failed(20), []],
    ['an authorized hold on request becomes one', asking, authorized(), [{ do: 'request' }]],
    ['one for another amount does not', asking, authorized({ amountCents: 4_999 }), []],
    ["nor by somebody else's card", asking, authorized({ userId: 'eve' }), []],
    ['nor one that nobody asked about', started, authorized(), []],
    ['an authorization that comes again changes nothing', requested, authorized(), []],
    ['one that comes too late neither', { ...asking, status: 'ended' }, authorized(), []],
    [
      'a request that is charged becomes bookings',
      requested,
      success(),
      [{ do: 'confirm', paymentId: 'p1' }],
    ],
    [
      'what is charged without the owner’s word is refunded',
      asking,
      success(),
      [{ do: 'refund', paymentId: 'p1', reason: 'unassigned' }],
    ],
    [
      'and so is what is charged once the request is over',
      { ...requested, status: 'ended' },
      success(),
      [{ do: 'refund', paymentId: 'p1', reason: 'unassigned' }],
    ],
    ['a request does not expire like a cart', requested, timePassed(99), []],
    ['nor is it given up like one', requested, { type: 'GivenUp' }, []],
    ['it ends as somebody decided', requested, requestEnded, [{ do: 'endRequest', ...requestEnd }]],
    ['once', { ...requested, status: 'ended' }, requestEnded, []],
    ['and not once it is paid', { ...requested, status: 'paid', paidBy: 'p1' }, requestEnded, []],
    [
      'a dead authorization ends it',
      requested,
      failed(20),
      [{ do: 'endRequest', transition: 'fail', by: 'system', note: '' }],
    ],
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
    kind: fc.constantFrom(
      ...(['hold', 'ask', 'start', 'pay', 'fail', 'giveUp', 'cancel'] as const),
      ...(['authorize', 'accept', 'end'] as const),
    ),
    who: fc.constantFrom(0, 1),
    payment: fc.constantFrom(0, 1),
  }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 20 }) }),
);

type Doing = typeof doings extends fc.Arbitrary<infer T> ? T : never;

/** The world in which decisions take effect: one slot, a bank, and events that may come twice. */
class World {
  minutes = 0;
  purchases: (Purchase | undefined)[] = [undefined, undefined];
  slot: number | undefined;
  recorded = new Set<string>();
  booked = new Map<string, number>();
  refunded = new Map<string, number>();
  cancelled = new Set<number>();
  /** What Stripe may capture: accepted, and neither captured nor released. */
  accepted = new Set<string>();
  released = new Set<string>();

  async do(doing: Doing): Promise<void> {
    if (doing.kind === 'wait') {
      this.minutes += doing.minutes;
      for (const who of [0, 1])
        await this.take(who, { type: 'TimePassed', now: at(this.minutes), graceMs });
      return;
    }
    const { who } = doing;
    const now = at(this.minutes);
    switch (doing.kind) {
      case 'hold':
      case 'ask':
        if (this.purchases[who] || this.slot !== undefined) return;
        this.slot = who;
        this.purchases[who] = {
          ...{ ...live, userId: `${who}`, expiresAt: at(this.minutes + 15) },
          onRequest: doing.kind === 'ask',
        };
        return;
      case 'authorize':
        if (this.released.has(`${who}-0`)) return;
        await this.take(who, authorized({ userId: `${who}` }, `${who}-0`));
        return;
      case 'accept':
        if (this.purchases[who]?.status === 'requested') this.accepted.add(`${who}-0`);
        return;
      case 'end':
        if (!this.accepted.has(`${who}-0`)) await this.take(who, requestEnded);
        return;
      case 'start':
        await this.take(who, { type: 'PaymentStarted', now });
        return;
      case 'pay':
        // A card that is only authorized is charged for who has accepted.
        if (this.purchases[who]?.onRequest && !this.accepted.has(`${who}-0`)) return;
        await this.pay(who, `${who}-${this.purchases[who]?.onRequest ? 0 : doing.payment}`);
        return;
      case 'fail':
        // Stripe cancels nothing that it has captured, and captures nothing that it has canceled.
        if (this.recorded.has(`${who}-0`) && this.purchases[who]?.onRequest) return;
        if (this.purchases[who]?.onRequest) this.accepted.delete(`${who}-0`);
        await this.take(who, { type: 'PaymentFailedForGood', now });
        return;
      case 'giveUp':
        await this.take(who, { type: 'GivenUp' });
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

  async pay(who: number, paymentId: string): Promise<void> {
    if (!this.purchases[who] || this.recorded.has(paymentId)) return;
    this.recorded.add(paymentId);
    await this.take(who, success({ paymentId, userId: `${who}` }));
  }

  async take(who: number, event: PurchaseEvent): Promise<void> {
    const purchase = this.purchases[who];
    if (!purchase) return;
    this.purchases[who] = await advance(purchase, event, {
      save: async (saved) => saved,
      carryOut: async (_, command) => this.carryOut(who, command),
    });
  }

  carryOut(who: number, command: Command): PurchaseEvent | undefined {
    if (command.do === 'free') {
      if (this.slot === who) this.slot = undefined;
      return undefined;
    }
    if (command.do === 'request') {
      if (this.slot !== who) throw new Error('Requested what was let go');
      return undefined;
    }
    if (command.do === 'endRequest') {
      if (this.slot === who) this.slot = undefined;
      this.released.add(`${who}-0`);
      return undefined;
    }
    const { paymentId } = command;
    if (command.do === 'refund') {
      this.give(paymentId, live.amountCents);
      return undefined;
    }
    if (command.do === 'retake') {
      if (this.slot !== undefined) return { type: 'UnitsLost', paymentId };
      this.slot = who;
      return { type: 'UnitsRetaken', paymentId };
    }
    if (this.slot !== who) throw new Error('Confirmed what was let go');
    this.booked.set(paymentId, (this.booked.get(paymentId) ?? 0) + 1);
    return undefined;
  }

  give(paymentId: string, cents: number): void {
    this.refunded.set(paymentId, (this.refunded.get(paymentId) ?? 0) + cents);
  }
}

describe('any interleaving of hold, pay, ask, authorize, accept, end, fail, give up, expire, cancel, twice and out of order', () => {
  it('ends each payment in one booking or one full refund, and no slot is booked twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(doings, { maxLength: 40 }), async (story) => {
        const world = new World();

        for (const doing of story) await world.do(doing);

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
            purchase?.status === 'requested' ||
            (purchase?.status === 'paid' && !world.cancelled.has(who))
          );
        });
        expect(holders).toEqual(world.slot === undefined ? [] : [world.slot]);
      }),
      { numRuns: 5_000 },
    );
  });
});
