import { type Consumer, subscribe, subscribeOnce } from '@lendtools/event-bus';
import { faultPoint } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { settleOrRefund } from '../refund-unsettled-payment.ts';
import { recordPayment } from '../settle-hold.ts';

const queue = 'bookings.confirm-bookings-when-payment-succeeded';

/** Confirms the bookings of a paid hold. A payment without a hold waits for `add-rental-booking` to use it. */
export const confirmBookingsWhenPaymentSucceeded = (deps: Deps): Consumer => {
  const settle = subscribeOnce(queue, deps.pool, async (event, tx) => {
    await recordPayment(tx, event.data);
    await faultPoint('confirm.beforeCommit');
  });
  return subscribe(queue, async (event) => {
    await settleOrRefund(deps, { payment: event.data }, () => settle.handle(event));
  });
};
