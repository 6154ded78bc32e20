import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { databaseNow, lockHold } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';

/** Ends a hold whose payment can no longer succeed: a hold has only one. */
export const releaseHoldWhenPaymentFailed = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.release-hold-when-payment-failed', pool, async (event, tx) => {
    const { holdId, final } = event.data;
    if (!final || holdId === null) return;
    const hold = await lockHold(tx, holdId);
    if (!hold) return;
    await advanceHold(tx, hold, { type: 'PaymentFailedForGood', now: await databaseNow(tx) });
  });
