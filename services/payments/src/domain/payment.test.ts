import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  completeRefund,
  ImpossibleTransition,
  type Observation,
  observe,
  type Payment,
  type PaymentState,
  RefundTooLarge,
  reserveRefund,
  revokeRefund,
  transitions,
} from './payment.ts';

const now = new Date('2026-11-21T15:00:00Z');
const sums = { succeededAt: now, reservedCents: 0, refundedCents: 0 };
const states: Record<PaymentState['status'], PaymentState> = {
  pending: { status: 'pending' },
  failed: { status: 'failed', failure: 'Your card was declined.' },
  canceled: { status: 'canceled' },
  succeeded: { status: 'succeeded', ...sums },
  refunded: { status: 'refunded', succeededAt: now, reservedCents: 4200, refundedCents: 4200 },
};
const observations: Record<Observation['kind'], Observation> = {
  open: { kind: 'open' },
  declined: { kind: 'declined', failure: 'Your card has expired.' },
  succeeded: { kind: 'succeeded', receivedCents: 4200, currency: 'usd' },
  canceled: { kind: 'canceled' },
};

const buildPayment = (state: PaymentState = states.pending): Payment => ({
  id: 'p1',
  userId: 'u1',
  holdId: 'h1',
  amountCents: 4200,
  version: 1,
  state,
});

const pairs = Object.entries(transitions).flatMap(([status, row]) =>
  Object.entries(row).map(([kind, effect]) => ({ status, kind, effect })),
) as { status: PaymentState['status']; kind: Observation['kind']; effect: string }[];

describe('a payment that hears of its intent', () => {
  it.each(pairs.filter((pair) => pair.effect === 'impossible'))(
    '$status → $kind cannot be',
    ({ status, kind }) => {
      const act = () => observe(buildPayment(states[status]), observations[kind], now);

      expect(act).toThrow(ImpossibleTransition);
    },
  );

  it.each(pairs.filter((pair) => pair.effect === 'keep'))(
    '$status → $kind changes nothing',
    ({ status, kind }) => {
      const payment = buildPayment(states[status]);

      expect(observe(payment, observations[kind], now)).toEqual({ payment, event: null });
    },
  );

  it.each(pairs.filter((pair) => pair.effect === 'change'))(
    '$status → $kind is told once',
    ({ status, kind }) => {
      const first = observe(buildPayment(states[status]), observations[kind], now);
      const second = observe(first.payment, observations[kind], now);

      expect(first.payment).toMatchObject({ version: 2 });
      expect(first.event).not.toBeNull();
      expect(second).toEqual({ payment: first.payment, event: null });
    },
  );

  it.each([
    [{ kind: 'succeeded', receivedCents: 4199, currency: 'usd' }],
    [{ kind: 'succeeded', receivedCents: 4200, currency: 'eur' }],
  ] satisfies [Observation][])('does not believe %j', (seen) => {
    expect(() => observe(buildPayment(), seen, now)).toThrow(ImpossibleTransition);
  });
});

describe('money back', () => {
  it('turns the payment to refunded with its last cent', () => {
    const reserved = reserveRefund(buildPayment(states.succeeded), 4200);

    const first = completeRefund(reserved, 1200);
    const second = completeRefund(first.payment, 3000);

    expect(first.payment.state).toMatchObject({ status: 'succeeded', refundedCents: 1200 });
    expect(second.payment.state).toMatchObject({ status: 'refunded', refundedCents: 4200 });
    expect(second.event).toEqual({ type: 'PaymentRefunded', refundCents: 3000 });
  });

  it.each([0, -1, 1.5, 4201, Number.NaN])('refuses to promise %d cents', (cents) => {
    expect(() => reserveRefund(buildPayment(states.succeeded), cents)).toThrow(RefundTooLarge);
  });

  it.each(['pending', 'failed', 'canceled'] as const)(
    'has nothing for one that is %s',
    (status) => {
      expect(() => reserveRefund(buildPayment(states[status]), 1)).toThrow(ImpossibleTransition);
    },
  );

  it('owes again what the bank sent back, and can give it once more', () => {
    const owing = revokeRefund(buildPayment(states.refunded), 1200);

    expect(owing.state).toMatchObject({ status: 'succeeded', refundedCents: 3000 });
    expect(completeRefund(owing, 1200).payment.state).toEqual(states.refunded);
    expect(() => revokeRefund(owing, 3001)).toThrow(ImpossibleTransition);
    expect(() => revokeRefund(buildPayment(states.pending), 1)).toThrow(ImpossibleTransition);
  });

  it('refuses a refund that nobody promised', () => {
    const act = () => completeRefund(buildPayment(states.succeeded), 1);

    expect(act).toThrow(ImpossibleTransition);
  });
});

describe('any order of anything', () => {
  type Step = { do: 'observe'; seen: Observation } | { do: 'reserve' | 'complete'; cents: number };
  const cents = fc.integer({ min: -10, max: 6000 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc
      .constantFrom(...Object.values(observations))
      .map((seen) => ({ do: 'observe' as const, seen })),
    fc.record({ do: fc.constantFrom('reserve' as const, 'complete' as const), cents }),
  );
  const take = (payment: Payment, next: Step): { payment: Payment; type: string | undefined } => {
    try {
      if (next.do === 'reserve')
        return { payment: reserveRefund(payment, next.cents), type: undefined };
      const decision =
        next.do === 'observe'
          ? observe(payment, next.seen, now)
          : completeRefund(payment, next.cents);
      return { payment: decision.payment, type: decision.event?.type };
    } catch {
      return { payment, type: undefined };
    }
  };

  it('succeeds once at most, gives back no more than was charged, and never goes back', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let payment = buildPayment();
        const told: (string | undefined)[] = [];
        for (const next of steps) {
          const before = payment;
          const after = take(payment, next);
          payment = after.payment;
          told.push(after.type);
          expect(payment.version - before.version).toBeLessThanOrEqual(1);
          if ('refundedCents' in before.state)
            expect(payment.state).toHaveProperty('refundedCents');
          if (before.state.status === 'canceled') expect(payment).toBe(before);
          if ('refundedCents' in payment.state) {
            const { reservedCents, refundedCents } = payment.state;
            expect(refundedCents).toBeGreaterThanOrEqual(0);
            expect(refundedCents).toBeLessThanOrEqual(reservedCents);
            expect(reservedCents).toBeLessThanOrEqual(payment.amountCents);
          }
        }
        expect(told.filter((type) => type === 'PaymentSucceeded').length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2_000 },
    );
  });
});
