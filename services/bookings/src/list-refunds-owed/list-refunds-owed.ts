import { internalRoutes } from '@lendtools/contracts';
import { handle, listPage } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { refundsOfPayment, refundsSince } from '../refund-repository.ts';

/** Payments calls this before it sends money, because an event alone could be forged. */
export const listRefundsOfPayment = ({ pool }: Deps) =>
  handle(internalRoutes.refundsOfPayment, async ({ params }) => ({
    refunds: await refundsOfPayment(pool, params.paymentId),
  }));

/** Payments compares this list with the refund events that it has consumed, to find lost ones. */
export const listRefundsOwed = ({ pool }: Deps) =>
  handle(internalRoutes.refundsOwed, ({ query }) =>
    listPage(pool, query, (range) => refundsSince(pool, range)),
  );
