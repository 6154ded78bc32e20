import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { requestRefunds } from '../request-refunds.ts';
import { verifyRefunds } from '../verify-refunds.ts';

export const refundWhenBookingCancelled = (deps: Deps) =>
  verifyRefunds<'BookingCancelled'>(
    deps,
    ({ data }) => data,
    subscribeOnce('payments.refund-when-booking-cancelled', deps.pool, async ({ data }, tx) => {
      const { refunds, bookingId, toolName } = data;
      const order = { refunds, bookingId, toolNames: [toolName] };
      await requestRefunds(tx, { ...order, reason: 'cancelled' }, deps.logger);
    }),
  );
