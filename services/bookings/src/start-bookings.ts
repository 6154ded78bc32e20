import { fileURLToPath } from 'node:url';
import { type Running, reconcileEveryMs, type Tasks, Upstreams } from '@lendtools/service-kit';
import { type StartOptions, startPostgresService } from '@lendtools/service-runtime';
import { routes } from './app.ts';
import { failUnchargedApproval } from './approvals/fail-uncharged-approval/fail-uncharged-approval.ts';
import { finishAcceptance } from './approvals/finish-acceptance/finish-acceptance.ts';
import { lapseApproval } from './approvals/lapse-approval/lapse-approval.ts';
import { remindOwner } from './approvals/remind-owner/remind-owner.ts';
import { completeBooking } from './bookings/complete-booking/complete-booking.ts';
import { remindParties } from './bookings/remind-parties/remind-parties.ts';
import { settleDisabledAccount } from './bookings/settle-disabled-account/settle-disabled-account.ts';
import { warnNextRenter } from './bookings/warn-next-renter/warn-next-renter.ts';
import { endHoldOfChange } from './changes/end-hold-of-change/end-hold-of-change.ts';
import type { Config } from './config.ts';
import { consumers } from './consumers.ts';
import type { Deps } from './deps.ts';
import { expireHold } from './holds/expire-hold/expire-hold.ts';
import { purgeEndedHolds } from './holds/purge-ended-holds/purge-ended-holds.ts';
import { purgeQuestionAnswers } from './people/purge-question-answers/purge-question-answers.ts';
import { publishReviews } from './reviews/publish-reviews/publish-reviews.ts';
import { remindReviewers } from './reviews/remind-reviewers/remind-reviewers.ts';
import { recordMissedPayments } from './settle/record-missed-payments/record-missed-payments.ts';
import { refundUnassignedPayment } from './settle/refund-unassigned-payment/refund-unassigned-payment.ts';
import { endRefundedHold } from './settle/refund-unsettled-payment.ts';
import { measureBookings } from './store/booking-metrics.ts';
import type { Task } from './store/schedule.ts';
import { publishTakenDates } from './tools/publish-taken-dates/publish-taken-dates.ts';
import { purgeRemovedTools } from './tools/purge-removed-tools/purge-removed-tools.ts';

export const bookingsMigrations = fileURLToPath(new URL('../migrations/', import.meta.url));

export const startBookings = (config: Config, options: StartOptions = {}): Promise<Running> =>
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
        tasks: {
          'expire-hold': (id) => expireHold(deps, id),
          'lapse-approval': (id) => lapseApproval(deps, id),
          'remind-owner': (id) => remindOwner(deps, id),
          'finish-acceptance': (id) => finishAcceptance(deps, id),
          'fail-uncharged-approval': (id) => failUnchargedApproval(deps, id),
          'end-refunded-hold': (id) => endRefundedHold(deps, id),
          'end-hold-of-change': (id) => endHoldOfChange(deps, id),
          'complete-booking': (id) => completeBooking(deps, id),
          'remind-reviewers': (id) => remindReviewers(deps, id),
          'publish-reviews': (id) => publishReviews(deps, id),
          'remind-parties': (id) => remindParties(deps, id),
          'warn-next-renter': (id) => warnNextRenter(deps, id),
          'settle-disabled-account': (id) => settleDisabledAccount(deps, id),
          'refund-unassigned-payment': (id) => refundUnassignedPayment(deps, id),
        } satisfies Record<Task, Tasks[string]>,
        jobs: [
          {
            name: 'record-missed-payments',
            everyMs: 60_000,
            passEveryMs: reconcileEveryMs,
            run: () => recordMissedPayments(deps),
          },
          { name: 'publish-taken-dates', everyMs: 60_000, run: () => publishTakenDates(deps) },
        ],
        purges: {
          ended_holds: () => purgeEndedHolds(deps.pool),
          question_answers: () => purgeQuestionAnswers(deps.pool),
          removed_tools: () => purgeRemovedTools(deps.pool),
        },
      };
    },
  });
