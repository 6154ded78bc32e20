import { internalRoutes } from '@lendtools/contracts';
import { handle, listPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { refundsOfPayment, refundsSince } from '../../store/refund-repository.ts';

/** The payments service calls this before it sends money, because an event could be forged. */
export const listRefundsOfPayment = ({ pool }: Deps) =>
  handle(internalRoutes.refundsOfPayment, async ({ params }) => ({
    refunds: await refundsOfPayment(pool, params.paymentId),
  }));

/** The payments service compares this list with the refund events that it has consumed, to find lost events. */
export const listRefundsOwed = ({ pool }: Deps) =>
  handle(internalRoutes.refundsOwed, ({ query }) =>
    listPage(pool, query, (range) => refundsSince(pool, range)),
  );
