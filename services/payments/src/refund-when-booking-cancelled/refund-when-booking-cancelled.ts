import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { requestRefund } from '../refund-repository.ts';

/** Bookings decided how much goes back, of which payments. */
export const refundWhenBookingCancelled = ({ pool }: Deps) =>
  subscribeOnce('payments.refund-when-booking-cancelled', pool, async ({ data }, tx) => {
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
  });
