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
      'confirms the bookings of a live hold that is paid',
      live,
      success(),
      [{ do: 'confirm', paymentId: 'p1' }],
    ],
    [
      'retakes the units of an ended hold that is paid',
      ended,
      success(),
      [{ do: 'retake', paymentId: 'p1' }],
    ],
    [
      'refunds a payment for an ended change, since its booking may have changed meanwhile',
      { ...ended, changesBookingId: 'b1' },
      success(),
      [{ do: 'refund', paymentId: 'p1', reason: 'unassigned' }],
    ],
    [
      'confirms the bookings of an ended hold whose units are retaken',
      ended,
      { type: 'UnitsRetaken', paymentId: 'p1' },
      [{ do: 'confirm', paymentId: 'p1' }],
    ],
    [
      'refunds a payment for an ended hold whose units are taken',
      ended,
      { type: 'UnitsLost', paymentId: 'p1' },
      [{ do: 'refund', paymentId: 'p1', reason: 'slot-lost' }],
    ],
    [
      'refunds a second payment',
      paid,
      success({ paymentId: 'p2' }),
      [{ do: 'refund', paymentId: 'p2', reason: 'unassigned' }],
    ],
    [
      'refunds a payment of a different amount',
      live,
      success({ amountCents: 4_999 }),
      [{ do: 'refund', paymentId: 'p1', reason: 'unassigned' }],
    ],
    [
      'refunds a payment by another user',
      live,
      success({ userId: 'eve' }),
      [{ do: 'refund', paymentId: 'p1', reason: 'unassigned' }],
    ],
    ['frees a hold that is given up', started, { type: 'GivenUp' }, [{ do: 'free' }]],
    ['ignores the giving up of a paid hold', paid, { type: 'GivenUp' }, []],
    ['ignores the giving up of an ended hold', ended, { type: 'GivenUp' }, []],
    ['keeps a hold until its expiry', live, timePassed(14.9), []],
    ['frees an expired hold', live, timePassed(15), [{ do: 'free' }]],
    ['waits for a started payment after the expiry', started, timePassed(29.9), []],
    [
      'frees a hold after the grace period of its payment',
      started,
      timePassed(30),
      [{ do: 'free' }],
    ],
    ['never expires a paid hold', paid, timePassed(99), []],
    ['does not free an ended hold again', ended, timePassed(99), []],
    ['frees a hold whose intent fails after the expiry', started, failed(15), [{ do: 'free' }]],
    ['frees a hold whose intent fails before the expiry', started, failed(5), [{ do: 'free' }]],
    ['ignores a failed intent of a paid hold', paid, failed(20), []],
    ['requests an authorized hold on request', asking, authorized(), [{ do: 'request' }]],
    [
      'ignores an authorization of a different amount',
      asking,
      authorized({ amountCents: 4_999 }),
      [],
    ],
    ['ignores an authorization by another user', asking, authorized({ userId: 'eve' }), []],
    ['ignores an authorization of a hold that is not on request', started, authorized(), []],
    ['ignores a duplicate authorization', requested, authorized(), []],
    ['ignores an authorization of an ended hold', { ...asking, status: 'ended' }, authorized(), []],
    [
      'confirms the bookings of a request that is charged',
      requested,
      success(),
      [{ do: 'confirm', paymentId: 'p1' }],
    ],
    [
      'refunds a charge that the owner did not accept',
      asking,
      success(),
      [{ do: 'refund', paymentId: 'p1', reason: 'unassigned' }],
    ],
    [
      'refunds a charge after the request has ended',
      { ...requested, status: 'ended' },
      success(),
      [{ do: 'refund', paymentId: 'p1', reason: 'unassigned' }],
    ],
    ['does not expire a request like a cart', requested, timePassed(99), []],
    ['does not give up a request like a cart', requested, { type: 'GivenUp' }, []],
    ['ends a request', requested, requestEnded, [{ do: 'endRequest', ...requestEnd }]],
    ['does not end a request twice', { ...requested, status: 'ended' }, requestEnded, []],
    [
      'does not end a request that is paid',
      { ...requested, status: 'paid', paidBy: 'p1' },
      requestEnded,
      [],
    ],
    [
      'fails a request whose authorization is lost',
      requested,
      failed(20),
      [{ do: 'endRequest', transition: 'fail', by: 'system', note: '' }],
    ],
  ] as [string, Purchase, PurchaseEvent, Command[]][])('%s', (_name, purchase, event, commands) => {
    expect(step(purchase, event).commands).toEqual(commands);
  });

  it('records when the first payment of a hold started, unless the hold has expired', () => {
    const begin = (purchase: Purchase, minutes: number) =>
      step(purchase, { type: 'PaymentStarted', now: at(minutes) }).purchase.paymentStartedAt;

    expect(begin(live, 3)).toEqual(at(3));
    expect(begin(started, 3)).toEqual(at(1));
    expect(begin(live, 15)).toBeNull();
  });
});

/** Actions of two renters who compete for one slot, in any order. Each may start and pay two payments. */
const actions = fc.oneof(
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

type Action = typeof actions extends fc.Arbitrary<infer T> ? T : never;

/** A model of the tables and of Stripe, with a single slot. Events may be duplicates. */
class World {
  minutes = 0;
  purchases: (Purchase | undefined)[] = [undefined, undefined];
  slot: number | undefined;
  recorded = new Set<string>();
  booked = new Map<string, number>();
  refunded = new Map<string, number>();
  cancelled = new Set<number>();
  /** The payments that Stripe may capture: accepted by the owner, not released. */
  accepted = new Set<string>();
  released = new Set<string>();

  async do(action: Action): Promise<void> {
    if (action.kind === 'wait') {
      this.minutes += action.minutes;
      for (const who of [0, 1])
        await this.take(who, { type: 'TimePassed', now: at(this.minutes), graceMs });
      return;
    }
    const { who } = action;
    const now = at(this.minutes);
    switch (action.kind) {
      case 'hold':
      case 'ask':
        if (this.purchases[who] || this.slot !== undefined) return;
        this.slot = who;
        this.purchases[who] = {
          ...live,
          userId: `${who}`,
          expiresAt: at(this.minutes + 15),
          onRequest: action.kind === 'ask',
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
        // An authorized card is charged only after the owner has accepted.
        if (this.purchases[who]?.onRequest && !this.accepted.has(`${who}-0`)) return;
        await this.pay(who, `${who}-${this.purchases[who]?.onRequest ? 0 : action.payment}`);
        return;
      case 'fail':
        // Stripe neither cancels a captured intent nor captures a canceled one.
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
        this.refund(purchase.paidBy as string, purchase.amountCents);
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
      if (this.slot !== who) throw new Error('Requested a slot that was released');
      return undefined;
    }
    if (command.do === 'endRequest') {
      if (this.slot === who) this.slot = undefined;
      this.released.add(`${who}-0`);
      return undefined;
    }
    const { paymentId } = command;
    if (command.do === 'refund') {
      this.refund(paymentId, live.amountCents);
      return undefined;
    }
    if (command.do === 'retake') {
      if (this.slot !== undefined) return { type: 'UnitsLost', paymentId };
      this.slot = who;
      return { type: 'UnitsRetaken', paymentId };
    }
    if (this.slot !== who) throw new Error('Confirmed a slot that was released');
    this.booked.set(paymentId, (this.booked.get(paymentId) ?? 0) + 1);
    return undefined;
  }

  refund(paymentId: string, cents: number): void {
    this.refunded.set(paymentId, (this.refunded.get(paymentId) ?? 0) + cents);
  }
}

describe('any interleaving of holds, payments, requests, answers, failures, expiry and cancellations', () => {
  it('turns each payment into one booking or one full refund, and never double-books the slot', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(actions, { maxLength: 40 }), async (story) => {
        const world = new World();

        for (const action of story) await world.do(action);

        for (const paymentId of world.recorded) {
          const who = Number(paymentId[0]);
          const bookedCount = world.booked.get(paymentId) ?? 0;
          const refunded = world.refunded.get(paymentId) ?? 0;
          const mustBeRefunded = bookedCount === 0 || world.cancelled.has(who);
          expect(bookedCount).toBeLessThanOrEqual(1);
          expect(refunded).toBe(mustBeRefunded ? live.amountCents : 0);
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
