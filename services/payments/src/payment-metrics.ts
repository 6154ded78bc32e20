import {
  addSampledGauge,
  Counter,
  Histogram,
  type Metrics,
  onCommit,
  type Pool,
  sampled,
  type Transaction,
} from '@lendtools/service-kit';
import type { PromiseStatus } from './domain/refund.ts';
import { countOpenPayments } from './payment-repository.ts';
import { countUnfinishedRefunds } from './refund-repository.ts';

/** What an operator watches besides the requests. The counts are per process: add up the replicas for the service's. */
export const paymentCount = new Counter({
  name: 'payments_total',
  help: 'Payments by the status that they reached; pending once their intent is there',
  labelNames: ['status'],
  registers: [],
});

const refundCount = new Counter({
  name: 'refunds_total',
  help: 'Refunds by the status that they reached; failed each time that one fails',
  labelNames: ['status'],
  registers: [],
});

// A counter that begins with its first failure would show no increase by it.
for (const status of ['pending', 'failed', 'authorized', 'succeeded', 'canceled'])
  paymentCount.inc({ status }, 0);
for (const status of ['pending', 'failed', 'succeeded', 'voided']) refundCount.inc({ status }, 0);

/** Counts a refund under the status that it reaches with the transaction. */
export const countRefund = (tx: Transaction, status: PromiseStatus): void =>
  onCommit(tx, () => refundCount.inc({ status }));

export const webhookLag = new Histogram({
  name: 'stripe_webhook_lag_seconds',
  help: "Time from Stripe's event to its effect here",
  buckets: [1, 5, 30, 120, 600, 3_600, 86_400],
  registers: [],
});

export const missedRefundCount = new Counter({
  name: 'missed_refunds_requested_total',
  help: 'Refunds that no event had told of when bookings was asked for them',
  registers: [],
});

export const refusedRefundCount = new Counter({
  name: 'refunds_refused_total',
  help: 'Events that asked for money of which bookings knows nothing; each try of them',
  registers: [],
});

const counters = [paymentCount, refundCount, webhookLag, missedRefundCount, refusedRefundCount];

export const measurePayments = (metrics: Metrics, pool: Pool): void => {
  for (const metric of counters) metrics.registry.registerMetric(metric);
  const openPayments = sampled(() => countOpenPayments(pool));
  addSampledGauge(
    metrics,
    {
      name: 'open_payments',
      help: 'Payments that may still succeed; the greatest of all replicas counts',
    },
    async () => [[{}, (await openPayments()).count]],
  );
  addSampledGauge(
    metrics,
    {
      name: 'open_payment_oldest_overdue_seconds',
      help: 'For how long the oldest open payment should have ended; the greatest of all replicas counts',
    },
    async () => [[{}, (await openPayments()).overdueSeconds]],
  );
  const refunds = sampled(() => countUnfinishedRefunds(pool));
  addSampledGauge(
    metrics,
    {
      name: 'unfinished_refunds',
      help: 'Refunds that are owed and not sent, or failed; the greatest of all replicas counts',
      labelNames: ['status'],
    },
    async () => Object.entries(await refunds()).map(([status, count]) => [{ status }, count]),
  );
};
