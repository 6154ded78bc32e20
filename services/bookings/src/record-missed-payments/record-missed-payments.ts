import { internalRoutes } from '@lendtools/contracts';
import { call, inTransaction, reconcile } from '@lendtools/service-kit';
import { missedPaymentCount } from '../booking-metrics.ts';
import type { Deps } from '../deps.ts';
import { applyPaymentChange } from '../end-lost-bookings.ts';
import { clearFailures } from '../failed-settlement-repository.ts';
import { settleOrRefund } from '../refund-unsettled-payment.ts';
import { recordPayment } from '../settle-purchase.ts';

/**
 * Reconciles with payments: records payments that succeeded or changed at Stripe and whose events were lost, as the consumers of those
 * events would. Otherwise a purged queue would leave a charged renter without a booking, or refund money twice.
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
    async take({ atStripe, mayBeBooked = true, ...payment }) {
      const { paymentId, holdId, succeededAt } = payment;
      let isChanged = false;
      const isRefunded = await settleOrRefund(deps, { payment, atStripe }, () =>
        inTransaction(deps.pool, async (tx) => {
          if (mayBeBooked) isChanged = await recordPayment(tx, payment, atStripe);
          // Don't book a payment that was refunded in Stripe's dashboard before it could be settled.
          else await clearFailures(tx, paymentId);
          if (!atStripe) return;
          const change = await applyPaymentChange(tx, paymentId, atStripe);
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
