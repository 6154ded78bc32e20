import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { requestRefunds } from '../request-refunds.ts';
import { verifyRefunds } from '../verify-refunds.ts';

export const refundWhenBookingRejected = (deps: Deps) =>
  verifyRefunds<'BookingRejected'>(
    deps,
    ({ data }) => ({ bookingId: null, refunds: [data] }),
    subscribeOnce('payments.refund-when-booking-rejected', deps.pool, async ({ data }, tx) => {
      const { paymentId, refundCents, reason, toolNames } = data;
      const order = { refunds: [{ paymentId, refundCents }], bookingId: null, reason, toolNames };
      await requestRefunds(tx, order, deps.logger);
    }),
  );
