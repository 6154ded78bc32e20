import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { holdLimits } from '../domain/hold-limits.ts';
import { limitPayments } from './limit-payments.ts';

/** Payments calls this before it creates a payment without a hold. For a hold, `holdCart` checks the limit. */
export const checkPaymentLimit = ({ pool, config }: Deps) =>
  handle(internalRoutes.checkPaymentLimit, async ({ user }) => {
    const limits = holdLimits(config.RATE_LIMIT_FACTOR);
    const graceMinutes = config.PAYMENT_GRACE_MINUTES;
    await limitPayments(pool, user.userId, { limits, graceMinutes });
    return { message: 'Another payment may be started.' };
  });
