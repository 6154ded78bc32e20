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
import type { StoredRefundStatus } from '../domain/refund.ts';
import { readTotals } from './ledger-totals-repository.ts';
import { countOpenPayments } from './payment-repository.ts';
import { countUnfinishedRefunds } from './refund-repository.ts';
import { countStuckTransfers } from './stuck-transfer-repository.ts';

// Counters count per process: sum over replicas.
export const paymentCount = new Counter({
  name: 'payments_total',
  help: 'Payments by the status that they reached; pending once they have an intent',
  labelNames: ['status'],
  registers: [],
});

const refundCount = new Counter({
  name: 'refunds_total',
  help: 'Refunds by the status that they reached; each failure of a refund counts',
  labelNames: ['status'],
  registers: [],
});

// Start every series at 0: increase() does not see the first event of a series that starts at 1.
for (const status of ['pending', 'failed', 'authorized', 'succeeded', 'canceled'])
  paymentCount.inc({ status }, 0);
for (const status of ['pending', 'failed', 'succeeded', 'voided']) refundCount.inc({ status }, 0);

export const countRefund = (tx: Transaction, status: StoredRefundStatus): void =>
  onCommit(tx, () => refundCount.inc({ status }));

export const webhookLag = new Histogram({
  name: 'stripe_webhook_lag_seconds',
  help: "Time from Stripe's event until it is applied",
  buckets: [1, 5, 30, 120, 600, 3_600, 86_400],
  registers: [],
});

export const missedRefundCount = new Counter({
  name: 'missed_refunds_requested_total',
  help: 'Refunds that bookings owes and whose event never arrived',
  registers: [],
});

export const unowedRefundCount = new Counter({
  name: 'refunds_not_owed_total',
  help: 'Events that order a refund that bookings does not owe; each try counts',
  registers: [],
});

const counters = [paymentCount, refundCount, webhookLag, missedRefundCount, unowedRefundCount];

export const measurePayments = (metrics: Metrics, pool: Pool): void => {
  for (const metric of counters) metrics.registry.registerMetric(metric);
  const openPayments = sampled(() => countOpenPayments(pool));
  addSampledGauge(
    metrics,
    {
      name: 'open_payments',
      help: 'Payments that may still succeed; take the maximum over replicas',
    },
    async () => [[{}, (await openPayments()).count]],
  );
  addSampledGauge(
    metrics,
    {
      name: 'open_payment_oldest_overdue_seconds',
      help: 'How long ago the oldest open payment should have ended; take the maximum over replicas',
    },
    async () => [[{}, (await openPayments()).overdueSeconds]],
  );
  const refunds = sampled(() => countUnfinishedRefunds(pool));
  addSampledGauge(
    metrics,
    {
      name: 'unfinished_refunds',
      help: 'Refunds that are pending or failed; take the maximum over replicas',
      labelNames: ['status'],
    },
    async () => Object.entries(await refunds()).map(([status, count]) => [{ status }, count]),
  );
  const totals = sampled(() => readTotals(pool));
  addSampledGauge(
    metrics,
    {
      name: 'ledger_cents',
      help: "The accounts of the ledger that make up the platform's balance at Stripe; take the maximum over replicas",
      labelNames: ['account'],
    },
    async () => Object.entries(await totals()).map(([account, cents]) => [{ account }, cents]),
  );
  const stuck = sampled(() => countStuckTransfers(pool));
  addSampledGauge(
    metrics,
    {
      name: 'stuck_transfers',
      help: 'Transfers to owners and reversals that an admin has to look at; take the maximum over replicas',
      labelNames: ['kind'],
    },
    async () => Object.entries(await stuck()).map(([kind, count]) => [{ kind }, count]),
  );
};
