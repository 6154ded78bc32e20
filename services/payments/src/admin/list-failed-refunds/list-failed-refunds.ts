import { maxPageSize, routes } from '@lendtools/contracts';
import { handle, splitPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { pageOfFailedRefunds } from '../../store/work-repository.ts';
import { dashboardUrlOf } from '../../stripe/stripe-api.ts';
import { readBookings } from '../read-bookings.ts';

export const listFailedRefunds = (deps: Deps) =>
  handle(routes.failedRefunds, async ({ user, query }) => {
    const { limit = maxPageSize, cursor } = query;
    const rows = await pageOfFailedRefunds(deps.pool, { after: cursor || null, limit: limit + 1 });
    const { items, nextCursor } = splitPage(
      rows.map((row) => ({ ...row, id: row.key })),
      limit,
    );
    const paymentIds = items.map(({ paymentId }) => paymentId);
    const bookingsOf = await readBookings(deps, user, paymentIds);
    const refunds = items.map(({ key, paymentId, amountCents, error, ...row }) => ({
      key,
      paymentId,
      amountCents,
      error,
      since: row.createdAt.toISOString(),
      nextTryAt: row.nextTryAt.toISOString(),
      stripeUrl: dashboardUrlOf(deps.config, row.intentId),
      bookings: bookingsOf(paymentId),
    }));
    return { refunds, nextCursor };
  });
