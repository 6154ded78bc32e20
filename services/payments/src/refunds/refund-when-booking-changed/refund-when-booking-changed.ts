import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { requestRefunds } from '../request-refunds.ts';
import { verifyRefunds } from '../verify-refunds.ts';

export const refundWhenBookingChanged = (deps: Deps) =>
  verifyRefunds<'BookingChanged'>(
    deps,
    ({ data: { bookingId, changeId, refunds } }) => ({ bookingId, grantId: changeId, refunds }),
    subscribeOnce('payments.refund-when-booking-changed', deps.pool, async ({ data }, tx) => {
      const { refunds, bookingId, changeId: grantId, toolName } = data;
      const order = { refunds, bookingId, grantId, toolNames: [toolName] };
      await requestRefunds(tx, { ...order, reason: 'changed' }, deps.logger);
    }),
  );
