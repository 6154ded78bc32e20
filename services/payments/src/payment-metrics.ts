import { Counter, Histogram, onCommit, type Transaction } from '@lendtools/service-kit';
import type { PromiseStatus } from './domain/refund.ts';

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

export const paymentMetrics = [
  paymentCount,
  refundCount,
  webhookLag,
  missedRefundCount,
  refusedRefundCount,
];
