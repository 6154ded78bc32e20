import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import { databaseNow } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { advanceHold } from '../../settle/settle-hold.ts';
import { lockHold } from '../../store/hold-repository.ts';

/** Ends a hold whose payment can no longer succeed, because a hold has only one payment. */
export const releaseHoldWhenPaymentFailed = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.release-hold-when-payment-failed', pool, async (event, tx) => {
    const { holdId, final } = event.data;
    if (!final || holdId === null) return;
    const hold = await lockHold(tx, holdId);
    if (!hold) return;
    await advanceHold(tx, hold, { type: 'PaymentFailedForGood', now: await databaseNow(tx) });
  });
