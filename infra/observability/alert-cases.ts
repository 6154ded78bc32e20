import { serviceNames } from '@lendtools/contracts';

/** Values in promtool's notation, one per minute: `0+5x120` grows by 5 for two hours. */
type Series = Record<string, string>;

interface Case {
  /** These series replace the healthy series with the same names. */
  series: Series;
  labels: Record<string, string>;
  at?: string;
}

function always(value: number): string {
  return `${value}x120`;
}

function growing(by: number): string {
  return `0+${by}x120`;
}

function up(service: string, instance = '1'): string {
  return `up{job="lendtools", service="${service}", instance="${instance}"}`;
}

function requests(status: number): string {
  return `http_request_duration_seconds_count{service="catalog", route="/api/rentals", status="${status}"}`;
}

function requestsWithin(seconds: string): string {
  return `http_request_duration_seconds_bucket{service="catalog", route="/api/rentals", le="${seconds}"}`;
}

function webhooksWithin(seconds: string): string {
  return `stripe_webhook_lag_seconds_bucket{service="payments", le="${seconds}"}`;
}

function payments(status: string): string {
  return `payments_total{service="payments", status="${status}"}`;
}

function emails(status: string): string {
  return `emails_total{service="notifications", status="${status}"}`;
}

const started = 'process_start_time_seconds{job="lendtools", service="catalog"}';
const lag = 'nodejs_eventloop_lag_p99_seconds{service="catalog"}';
const pending = 'db_client_connection_pending_requests{service="catalog"}';
const jobFailures = 'job_failures_total{service="bookings", name="expire-hold"}';
const jobAge =
  'job_last_completed_age_seconds{service="payments", name="request-missed-refunds", instance="1"}';
const jobInterval = 'job_interval_seconds{service="payments", name="request-missed-refunds"}';
const ledgerDifferences = 'job_failed_rows{service="payments", name="check-ledger"}';
const failedRows = 'job_failed_rows{service="payments", name="send-refund"}';
const purged = 'purge_last_success_timestamp_seconds{service="catalog", kind="pictures"}';
const purgeFailures = 'purge_failures_total{service="catalog", kind="pictures"}';
const purgeInterval = 'purge_interval_seconds{service="catalog"}';
const connected = 'broker_connected{service="catalog"}';
const blocked = 'broker_publishing_blocked{service="catalog"}';
const outbox = 'outbox_oldest_age_seconds{service="catalog"}';
const ready = 'queue_messages_ready{service="catalog", queue="catalog.sync-owners"}';
const dead = 'dead_letters{service="catalog", queue="catalog.sync-owners"}';
const missedPayments = 'missed_payments_recorded_total{service="bookings"}';
const missedRefunds = 'missed_refunds_requested_total{service="payments"}';
const unsettled = 'unsettled_payments{service="bookings"}';
const refundedUnsettled = 'unsettled_payments_refunded_total{service="bookings"}';
const overdueHold = 'live_hold_oldest_overdue_seconds{service="bookings"}';
const overduePayment = 'open_payment_oldest_overdue_seconds{service="payments"}';
const overdueApproval =
  'open_approval_oldest_overdue_seconds{service="bookings", waits_for="charge"}';
const failedRefunds = 'unfinished_refunds{service="payments", status="failed"}';
const unowedRefunds = 'refunds_not_owed_total{service="payments"}';

function stuckTransfers(kind: string): string {
  return `stuck_transfers{service="payments", kind="${kind}"}`;
}

function ledgerCents(account: string): string {
  return `ledger_cents{service="payments", account="${account}"}`;
}

export const healthy: Series = {
  ...Object.fromEntries([...serviceNames, 'gateway'].map((name) => [up(name), always(1)])),
  [started]: always(1_000_000),
  [requests(200)]: growing(600),
  [requests(503)]: growing(1),
  [requestsWithin('1')]: growing(600),
  [requestsWithin('5')]: growing(601),
  [requestsWithin('+Inf')]: growing(601),
  [lag]: always(0.02),
  // No alert fires for short waits for a connection, which are normal.
  [pending]: '0 3x1 0x3 2 0x114',
  [jobFailures]: '0x60 1x60',
  // No alert fires if a job misses two runs in a row, or if a row fails for a while.
  [jobAge]: '0+60x20 0x100',
  [jobInterval]: always(300),
  [failedRows]: '0x50 1x10 0x60',
  // No alert fires if a purge fails three times in a row and then succeeds.
  [purged]: '0x30 1800+60x90',
  [purgeFailures]: '0x20 1x10 2x10 3x80',
  [purgeInterval]: always(600),
  [connected]: always(1),
  [blocked]: always(0),
  [outbox]: '0x50 20 0x70',
  [ready]: always(12),
  [dead]: always(0),
  [missedPayments]: always(0),
  [missedRefunds]: always(0),
  // No alert fires for a deadlock after which the retry succeeds.
  [unsettled]: '0x60 1 0x59',
  [refundedUnsettled]: always(0),
  [overdueHold]: always(600),
  [overduePayment]: always(20),
  [overdueApproval]: always(300),
  [payments('failed')]: growing(1),
  [payments('succeeded')]: growing(2),
  [failedRefunds]: always(0),
  [unowedRefunds]: always(0),
  [stuckTransfers('transfer')]: always(0),
  [stuckTransfers('returned')]: always(0),
  [stuckTransfers('forgotten')]: always(0),
  // No alert fires while a charge's fee exceeds the commission that was released so far, for a few hours.
  [ledgerCents('commission')]: '200x60 500x60',
  [ledgerCents('fees')]: always(-300),
  [ledgerCents('debts')]: always(-100),
  [ledgerCents('pending')]: always(10_000),
  [webhooksWithin('1')]: growing(10),
  [webhooksWithin('120')]: growing(10),
  [webhooksWithin('600')]: growing(10),
  [webhooksWithin('+Inf')]: growing(10),
  [emails('delayed')]: growing(1),
  [emails('sent')]: growing(10),
};

export const firing: Record<string, Case | Case[]> = {
  ServiceDown: { series: { [up('payments')]: '1x60 _x60' }, labels: { service: 'payments' } },
  ReplicaDown: {
    series: { [up('catalog', '2')]: '1x60 0x60' },
    labels: { job: 'lendtools', service: 'catalog', instance: '2' },
  },
  RestartLoop: { series: { [started]: growing(60) }, labels: { service: 'catalog' } },
  RequestErrors: { series: { [requests(503)]: growing(30) }, labels: { service: 'catalog' } },
  SlowRequests: {
    series: {
      [requestsWithin('5')]: growing(630),
      [requestsWithin('+Inf')]: growing(630),
    },
    labels: { service: 'catalog' },
  },
  EventLoopLag: { series: { [lag]: always(0.6) }, labels: { service: 'catalog' } },
  ConnectionsExhausted: { series: { [pending]: always(2) }, labels: { service: 'catalog' } },
  JobFailing: {
    series: { [jobFailures]: growing(6) },
    labels: { service: 'bookings', name: 'expire-hold' },
  },
  JobLate: {
    series: { [jobAge]: growing(60) },
    labels: { service: 'payments', name: 'request-missed-refunds' },
  },
  JobRowsFailing: {
    series: { [failedRows]: '0x90 1x30' },
    labels: { service: 'payments', name: 'send-refund' },
  },
  PurgeFailing: [
    {
      // The process restarts between two purges, and the restart resets its metrics.
      series: { [purged]: '0x55 3300x5 0x60', [purgeInterval]: always(1_200) },
      labels: { service: 'catalog', kind: 'pictures' },
    },
    {
      series: { [purged]: always(0), [purgeFailures]: '0x90 1x10 2x10 3x10' },
      labels: { service: 'catalog', kind: 'pictures' },
    },
  ],
  BrokerAway: { series: { [connected]: '1x60 0x60' }, labels: { service: 'catalog' } },
  BrokerBlocked: { series: { [blocked]: '0x60 1x60' }, labels: {} },
  OutboxStuck: { series: { [outbox]: growing(60) }, labels: { service: 'catalog' } },
  QueueBacklog: { series: { [ready]: growing(40) }, labels: { queue: 'catalog.sync-owners' } },
  DeadLetters: { series: { [dead]: '0x60 1x60' }, labels: { queue: 'catalog.sync-owners' } },
  EventsMissed: { series: { [missedPayments]: '0x90 1x30' }, labels: {} },
  HoldsOverdue: { series: { [overdueHold]: growing(60) }, labels: {} },
  PaymentsUnsettled: { series: { [unsettled]: '0x60 1x60' }, labels: {} },
  UnsettledPaymentsRefunded: { series: { [refundedUnsettled]: '0x90 1x30' }, labels: {} },
  PaymentsOverdue: { series: { [overduePayment]: growing(60) }, labels: {} },
  ApprovalsOverdue: { series: { [overdueApproval]: growing(60) }, labels: { waits_for: 'charge' } },
  NoPaymentSucceeds: { series: { [payments('succeeded')]: always(9) }, labels: {} },
  RefundsFailing: { series: { [failedRefunds]: '0x60 1x60' }, labels: {} },
  RefundsNotOwed: { series: { [unowedRefunds]: '0x90 1x30' }, labels: {} },
  LedgerDiffers: { series: { [ledgerDifferences]: '1x240' }, labels: {}, at: '3h' },
  TransfersStuck: {
    series: { [stuckTransfers('returned')]: '0x60 1x60' },
    labels: { kind: 'returned' },
  },
  OwnersInDebt: { series: { [ledgerCents('debts')]: '-60000x1600' }, labels: {}, at: '25h' },
  BalanceTooLow: {
    series: {
      [ledgerCents('commission')]: '500x500',
      [ledgerCents('fees')]: '-300x500',
      [ledgerCents('operator')]: '-5000x500',
    },
    labels: {},
    at: '7h',
  },
  WebhooksLate: {
    series: { [webhooksWithin('1')]: growing(0), [webhooksWithin('120')]: growing(2) },
    labels: {},
  },
  EmailsDelayed: { series: { [emails('sent')]: always(50) }, labels: {} },
};
