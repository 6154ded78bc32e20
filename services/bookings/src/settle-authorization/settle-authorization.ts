import { internalRoutes } from '@lendtools/contracts';
import { faultPoint, handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import { bookingsOfHold } from '../booking-repository.ts';
import type { Deps } from '../deps.ts';
import { databaseNow, type HoldRow, lockHold } from '../purchase-repository.ts';
import { lockBookingAndChange } from '../settle-change.ts';
import { advanceHold, recordAuthorization } from '../settle-purchase.ts';

/**
 * Payments reports the state of a hold's card authorization; the reply says whether to keep, capture or release it. Payments
 * repeats the call until nothing is left to do, so no lost event matters ([ADR 11](../../../../docs/adr/0011-bookings-on-request.md)).
 */
export const settleAuthorization = ({ pool }: Deps) =>
  handle(internalRoutes.settleAuthorization, ({ params, body }) =>
    inTransaction(pool, async (tx) => {
      const hold = await lockHold(tx, params.holdId);
      // The hold was purged, so it ended long ago.
      if (!hold) return { request: 'ended' as const };
      const { status, ...payment } = body;
      const known =
        status === 'authorized'
          ? await recordAuthorization(tx, hold, payment)
          : await advanceHold(tx, hold, {
              type: 'PaymentFailedForGood',
              now: await databaseNow(tx),
            });
      await faultPoint('authorize.beforeCommit');
      return { request: await requestOf(tx, known, payment.paymentId) };
    }),
  );

const requestOf = async (tx: Transaction, hold: HoldRow, paymentId: string) => {
  if (hold.status !== 'requested' || hold.authorizedBy !== paymentId) return 'ended';
  const changed = await lockBookingAndChange(tx, hold);
  const [request] = changed ? [changed.change] : await bookingsOfHold(tx, hold.id);
  return request?.acceptedAt ? 'accepted' : 'open';
};
