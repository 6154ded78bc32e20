import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { succeededData } from '../payment-events.ts';
import { findSucceededPayments } from '../payment-repository.ts';

/** Bookings calls this with the user's own token. */
export const listUserPayments = ({ pool }: Deps) =>
  handle(internalRoutes.userPayments, async ({ params }) => ({
    payments: (await findSucceededPayments(pool, params.userId)).map(succeededData),
  }));
