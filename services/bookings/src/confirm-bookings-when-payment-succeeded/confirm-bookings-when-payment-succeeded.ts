import type { Event } from '@lendtools/contracts';
import { faultPoint, type Transaction } from '@lendtools/service-kit';
import { recordPayment } from '../payment-repository.ts';

/** A paid hold becomes its bookings; one without a hold waits for `add-rental-booking` to draw on it. */
export const confirmBookingsWhenPaymentSucceeded = async (
  event: Event<'PaymentSucceeded'>,
  tx: Transaction,
): Promise<void> => {
  await recordPayment(tx, event.data);
  await faultPoint('confirm.beforeCommit');
};
