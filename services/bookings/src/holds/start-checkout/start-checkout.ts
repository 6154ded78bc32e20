import { internalRoutes } from '@lendtools/contracts';
import { databaseNow, forbidden, handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { holdExpired, holdNotFound, holdPaid } from '../../domain/errors.ts';
import { advanceHold } from '../../settle/settle-hold.ts';
import { isHoldBlocked } from '../../store/block-repository.ts';
import { findOtherHoldsOfCart, lockHold } from '../../store/hold-repository.ts';

/** Records that the payment has started, so that the hold does not expire before Stripe reports the result. */
export const startCheckout = ({ pool }: Deps) =>
  handle(internalRoutes.checkout, ({ user, params }) =>
    inTransaction(pool, async (tx) => {
      const hold = await lockHold(tx, params.holdId);
      if (!hold) throw holdNotFound();
      if (hold.userId !== user.userId) throw forbidden();
      if (hold.status === 'paid' || hold.status === 'requested') throw holdPaid();
      const now = await databaseNow(tx);
      if (hold.status === 'ended' || hold.expiresAt <= now) throw holdExpired();
      if (hold.paymentStartedAt === null && (await isHoldBlocked(tx, hold))) throw holdExpired();
      await advanceHold(tx, hold, { type: 'PaymentStarted', now });
      return {
        amountCents: hold.amountCents,
        currency: 'usd' as const,
        expiresAt: hold.expiresAt.toISOString(),
        userId: hold.userId,
        onRequest: hold.onRequest,
        otherHoldIds: await findOtherHoldsOfCart(tx, hold),
      };
    }),
  );
