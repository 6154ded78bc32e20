import { internalRoutes } from '@lendtools/contracts';
import { handle, listPage } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { refundsOfPayment, refundsSince } from '../refund-repository.ts';

/** Payments asks before it sends money: an event alone moves none. */
export const listRefundsOfPayment = ({ pool }: Deps) =>
  handle(internalRoutes.refundsOfPayment, async ({ params }) => ({
    refunds: await refundsOfPayment(pool, params.paymentId),
  }));

/** Payments compares it with what it has consumed. */
export const listRefundsOwed = ({ pool }: Deps) =>
  handle(internalRoutes.refundsOwed, ({ query }) =>
    listPage(pool, query, (range) => refundsSince(pool, range)),
  );
