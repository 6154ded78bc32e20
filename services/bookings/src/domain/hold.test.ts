import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { advance, type Command, type Hold, type HoldEvent, step } from './hold.ts';

const minute = 60_000;
const graceMs = 15 * minute;
const at = (minutes: number): Date => new Date(minutes * minute);

const live: Hold = {
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
const started: Hold = { ...live, paymentStartedAt: at(1) };
const paid: Hold = { ...started, status: 'paid', paidBy: 'p1' };
const ended: Hold = { ...started, status: 'ended' };

const startedOnRequest: Hold = { ...started, onRequest: true };
const requested: Hold = { ...startedOnRequest, status: 'requested', authorizedBy: 'p1' };

const success = (overrides: Partial<Extract<HoldEvent, { type: 'PaymentSucceeded' }>> = {}) => ({
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
const declined = { transition: 'decline', by: 'owner', note: '' } as const;
const approvalEnded = { type: 'ApprovalEnded' as const, ...declined };
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
    [
      'requests an authorized hold on request',
      startedOnRequest,
      authorized(),
      [{ do: 'requestApproval' }],
    ],
    [
      'ignores an authorization of a different amount',
      startedOnRequest,
      authorized({ amountCents: 4_999 }),
      [],
    ],
    [
      'ignores an authorization by another user',
      startedOnRequest,
      authorized({ userId: 'eve' }),
      [],
    ],
    ['ignores an authorization of a hold that is not on request', started, authorized(), []],
    ['ignores a duplicate authorization', requested, authorized(), []],
    [
      'ignores an authorization of an ended hold',
      { ...startedOnRequest, status: 'ended' },
      authorized(),
      [],
    ],
    [
      'confirms the bookings of a request that is charged',
      requested,
      success(),
      [{ do: 'confirm', paymentId: 'p1' }],
    ],
    [
      'refunds a charge that the owner did not accept',
      startedOnRequest,
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
    ['ends a request', requested, approvalEnded, [{ do: 'endApproval', ...declined }]],
    ['does not end a request twice', { ...requested, status: 'ended' }, approvalEnded, []],
    [
      'does not end a request that is paid',
      { ...requested, status: 'paid', paidBy: 'p1' },
      approvalEnded,
      [],
    ],
    [
      'fails a request whose authorization is lost',
      requested,
      failed(20),
      [{ do: 'endApproval', transition: 'fail', by: 'system', note: '' }],
    ],
  ] as [string, Hold, HoldEvent, Command[]][])('%s', (_name, hold, event, commands) => {
    expect(step(hold, event).commands).toEqual(commands);
  });

  it('records when the first payment of a hold started, unless the hold has expired', () => {
    const begin = (hold: Hold, minutes: number) =>
      step(hold, { type: 'PaymentStarted', now: at(minutes) }).hold.paymentStartedAt;

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

/** A model of the tables and of Stripe, with a single slot. It may deliver the same event twice. */
class World {
  minutes = 0;
  holds: (Hold | undefined)[] = [undefined, undefined];
  slot: number | undefined;
  recorded = new Set<string>();
  booked = new Map<string, number>();
  refunded = new Map<string, number>();
  cancelled = new Set<number>();
  /** The payments that Stripe may capture: the owner has accepted the request, and the card is not released. */
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
        if (this.holds[who] || this.slot !== undefined) return;
        this.slot = who;
        this.holds[who] = {
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
        if (this.holds[who]?.status === 'requested') this.accepted.add(`${who}-0`);
        return;
      case 'end':
        if (!this.accepted.has(`${who}-0`)) await this.take(who, approvalEnded);
        return;
      case 'start':
        await this.take(who, { type: 'PaymentStarted', now });
        return;
      case 'pay':
        // An authorized card is charged only after the owner has accepted.
        if (this.holds[who]?.onRequest && !this.accepted.has(`${who}-0`)) return;
        await this.pay(who, `${who}-${this.holds[who]?.onRequest ? 0 : action.payment}`);
        return;
      case 'fail':
        // Stripe neither cancels a captured intent nor captures a canceled one.
        if (this.recorded.has(`${who}-0`) && this.holds[who]?.onRequest) return;
        if (this.holds[who]?.onRequest) this.accepted.delete(`${who}-0`);
        await this.take(who, { type: 'PaymentFailedForGood', now });
        return;
      case 'giveUp':
        await this.take(who, { type: 'GivenUp' });
        return;
      case 'cancel': {
        const hold = this.holds[who];
        if (hold?.status !== 'paid' || this.cancelled.has(who)) return;
        this.cancelled.add(who);
        this.refund(hold.paidBy as string, hold.amountCents);
        this.slot = undefined;
        return;
      }
    }
  }

  async pay(who: number, paymentId: string): Promise<void> {
    if (!this.holds[who] || this.recorded.has(paymentId)) return;
    this.recorded.add(paymentId);
    await this.take(who, success({ paymentId, userId: `${who}` }));
  }

  async take(who: number, event: HoldEvent): Promise<void> {
    const hold = this.holds[who];
    if (!hold) return;
    this.holds[who] = await advance(hold, event, {
      save: async (saved) => saved,
      carryOut: async (_, command) => this.carryOut(who, command),
    });
  }

  carryOut(who: number, command: Command): HoldEvent | undefined {
    if (command.do === 'free') {
      if (this.slot === who) this.slot = undefined;
      return undefined;
    }
    if (command.do === 'requestApproval') {
      if (this.slot !== who) throw new Error('Requested a slot that was released');
      return undefined;
    }
    if (command.do === 'endApproval') {
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
          const hold = world.holds[who];
          return (
            hold?.status === 'live' ||
            hold?.status === 'requested' ||
            (hold?.status === 'paid' && !world.cancelled.has(who))
          );
        });
        expect(holders).toEqual(world.slot === undefined ? [] : [world.slot]);
      }),
      { numRuns: 5_000 },
    );
  });
});
