import { internalRoutes, maxPageSize, routes } from '@lendtools/contracts';
import { call, handle, type Identity, splitPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { pageOfDecidedDisputes, pageOfOpenDisputes } from '../../store/dispute-repository.ts';
import { pageOfEndedWarnings, pageOfOpenWarnings } from '../../store/fraud-warning-repository.ts';
import { dashboardUrlOf } from '../../stripe/stripe-api.ts';

export const listDisputes = (deps: Deps) =>
  handle(routes.disputes, async ({ user, query }) => {
    const { limit = maxPageSize, cursor = null, when } = query;
    const read = when === 'open' ? pageOfOpenDisputes : pageOfDecidedDisputes;
    const rows = await read(deps.pool, { limit: limit + 1, after: cursor });
    const { items, nextCursor } = splitPage(rows.map(withId('disputeId')), limit);
    const show = await withBookings(deps, user, items);
    const disputes = items.map(
      ({ id, state, status, reason, amountCents, paidCents, answerBy, waivedAt, ...dispute }) => ({
        id,
        state,
        status,
        reason,
        amountCents,
        paidCents,
        answerBy: answerBy?.toISOString() ?? null,
        waivedAt: waivedAt?.toISOString() ?? null,
        ...show(dispute),
      }),
    );
    return { disputes, nextCursor };
  });

export const listFraudWarnings = (deps: Deps) =>
  handle(routes.fraudWarnings, async ({ user, query }) => {
    const { limit = maxPageSize, cursor = null, when } = query;
    const read = when === 'open' ? pageOfOpenWarnings : pageOfEndedWarnings;
    const rows = await read(deps.pool, { limit: limit + 1, after: cursor });
    const { items, nextCursor } = splitPage(rows.map(withId('warningId')), limit);
    const show = await withBookings(deps, user, items);
    const warnings = items.map(({ id, fraudType, isActionable, amountCents, ...warning }) => ({
      id,
      fraudType,
      isActionable,
      amountCents,
      ...show(warning),
    }));
    return { warnings, nextCursor };
  });

const withId =
  <K extends string>(key: K) =>
  <T extends Record<K, string>>(row: T): T & { id: string } => ({ ...row, id: row[key] });

interface Row {
  paymentId: string;
  intentId: string;
  createdAt: Date;
}

const withBookings = async ({ config, bookings }: Deps, { token }: Identity, rows: Row[]) => {
  const ids = [...new Set(rows.map(({ paymentId }) => paymentId))];
  const query = { payments: ids.join() };
  const { payments } =
    ids.length === 0
      ? { payments: [] }
      : await call(bookings, internalRoutes.bookingsOfPayments, { query, token, timeoutMs: 3_000 });
  return ({ paymentId, intentId, createdAt }: Row) => ({
    paymentId,
    createdAt: createdAt.toISOString(),
    stripeUrl: dashboardUrlOf(config, intentId),
    bookings: payments.find((one) => one.paymentId === paymentId)?.bookings ?? [],
  });
};
