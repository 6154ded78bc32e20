import { routes } from '@lendtools/contracts';
import { databaseNow, handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { disputeNotFound, notInquiry } from '../../domain/errors.ts';
import { paymentIdOfDispute, waiveInquiry as waive } from '../../store/dispute-repository.ts';
import { saveNextRelease } from '../../store/ledger-repository.ts';
import { lockPayment } from '../../store/payment-repository.ts';

/** The owners of the payment need not wait for the inquiry any more. If it becomes a dispute, they wait again. */
export const waiveInquiry = ({ pool }: Deps) =>
  handle(routes.waiveInquiry, ({ params, user }) =>
    inTransaction(pool, async (tx) => {
      const paymentId = await paymentIdOfDispute(tx, params.id);
      if (!paymentId) throw disputeNotFound();
      await lockPayment(tx, paymentId);
      const waivedAt = await waive(tx, params.id, user.userId);
      if (!waivedAt) throw notInquiry();
      const now = await databaseNow(tx);
      await saveNextRelease(tx, paymentId, { readAt: now, nextAt: now });
      return { waivedAt: waivedAt.toISOString() };
    }),
  );
