import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import { faultPoint } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { recordPayment } from '../settle-purchase.ts';

/** A paid hold becomes its bookings; one without a hold waits for `add-rental-booking` to allocate it. */
export const confirmBookingsWhenPaymentSucceeded = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.confirm-bookings-when-payment-succeeded', pool, async (event, tx) => {
    await recordPayment(tx, event.data);
    await faultPoint('confirm.beforeCommit');
  });
