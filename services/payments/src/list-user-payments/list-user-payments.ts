import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { listSucceededPayments, succeededData } from '../payment-repository.ts';

/** Bookings asks this with the person's own token. */
export const listUserPayments = ({ pool }: Deps) =>
  handle(internalRoutes.userPayments, async ({ params }) => ({
    payments: (await listSucceededPayments(pool, params.userId)).map(succeededData),
  }));
