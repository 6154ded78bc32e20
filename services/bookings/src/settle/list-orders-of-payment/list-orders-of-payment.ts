import { internalRoutes } from '@lendtools/contracts';
import { handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { sharesOfPayment } from '../../store/allocation-repository.ts';
import { ordersOfPayment } from '../../store/refund-repository.ts';

/** The source of the shares in the ledger of payments. Events only trigger this call, so a forged event changes nothing. */
export const listOrdersOfPayment = ({ pool, config }: Deps) =>
  handle(internalRoutes.ordersOfPayment, ({ params: { paymentId } }) =>
    inTransaction(pool, async (tx) => {
      // One snapshot: a booking must not be cancelled between the two reads.
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return {
        shares: await sharesOfPayment(tx, paymentId, config.COMPLETE_AFTER_HOURS),
        refunds: await ordersOfPayment(tx, paymentId),
      };
    }),
  );
