import { fileURLToPath } from 'node:url';
import { type Running, reconcileEveryMs, Upstreams } from '@lendtools/service-kit';
import { type StartOptions, startPostgresService } from '@lendtools/service-runtime';
import { routes } from './app.ts';
import { purgeCanceledPayments } from './charges/purge-canceled-payments/purge-canceled-payments.ts';
import { purgePaymentNetworks } from './charges/purge-payment-networks/purge-payment-networks.ts';
import { reconcilePayment } from './charges/reconcile-payment/reconcile-payment.ts';
import type { Config } from './config.ts';
import { consumers } from './consumers.ts';
import type { Deps } from './deps.ts';
import { remindOfDispute } from './disputes/remind-of-dispute/remind-of-dispute.ts';
import { checkEveryMs, checkJob, checkLedger } from './ledger/check-ledger/check-ledger.ts';
import { followLedger } from './ledger/follow-ledger/follow-ledger.ts';
import { followOldJob, followOldPayments } from './ledger/follow-ledger/follow-old-payments.ts';
import { checkPayoutAccount } from './payout-accounts/check-payout-account/check-payout-account.ts';
import { remindOfPayouts } from './payout-accounts/remind-of-payouts/remind-of-payouts.ts';
import { requestMissedRefunds } from './refunds/request-missed-refunds/request-missed-refunds.ts';
import { sendRefund } from './refunds/send-refund/send-refund.ts';
import { purgeMatchedTransactions } from './store/balance-transaction-repository.ts';
import { measurePayments } from './store/payment-metrics.ts';
import { createStripe } from './stripe/stripe-api.ts';
import { purgeStripeEvents } from './stripe-events/purge-stripe-events/purge-stripe-events.ts';
import {
  reconcileEventsEveryMs,
  reconcileStripeEvents,
} from './stripe-events/reconcile-stripe-events/reconcile-stripe-events.ts';
import { releaseShares } from './transfers/release-shares/release-shares.ts';
import { resumeTransfers } from './transfers/resume-transfers/resume-transfers.ts';
import { reverseTransfer } from './transfers/reverse-transfer/reverse-transfer.ts';
import { sendTransfer } from './transfers/send-transfer/send-transfer.ts';

export const migrations = fileURLToPath(new URL('../migrations/', import.meta.url));

export const startPayments = (config: Config, options: StartOptions = {}): Promise<Running> =>
  startPostgresService('payments', config, {
    migrations,
    ...options,
    build(serviceDeps) {
      measurePayments(serviceDeps.metrics, serviceDeps.pool);
      const deps: Deps = {
        ...serviceDeps,
        config,
        stripe: createStripe(config.STRIPE_SECRET_KEY, config.STRIPE_API_BASE),
        bookings: new Upstreams(config.BOOKINGS_URL),
      };
      return {
        routes: routes(deps),
        consumers: consumers(deps),
        // Database triggers schedule these tasks at the times stored in their rows (migrations 0001 to 0008).
        // Code also schedules follow-ledger, send-transfer and reverse-transfer.
        tasks: {
          'reconcile-payment': (id) => reconcilePayment(deps, id),
          'send-refund': (key) => sendRefund(deps, key),
          'remind-of-dispute': (id) => remindOfDispute(deps, id),
          'check-payout-account': (ownerId) => checkPayoutAccount(deps, ownerId),
          'remind-of-payouts': (ownerId) => remindOfPayouts(deps, ownerId),
          'follow-ledger': (id) => followLedger(deps, id),
          'release-shares': (id) => releaseShares(deps, id),
          'send-transfer': (share) => sendTransfer(deps, share),
          'resume-transfers': (ownerId) => resumeTransfers(deps, ownerId),
          'reverse-transfer': (id) => reverseTransfer(deps, id),
        },
        jobs: [
          {
            name: 'request-missed-refunds',
            everyMs: 60_000,
            passEveryMs: reconcileEveryMs,
            run: () => requestMissedRefunds(deps),
          },
          {
            name: 'reconcile-stripe-events',
            everyMs: 60_000,
            passEveryMs: reconcileEventsEveryMs,
            run: () => reconcileStripeEvents(deps),
          },
          {
            name: checkJob,
            everyMs: 60_000,
            passEveryMs: checkEveryMs,
            run: () => checkLedger(deps),
          },
          { name: followOldJob, everyMs: 10_000, run: () => followOldPayments(deps) },
        ],
        purges: {
          stripe_events: () => purgeStripeEvents(deps.pool),
          payment_networks: () => purgePaymentNetworks(deps.pool),
          matched_transactions: () => purgeMatchedTransactions(deps.pool),
          canceled_payments: () => purgeCanceledPayments(deps.pool),
        },
      };
    },
  });
