import { fileURLToPath } from 'node:url';
import type { Topology } from '@lendtools/event-bus';
import { type Running, reconcileEveryMs, Upstreams } from '@lendtools/service-kit';
import { startPostgresService } from '@lendtools/service-runtime';
import { routes } from './app.ts';
import { measureBookings } from './booking-metrics.ts';
import { completeBookings } from './complete-bookings/complete-bookings.ts';
import type { Config } from './config.ts';
import { consumers } from './consumers.ts';
import type { Deps } from './deps.ts';
import { endChanges } from './end-changes/end-changes.ts';
import { expireHolds } from './expire-holds/expire-holds.ts';
import { failUnchargedRequests } from './fail-uncharged-requests/fail-uncharged-requests.ts';
import { lapseRequests } from './lapse-requests/lapse-requests.ts';
import { purgeEndedHolds } from './purge-ended-holds/purge-ended-holds.ts';
import { purgeRemovedTools } from './purge-removed-tools/purge-removed-tools.ts';
import { recordMissedPayments } from './record-missed-payments/record-missed-payments.ts';
import { refundUnassignedPayments } from './refund-unassigned-payments/refund-unassigned-payments.ts';
import { remindOwners } from './remind-owners/remind-owners.ts';
import { remindParties } from './remind-parties/remind-parties.ts';
import { settleDisabledAccounts } from './settle-disabled-accounts/settle-disabled-accounts.ts';
import { tellTakenDates } from './tell-taken-dates/tell-taken-dates.ts';
import { warnNextRenters } from './warn-next-renters/warn-next-renters.ts';

/** An idle run of a job is a single indexed query. */
const everyMs = 1_000;

export const bookingsMigrations = fileURLToPath(new URL('../migrations/', import.meta.url));

export const startBookings = (
  config: Config,
  options: { topology?: Topology } = {},
): Promise<Running> =>
  startPostgresService('bookings', config, {
    ...options,
    migrations: bookingsMigrations,
    build(serviceDeps) {
      measureBookings(serviceDeps.metrics, serviceDeps.pool);
      const deps: Deps = {
        ...serviceDeps,
        config,
        payments: new Upstreams(config.PAYMENTS_URL),
        accounts: new Upstreams(config.ACCOUNTS_URL),
      };
      return {
        routes: routes(deps),
        consumers: consumers(deps),
        jobs: [
          { name: 'expire-holds', everyMs, run: () => expireHolds(deps) },
          { name: 'end-changes', everyMs, run: () => endChanges(deps) },
          { name: 'lapse-requests', everyMs, run: () => lapseRequests(deps) },
          { name: 'fail-uncharged-requests', everyMs, run: () => failUnchargedRequests(deps) },
          { name: 'settle-disabled-accounts', everyMs, run: () => settleDisabledAccounts(deps) },
          {
            name: 'refund-unassigned-payments',
            everyMs,
            run: () => refundUnassignedPayments(deps),
          },
          {
            name: 'record-missed-payments',
            everyMs,
            passEveryMs: reconcileEveryMs,
            run: () => recordMissedPayments(deps),
          },
          { name: 'remind-owners', everyMs, run: () => remindOwners(deps) },
          { name: 'remind-parties', everyMs, run: () => remindParties(deps) },
          { name: 'complete-bookings', everyMs: 60_000, run: () => completeBookings(deps) },
          { name: 'tell-taken-dates', everyMs: 60_000, run: () => tellTakenDates(deps) },
          { name: 'warn-next-renters', everyMs: 60_000, run: () => warnNextRenters(deps) },
        ],
        purges: {
          ended_holds: () => purgeEndedHolds(deps.pool),
          removed_tools: () => purgeRemovedTools(deps.pool),
        },
      };
    },
  });
