import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { requestRefund } from '../refund-repository.ts';

/** Paid, but no booking stands for it: the money goes back. */
export const refundWhenBookingRejected = ({ pool }: Deps) =>
  subscribeOnce('payments.refund-when-booking-rejected', pool, ({ data }, tx) =>
    requestRefund(tx, {
      paymentId: data.paymentId,
      bookingId: null,
      amountCents: data.refundCents,
      reason: data.reason,
      toolNames: data.toolNames,
    }),
  );
