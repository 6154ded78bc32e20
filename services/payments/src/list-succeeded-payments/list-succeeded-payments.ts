import { internalRoutes } from '@lendtools/contracts';
import { handle, listPage } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { paymentsSince } from '../payment-repository.ts';

/** Bookings compares it with what it has heard. */
export const listSucceededPayments = ({ pool }: Deps) =>
  handle(internalRoutes.succeededPayments, ({ query }) =>
    listPage(pool, query, (range) => paymentsSince(pool, range)),
  );
