import { subscribeOnce } from '@lendtools/event-bus';
import { checkedByBookings } from '../checked-by-bookings.ts';
import type { Deps } from '../deps.ts';
import { requestRefunds } from '../request-refunds.ts';

export const refundWhenBookingCancelled = (deps: Deps) =>
  checkedByBookings<'BookingCancelled'>(
    deps,
    ({ data }) => data,
    subscribeOnce('payments.refund-when-booking-cancelled', deps.pool, async ({ data }, tx) => {
      const { refunds, bookingId, toolName } = data;
      const order = { refunds, bookingId, toolNames: [toolName] };
      await requestRefunds(tx, { ...order, reason: 'cancelled' }, deps.logger);
    }),
  );
