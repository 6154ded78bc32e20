import { internalRoutes } from '@lendtools/contracts';
import { call, reconcile } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { refundKey } from '../../domain/refund.ts';
import { followLedger } from '../../ledger/follow-ledger/follow-ledger.ts';
import { missedRefundCount } from '../../store/payment-metrics.ts';
import { hasRefund } from '../../store/refund-repository.ts';

/** Reserves refunds that the bookings service has ordered but whose events were lost, such as when a queue was purged. */
export const requestMissedRefunds = (deps: Deps): Promise<boolean> =>
  reconcile(deps, 'refunds', {
    job: 'request-missed-refunds',
    read: (query) =>
      call(deps.bookings, internalRoutes.refundsOwed, {
        query,
        token: deps.config.INTERNAL_SECRET[0],
        timeoutMs: 3_000,
      }),
    keyOf: ({ paymentId, bookingId, grantId }) =>
      [paymentId, bookingId, grantId].filter(Boolean).join(':'),
    async take(refund) {
      const isReserved = () => hasRefund(deps.pool, refundKey(refund));
      if (await isReserved()) return;
      await followLedger(deps, refund.paymentId);
      // An order stays open until there is money for it.
      if (!(await isReserved())) return;
      missedRefundCount.inc();
      deps.logger.warn(refund, 'reserved a refund whose event did not arrive');
    },
  });
