import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { requestRefunds } from '../request-refunds.ts';
import { verifyRefunds } from '../verify-refunds.ts';

export const refundWhenAdminGranted = (deps: Deps) =>
  verifyRefunds<'BookingRefundGranted'>(
    deps,
    ({ data }) => data,
    subscribeOnce('payments.refund-when-admin-granted', deps.pool, async ({ data }, tx) => {
      const { refunds, bookingId, grantId, toolName } = data;
      const order = { refunds, bookingId, grantId, toolNames: [toolName] };
      await requestRefunds(tx, { ...order, reason: 'admin' }, deps.logger);
    }),
  );
