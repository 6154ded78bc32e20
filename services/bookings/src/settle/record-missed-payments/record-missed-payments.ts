import { internalRoutes } from '@lendtools/contracts';
import { call, inTransaction, reconcile } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { missedPaymentCount } from '../../store/booking-metrics.ts';
import { clearFailures } from '../../store/failed-settlement-repository.ts';
import { applyPaymentChange } from '../end-lost-bookings.ts';
import { settleOrRefund } from '../refund-unsettled-payment.ts';
import { recordPayment } from '../settle-hold.ts';

/**
 * Records payments and their changes at Stripe whose events were lost. Otherwise, a charged renter would have no booking
 * or be refunded twice.
 */
export const recordMissedPayments = (deps: Deps): Promise<boolean> =>
  reconcile(deps, 'payments', {
    job: 'record-missed-payments',
    read: (query) =>
      call(deps.payments, internalRoutes.succeededPayments, {
        query,
        token: deps.config.INTERNAL_SECRET[0],
        timeoutMs: 5_000,
      }),
    keyOf: ({ paymentId }) => paymentId,
    async take({ atStripe, shares, mayBeBooked, ...payment }) {
      const { paymentId, holdId, succeededAt } = payment;
      let isChanged = false;
      const isRefunded = await settleOrRefund(deps, { payment, atStripe }, () =>
        inTransaction(deps.pool, async (tx) => {
          if (mayBeBooked) isChanged = await recordPayment(tx, payment, atStripe);
          // Don't book a payment that was refunded in the dashboard while it was unsettled.
          else await clearFailures(tx, paymentId);
          if (!atStripe && !shares) return;
          const change = await applyPaymentChange(tx, paymentId, { atStripe, shares });
          isChanged ||= change.isChanged || change.cancelledIds.length > 0;
        }),
      );
      if (!isChanged || isRefunded) return;
      missedPaymentCount.inc();
      deps.logger.warn(
        { paymentId, holdId, succeededAt, atStripe },
        'recorded a payment whose event was lost',
      );
    },
  });
