import { subscribeOnce } from '@lendtools/event-bus';
import { checkedByBookings } from '../checked-by-bookings.ts';
import type { Deps } from '../deps.ts';
import { requestRefunds } from '../request-refunds.ts';

export const refundWhenAdminGranted = (deps: Deps) =>
  checkedByBookings<'BookingRefundGranted'>(
    deps,
    ({ data }) => data,
    subscribeOnce('payments.refund-when-admin-granted', deps.pool, async ({ data }, tx) => {
      const { refunds, bookingId, grantId, toolName } = data;
      const order = { refunds, bookingId, grantId, toolNames: [toolName] };
      await requestRefunds(tx, { ...order, reason: 'admin' }, deps.logger);
    }),
  );
