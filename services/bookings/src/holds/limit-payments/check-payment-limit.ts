import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { holdLimits } from '../../domain/hold-limits.ts';
import { limitPayments } from './limit-payments.ts';

/** The payments service calls this for a payment without a hold. For other payments, `holdCart` makes the check. */
export const checkPaymentLimit = ({ pool, config }: Deps) =>
  handle(internalRoutes.checkPaymentLimit, async ({ user }) => {
    const limits = holdLimits(config.RATE_LIMIT_FACTOR);
    await limitPayments(pool, user.userId, limits);
    return { message: 'Another payment may be started.' };
  });
