import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { findBookingsOfPayments } from '../../store/allocation-repository.ts';
import { bookingStatus } from '../../store/booking-view.ts';

/** The payments service calls this with an admin's token, for its lists of disputes and fraud warnings. */
export const listBookingsOfPayments = ({ pool }: Deps) =>
  handle(internalRoutes.bookingsOfPayments, async ({ query }) => {
    const paymentIds = query.payments.split(',');
    const rows = await findBookingsOfPayments(pool, paymentIds);
    const payments = paymentIds.map((paymentId) => ({
      paymentId,
      bookings: rows
        .filter((row) => row.paymentId === paymentId)
        .map(({ id, code, name, status, startsAt }) => ({
          id,
          booking_code: code,
          name,
          booking_status: bookingStatus[status],
          startsAt: startsAt.toISOString(),
        })),
    }));
    return { payments };
  });
