import type { Event } from '@lendtools/contracts';
import type { Transaction } from '@lendtools/service-kit';
import { advance, databaseNow, lockHold } from '../purchase-repository.ts';

/** A hold that waited for a payment need not wait any longer once that payment can't succeed. */
export const releaseHoldWhenPaymentFailed = async (
  event: Event<'PaymentFailed'>,
  tx: Transaction,
): Promise<void> => {
  const { holdId, final } = event.data;
  if (!final || holdId === null) return;
  const hold = await lockHold(tx, holdId);
  if (!hold) return;
  await advance(tx, hold, { type: 'PaymentFailedForGood', now: await databaseNow(tx) });
};
