import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { succeededData } from '../../store/payment-events.ts';
import { findSucceededPayments } from '../../store/payment-repository.ts';

export const listUserPayments = ({ pool }: Deps) =>
  handle(internalRoutes.userPayments, async ({ params }) => ({
    payments: (await findSucceededPayments(pool, params.userId)).map(succeededData),
  }));
