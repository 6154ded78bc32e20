import { subscribeOnce } from '@lendtools/event-bus';
import { checkedByBookings } from '../checked-by-bookings.ts';
import type { Deps } from '../deps.ts';
import { requestRefund } from '../refund-repository.ts';

/** Paid, but no booking stands for it: the money goes back. */
export const refundWhenBookingRejected = (deps: Deps) =>
  checkedByBookings<'BookingRejected'>(
    deps,
    ({ data }) => ({ bookingId: null, refunds: [data] }),
    subscribeOnce('payments.refund-when-booking-rejected', deps.pool, async ({ data }, tx) => {
      await requestRefund(tx, {
        paymentId: data.paymentId,
        bookingId: null,
        amountCents: data.refundCents,
        reason: data.reason,
        toolNames: data.toolNames,
      });
    }),
  );
