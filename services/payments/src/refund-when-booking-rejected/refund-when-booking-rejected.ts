import { subscribeOnce } from '@lendtools/event-bus';
import { checkedByBookings } from '../checked-by-bookings.ts';
import type { Deps } from '../deps.ts';
import { requestRefunds } from '../request-refunds.ts';

/** Refunds a payment that did not become a booking. */
export const refundWhenBookingRejected = (deps: Deps) =>
  checkedByBookings<'BookingRejected'>(
    deps,
    ({ data }) => ({ bookingId: null, refunds: [data] }),
    subscribeOnce('payments.refund-when-booking-rejected', deps.pool, async ({ data }, tx) => {
      const { paymentId, refundCents, reason, toolNames } = data;
      const order = { refunds: [{ paymentId, refundCents }], bookingId: null, reason, toolNames };
      await requestRefunds(tx, order, deps.logger);
    }),
  );
