import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  applyDisputes,
  applyOutsideRefund,
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
  uncapturedCents,
  withdrawRefund,
} from './payment.ts';

const now = new Date('2026-11-21T15:00:00Z');
const undisputed = { outsideCents: 0, heldCents: 0, lostCents: 0, dispute: null };
const sums = { succeededAt: now, reservedCents: 0, refundedCents: 0, ...undisputed };
const states: Record<PaymentState['status'], PaymentState> = {
  pending: { status: 'pending' },
  failed: { status: 'failed', failure: 'Your card was declined.' },
  authorized: { status: 'authorized' },
  canceled: { status: 'canceled' },
  succeeded: { status: 'succeeded', ...sums },
  refunded: { ...sums, status: 'refunded', reservedCents: 4200, refundedCents: 4200 },
};
const observations: Record<Observation['kind'], Observation> = {
  open: { kind: 'open' },
  declined: { kind: 'declined', failure: 'Your card has expired.' },
  authorized: { kind: 'authorized', capturableCents: 4200 },
  succeeded: { kind: 'succeeded', receivedCents: 4200, currency: 'usd' },
  canceled: { kind: 'canceled' },
};

const buildPayment = (state: PaymentState = states.pending): Payment => ({
  id: 'p1',
  userId: 'u1',
  holdId: 'h1',
  onRequest: true,
  amountCents: 4200,
  version: 1,
  state,
});

const pairs = Object.entries(transitions).flatMap(([status, row]) =>
  Object.entries(row).map(([kind, effect]) => ({ status, kind, effect })),
) as { status: PaymentState['status']; kind: Observation['kind']; effect: string }[];

describe('observe', () => {
  it.each(pairs.filter((pair) => pair.effect === 'impossible'))(
    'throws for the observation $kind of a payment that is $status',
    ({ status, kind }) => {
      const act = () => observe(buildPayment(states[status]), observations[kind], now);

      expect(act).toThrow(ImpossibleTransition);
    },
  );

  it.each(pairs.filter((pair) => pair.effect === 'keep'))(
    'ignores the observation $kind of a payment that is $status',
    ({ status, kind }) => {
      const payment = buildPayment(states[status]);

      expect(observe(payment, observations[kind], now)).toEqual({ payment, event: null });
    },
  );

  it.each(pairs.filter((pair) => pair.effect === 'change'))(
    'publishes the observation $kind of a payment that is $status once',
    ({ status, kind }) => {
      const first = observe(buildPayment(states[status]), observations[kind], now);
      const second = observe(first.payment, observations[kind], now);

      expect(first.payment).toMatchObject({ version: 2 });
      // An authorization publishes no event: the reconciler reports it to the bookings service.
      expect(first.event === null).toBe(kind === 'authorized');
      expect(second).toEqual({ payment: first.payment, event: null });
    },
  );

  it.each([
    [{ kind: 'succeeded', receivedCents: 4201, currency: 'usd' }],
    [{ kind: 'succeeded', receivedCents: 4200, currency: 'eur' }],
    [{ kind: 'authorized', capturableCents: 4199 }],
  ] satisfies [Observation][])('rejects the observation of an intent %j', (seen) => {
    expect(() => observe(buildPayment(), seen, now)).toThrow(ImpossibleTransition);
  });
});

describe('an authorization', () => {
  it('may be captured in part', () => {
    const payment = buildPayment({ status: 'authorized' });
    const part: Extract<Observation, { kind: 'succeeded' }> = {
      kind: 'succeeded',
      receivedCents: 1200,
      currency: 'usd',
    };

    expect(observe(payment, part, now).event).toMatchObject({ type: 'PaymentSucceeded' });
    expect(uncapturedCents(payment, part)).toBe(3000);
    for (const seen of [
      { ...part, receivedCents: 0 },
      { ...part, receivedCents: 4201 },
      { ...part, currency: 'eur' },
    ])
      expect(() => observe(payment, seen, now)).toThrow(ImpossibleTransition);
  });

  it('is rejected for a payment that is charged at once', () => {
    const payment = { ...buildPayment(), onRequest: false };

    expect(() => observe(payment, observations.authorized, now)).toThrow(ImpossibleTransition);
  });

  it('stays authorized when an older decline is observed late', () => {
    const payment = buildPayment(states.authorized);

    expect(observe(payment, observations.declined, now)).toEqual({ payment, event: null });
  });
});

describe('a payment that we refund', () => {
  it('is marked as refunded once its last cent is refunded', () => {
    const reserved = reserveRefund(buildPayment(states.succeeded), 4200);

    const first = completeRefund(reserved, 1200);
    const second = completeRefund(first.payment, 3000);

    expect(first.payment.state).toMatchObject({ status: 'succeeded', refundedCents: 1200 });
    expect(second.payment.state).toMatchObject({ status: 'refunded', refundedCents: 4200 });
    expect(second.event).toEqual({ type: 'PaymentRefunded', refundCents: 3000 });
  });

  it.each([0, -1, 1.5, 4201, Number.NaN])('rejects reserving a refund of %d cents', (cents) => {
    expect(() => reserveRefund(buildPayment(states.succeeded), cents)).toThrow(RefundTooLarge);
  });

  it.each(['pending', 'failed', 'authorized', 'canceled'] as const)(
    'rejects a refund while it is %s',
    (status) => {
      expect(() => reserveRefund(buildPayment(states[status]), 1)).toThrow(ImpossibleTransition);
    },
  );

  it('counts a refund as owed again after a bank has returned it, and can complete it again', () => {
    const owing = revokeRefund(buildPayment(states.refunded), 1200);

    expect(owing.state).toMatchObject({ status: 'succeeded', refundedCents: 3000 });
    expect(completeRefund(owing, 1200).payment.state).toEqual(states.refunded);
    expect(() => revokeRefund(owing, 3001)).toThrow(ImpossibleTransition);
    expect(() => revokeRefund(buildPayment(states.pending), 1)).toThrow(ImpossibleTransition);
  });

  it('rejects a completed refund that was not reserved', () => {
    const act = () => completeRefund(buildPayment(states.succeeded), 1);

    expect(act).toThrow(ImpossibleTransition);
  });
});

describe('a payment that is refunded or disputed at Stripe', () => {
  const change = { refundId: 're_1', refundCents: 1200, outcome: 'refunded' as const };
  const dispute = {
    disputeId: 'du_1',
    disputeCents: 4200,
    state: 'lost' as const,
    reason: 'fraud',
    answerBy: null,
  };

  it('counts dashboard refunds, and is marked as refunded after the last cent', () => {
    const part = applyOutsideRefund(buildPayment(states.succeeded), 1200, change);
    const all = applyOutsideRefund(part.payment, 3000, { ...change, refundCents: 3000 });
    const less = applyOutsideRefund(all.payment, -1200, { ...change, outcome: 'failed' });

    expect(part.payment.state).toMatchObject({ status: 'succeeded', outsideCents: 1200 });
    expect(part.event).toEqual({ type: 'PaymentRefundedAtStripe', ...change });
    expect(all.payment.state).toMatchObject({ status: 'refunded', outsideCents: 4200 });
    expect(less.payment.state).toMatchObject({ status: 'succeeded', outsideCents: 3000 });
  });

  it('withdraws reserved refunds', () => {
    const reserved = reserveRefund(buildPayment(states.succeeded), 4200);
    const { payment } = applyOutsideRefund(reserved, 1200, change);

    const kept = withdrawRefund(payment, 1200);

    expect(kept.state).toMatchObject({ reservedCents: 3000 });
    expect(completeRefund(kept, 3000).payment.state).toMatchObject({ status: 'refunded' });
  });

  it('publishes a lost dispute', () => {
    const lost = { heldCents: 0, lostCents: 4200, dispute: 'lost' as const };

    const { payment, event } = applyDisputes(buildPayment(states.succeeded), lost, dispute);

    expect(payment.state).toMatchObject(lost);
    expect(event).toEqual({ type: 'PaymentDisputed', ...dispute });
  });

  it('rejects dashboard refunds of more than was charged, or before the charge', () => {
    const given = buildPayment(states.refunded);
    const reserved = reserveRefund(
      applyOutsideRefund(buildPayment(states.succeeded), 3000, change).payment,
      1201,
    );

    expect(() => applyOutsideRefund(given, 1, change)).toThrow(ImpossibleTransition);
    expect(() => completeRefund(reserved, 1201)).toThrow(ImpossibleTransition);
    expect(() => applyOutsideRefund(buildPayment(), 1, change)).toThrow(ImpossibleTransition);
    expect(() => withdrawRefund(given, 1)).toThrow(ImpossibleTransition);
  });
});

describe('a payment', () => {
  type Step =
    | { do: 'observe'; seen: Observation }
    | { do: 'reserve' | 'complete' | 'outside' | 'withdraw'; cents: number };
  const cents = fc.integer({ min: -10, max: 6000 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc
      .constantFrom(...Object.values(observations))
      .map((seen) => ({ do: 'observe' as const, seen })),
    fc.record({
      do: fc.constantFrom('reserve' as const, 'complete', 'outside', 'withdraw'),
      cents,
    }),
  );
  const take = (payment: Payment, next: Step): { payment: Payment; type: string | undefined } => {
    try {
      if (next.do === 'reserve')
        return { payment: reserveRefund(payment, next.cents), type: undefined };
      if (next.do === 'withdraw')
        return { payment: withdrawRefund(payment, next.cents), type: undefined };
      if (next.do === 'outside') {
        const change = { refundId: 're', refundCents: next.cents, outcome: 'refunded' as const };
        return {
          payment: applyOutsideRefund(payment, next.cents, change).payment,
          type: undefined,
        };
      }
      const decision =
        next.do === 'observe'
          ? observe(payment, next.seen, now)
          : completeRefund(payment, next.cents);
      return { payment: decision.payment, type: decision.event?.type };
    } catch {
      return { payment, type: undefined };
    }
  };

  it('succeeds at most once, never refunds more than the charge, and never leaves a final state, in any order of steps', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let payment = buildPayment();
        const published: (string | undefined)[] = [];
        for (const next of steps) {
          const before = payment;
          const after = take(payment, next);
          payment = after.payment;
          published.push(after.type);
          expect(payment.version - before.version).toBeLessThanOrEqual(1);
          if ('refundedCents' in before.state)
            expect(payment.state).toHaveProperty('refundedCents');
          if (before.state.status === 'canceled') expect(payment).toBe(before);
          if ('refundedCents' in payment.state) {
            const { reservedCents, refundedCents, outsideCents } = payment.state;
            expect(refundedCents + outsideCents).toBeLessThanOrEqual(payment.amountCents);
            expect(refundedCents).toBeGreaterThanOrEqual(0);
            expect(refundedCents).toBeLessThanOrEqual(reservedCents);
            expect(reservedCents).toBeLessThanOrEqual(payment.amountCents);
          }
        }
        expect(published.filter((type) => type === 'PaymentSucceeded').length).toBeLessThanOrEqual(
          1,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
