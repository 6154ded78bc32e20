import { inTransaction, reconcile } from '@lendtools/service-kit';
import { missedPaymentCount } from '../booking-metrics.ts';
import type { Deps } from '../deps.ts';
import { recordPayment } from '../payment-repository.ts';
import { listSucceededPayments } from '../payments-client.ts';

/**
 * Asks payments for what has succeeded, and records what no event told of, as the event's consumer would: somebody has
 * been charged, and a purged queue must not keep their booking from them.
 */
export const recordMissedPayments = (deps: Deps): Promise<void> =>
  reconcile(deps, 'payments', {
    read: (page) => listSucceededPayments(deps, page),
    async take(payment) {
      const isNew = await inTransaction(deps.pool, (tx) => recordPayment(tx, payment));
      if (!isNew) return;
      missedPaymentCount.inc();
      const { paymentId, holdId, succeededAt } = payment;
      deps.logger.warn({ paymentId, holdId, succeededAt }, 'a payment that no event told of');
    },
  });
