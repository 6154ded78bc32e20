import {
  addSampledGauge,
  Counter,
  type Metrics,
  onCommit,
  type Pool,
  sampled,
  type Transaction,
} from '@lendtools/service-kit';
import type { Hold } from '../domain/hold.ts';
import { approvalsOverdue } from './approval-repository.ts';
import { countUnsettled } from './failed-settlement-repository.ts';
import { countLiveHolds } from './hold-repository.ts';

/** Counted per process, like all counters; sum over the replicas. */
export const missedPaymentCount = new Counter({
  name: 'missed_payments_recorded_total',
  help: 'Payments, or their refunds and disputes at Stripe, that reconciliation found because no event had arrived',
  registers: [],
});

const refundedUnsettledCount = new Counter({
  name: 'unsettled_payments_refunded_total',
  help: 'Payments that were refunded because their settlement kept failing',
  registers: [],
});

export const countUnsettledRefund = (tx: Transaction): void =>
  onCommit(tx, () => refundedUnsettledCount.inc());

const holdCount = new Counter({
  name: 'holds_total',
  help: 'Holds that reached a status',
  labelNames: ['status'],
  registers: [],
});
for (const status of ['live', 'requested', 'paid', 'ended']) holdCount.inc({ status }, 0);

export const countHold = (tx: Transaction, status: Hold['status']): void =>
  onCommit(tx, () => holdCount.inc({ status }));

export const measureBookings = (metrics: Metrics, pool: Pool): void => {
  for (const metric of [missedPaymentCount, refundedUnsettledCount, holdCount])
    metrics.registry.registerMetric(metric);
  const liveHolds = sampled(() => countLiveHolds(pool));
  addSampledGauge(
    metrics,
    {
      name: 'live_holds',
      help: 'Holds that are not paid yet; take the maximum over the replicas',
    },
    async () => [[{}, (await liveHolds()).count]],
  );
  addSampledGauge(
    metrics,
    {
      name: 'live_hold_oldest_overdue_seconds',
      help: 'How long ago the oldest live hold expired, ignoring the grace period of a started payment; take the maximum over the replicas',
    },
    async () => [[{}, (await liveHolds()).overdueSeconds]],
  );
  addSampledGauge(
    metrics,
    {
      name: 'unsettled_payments',
      help: 'Payments that succeeded but could not be settled or refunded yet; take the maximum over the replicas',
    },
    async () => [[{}, await countUnsettled(pool)]],
  );
  const approvals = sampled(() => approvalsOverdue(pool));
  addSampledGauge(
    metrics,
    {
      name: 'open_approval_oldest_overdue_seconds',
      help: 'How long the oldest unanswered approval is past its deadline (answer), and how long ago the oldest uncharged one was accepted (charge); take the maximum over the replicas',
      labelNames: ['waits_for'],
    },
    async () => {
      const { answerSeconds, chargeSeconds } = await approvals();
      return [
        [{ waits_for: 'answer' }, answerSeconds],
        [{ waits_for: 'charge' }, chargeSeconds],
      ];
    },
  );
};
