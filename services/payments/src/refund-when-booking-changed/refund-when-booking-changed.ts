import { subscribeOnce } from '@lendtools/event-bus';
import { checkedByBookings } from '../checked-by-bookings.ts';
import type { Deps } from '../deps.ts';
import { requestRefunds } from '../request-refunds.ts';

/** Refunds the difference when a change makes a booking cheaper: once per change, beside the booking's other refunds. */
export const refundWhenBookingChanged = (deps: Deps) =>
  checkedByBookings<'BookingChanged'>(
    deps,
    ({ data: { bookingId, changeId, refunds } }) => ({ bookingId, grantId: changeId, refunds }),
    subscribeOnce('payments.refund-when-booking-changed', deps.pool, async ({ data }, tx) => {
      const { refunds, bookingId, changeId: grantId, toolName } = data;
      const order = { refunds, bookingId, grantId, toolNames: [toolName] };
      await requestRefunds(tx, { ...order, reason: 'changed' }, deps.logger);
    }),
  );
