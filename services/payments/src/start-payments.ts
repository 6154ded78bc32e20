import { fileURLToPath } from 'node:url';
import type { Topology } from '@lendtools/event-bus';
import { type Job, type Running, reconcileEveryMs, Upstreams } from '@lendtools/service-kit';
import { startPostgresService } from '@lendtools/service-runtime';
import { routes } from './app.ts';
import { catchUpEveryMs, catchUpWithStripe } from './catch-up-with-stripe/catch-up-with-stripe.ts';
import type { Config } from './config.ts';
import { consumers } from './consumers.ts';
import type { Deps } from './deps.ts';
import { measurePayments } from './payment-metrics.ts';
import { purgeCanceledPayments } from './purge-canceled-payments/purge-canceled-payments.ts';
import { purgePaymentNetworks } from './purge-payment-networks/purge-payment-networks.ts';
import { purgeStripeEvents } from './purge-stripe-events/purge-stripe-events.ts';
import { reconcilePayments } from './reconcile-payments/reconcile-payments.ts';
import { remindOfDisputes } from './remind-of-disputes/remind-of-disputes.ts';
import { requestMissedRefunds } from './request-missed-refunds/request-missed-refunds.ts';
import { sendRefunds } from './send-refunds/send-refunds.ts';
import { createStripe, withoutSecrets } from './stripe-api.ts';

export const migrations = fileURLToPath(new URL('../migrations/', import.meta.url));

interface StartOptions {
  topology?: Topology;
  /** Overrides the interval of every job. */
  jobIntervalMs?: number;
}

export const startPayments = (config: Config, options: StartOptions = {}): Promise<Running> =>
  startPostgresService('payments', config, {
    migrations,
    ...(options.topology && { topology: options.topology }),
    build(serviceDeps) {
      measurePayments(serviceDeps.metrics, serviceDeps.pool);
      const deps: Deps = {
        ...serviceDeps,
        config,
        stripe: createStripe(config.STRIPE_SECRET_KEY, config.STRIPE_API_BASE),
        bookings: new Upstreams(config.BOOKINGS_URL),
      };
      const job = (
        name: string,
        work: (deps: Deps) => Promise<unknown>,
        { everyMs, passEveryMs = everyMs }: { everyMs: number; passEveryMs?: number },
      ): Job => ({
        name,
        everyMs: options.jobIntervalMs ?? everyMs,
        passEveryMs,
        run: () =>
          work(deps).catch((error: unknown) => {
            throw withoutSecrets(error);
          }),
      });
      return {
        routes: routes(deps),
        consumers: consumers(deps),
        // An idle run of a job is one query on a partial index, so every second is cheap.
        jobs: [
          job('reconcile-payments', reconcilePayments, { everyMs: 1_000 }),
          job('send-refunds', sendRefunds, { everyMs: 1_000 }),
          job('request-missed-refunds', requestMissedRefunds, {
            everyMs: 1_000,
            passEveryMs: reconcileEveryMs,
          }),
          // Runs every minute, but lists Stripe's events only once an hour, on one replica.
          job('catch-up-with-stripe', catchUpWithStripe, {
            everyMs: 60_000,
            passEveryMs: catchUpEveryMs,
          }),
          job('remind-of-disputes', remindOfDisputes, { everyMs: 60_000 }),
        ],
        purges: {
          stripe_events: () => purgeStripeEvents(deps.pool),
          payment_networks: () => purgePaymentNetworks(deps.pool),
          canceled_payments: () => purgeCanceledPayments(deps.pool),
        },
      };
    },
  });
