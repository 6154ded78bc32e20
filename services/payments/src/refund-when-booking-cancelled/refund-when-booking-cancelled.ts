import { subscribeOnce } from '@lendtools/event-bus';
import { checkedByBookings } from '../checked-by-bookings.ts';
import type { Deps } from '../deps.ts';
import { requestRefund } from '../refund-repository.ts';

/** Bookings decided how much goes back, of which payments. */
export const refundWhenBookingCancelled = (deps: Deps) =>
  checkedByBookings<'BookingCancelled'>(
    deps,
    ({ data }) => data,
    subscribeOnce('payments.refund-when-booking-cancelled', deps.pool, async ({ data }, tx) => {
      // In id order: two cancellations that draw on the same payments must lock them the same way round.
      const refunds = [...data.refunds].sort((a, b) => a.paymentId.localeCompare(b.paymentId));
      for (const { paymentId, refundCents } of refunds) {
        await requestRefund(tx, {
          paymentId,
          bookingId: data.bookingId,
          amountCents: refundCents,
          reason: 'cancelled',
          toolNames: [data.toolName],
        });
      }
    }),
  );
