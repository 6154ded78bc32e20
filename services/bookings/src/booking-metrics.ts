import {
  addSampledGauge,
  Counter,
  type Metrics,
  onCommit,
  type Pool,
  sampled,
  type Transaction,
} from '@lendtools/service-kit';
import type { Purchase } from './domain/purchase.ts';
import { countUnsettled } from './failed-settlement-repository.ts';
import { countLiveHolds, requestsOverdue } from './purchase-repository.ts';

/** Of this process, as all that counts: a sum over the replicas is the service's. */
export const missedPaymentCount = new Counter({
  name: 'missed_payments_recorded_total',
  help: 'Payments, or what became of them at Stripe, that no event had told of when payments was asked',
  registers: [],
});

const refundedUnsettledCount = new Counter({
  name: 'unsettled_payments_refunded_total',
  help: 'Payments whose settlement kept failing, and that were refunded',
  registers: [],
});

/** Counts a refund with the commit. */
export const countUnsettledRefund = (tx: Transaction): void =>
  onCommit(tx, () => refundedUnsettledCount.inc());

const holdCount = new Counter({
  name: 'holds_total',
  help: 'Holds by the status that they reached',
  labelNames: ['status'],
  registers: [],
});
for (const status of ['live', 'requested', 'paid', 'ended']) holdCount.inc({ status }, 0);

/** Counts a hold under the status that it reaches with the transaction. */
export const countHold = (tx: Transaction, status: Purchase['status']): void =>
  onCommit(tx, () => holdCount.inc({ status }));

export const measureBookings = (metrics: Metrics, pool: Pool): void => {
  for (const metric of [missedPaymentCount, refundedUnsettledCount, holdCount])
    metrics.registry.registerMetric(metric);
  const liveHolds = sampled(() => countLiveHolds(pool));
  addSampledGauge(
    metrics,
    {
      name: 'live_holds',
      help: 'Holds that nobody has paid yet; the greatest of all replicas counts',
    },
    async () => [[{}, (await liveHolds()).count]],
  );
  addSampledGauge(
    metrics,
    {
      name: 'live_hold_oldest_overdue_seconds',
      help: 'For how long the oldest live hold should have ended, were it not for its payment; the greatest of all replicas counts',
    },
    async () => [[{}, (await liveHolds()).overdueSeconds]],
  );
  addSampledGauge(
    metrics,
    {
      name: 'unsettled_payments',
      help: 'Payments that succeeded and whose settlement failed so far; the greatest of all replicas counts',
    },
    async () => [[{}, await countUnsettled(pool)]],
  );
  const requests = sampled(() => requestsOverdue(pool));
  addSampledGauge(
    metrics,
    {
      name: 'open_request_oldest_overdue_seconds',
      help: 'For how long the oldest request should have lapsed (answer), or since when it is accepted and not charged (charge); the greatest of all replicas counts',
      labelNames: ['waits_for'],
    },
    async () => {
      const { answerSeconds, chargeSeconds } = await requests();
      return [
        [{ waits_for: 'answer' }, answerSeconds],
        [{ waits_for: 'charge' }, chargeSeconds],
      ];
    },
  );
};
