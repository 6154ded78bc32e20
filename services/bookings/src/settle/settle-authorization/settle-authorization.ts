import { internalRoutes } from '@lendtools/contracts';
import {
  databaseNow,
  faultPoint,
  handle,
  inTransaction,
  type Transaction,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { findStatusOfHold } from '../../store/approval-repository.ts';
import { type HoldRow, lockHold } from '../../store/hold-repository.ts';
import { advanceHold, recordAuthorization } from '../settle-hold.ts';

/** Replies whether to keep, capture or release a card. The payments service polls, so lost events do no harm (ADR 11). */
export const settleAuthorization = ({ pool }: Deps) =>
  handle(internalRoutes.settleAuthorization, ({ params, body }) =>
    inTransaction(pool, async (tx) => {
      const hold = await lockHold(tx, params.holdId);
      // Reply `ended` for an unknown hold: it was purged long after its end.
      if (!hold) return { approval: 'ended' as const };
      const { status, ...payment } = body;
      const known =
        status === 'authorized'
          ? await recordAuthorization(tx, hold, payment)
          : await advanceHold(tx, hold, {
              type: 'PaymentFailedForGood',
              now: await databaseNow(tx),
            });
      await faultPoint('authorize.beforeCommit');
      return { approval: await approvalOf(tx, known, payment.paymentId) };
    }),
  );

const approvalOf = async (tx: Transaction, hold: HoldRow, paymentId: string) => {
  if (hold.status !== 'requested' || hold.authorizedBy !== paymentId) return 'ended';
  const status = await findStatusOfHold(tx, hold.id);
  return status === 'pending' || status === 'accepted' ? status : 'ended';
};
