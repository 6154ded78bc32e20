import { maxPageSize, routes } from '@lendtools/contracts';
import { handle, type Identity, splitPage } from '@lendtools/service-kit';
import { readBookings } from '../../admin/read-bookings.ts';
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

const withBookings = async (deps: Deps, user: Identity, rows: Row[]) => {
  const bookingsOf = await readBookings(
    deps,
    user,
    rows.map(({ paymentId }) => paymentId),
  );
  return ({ paymentId, intentId, createdAt }: Row) => ({
    paymentId,
    createdAt: createdAt.toISOString(),
    stripeUrl: dashboardUrlOf(deps.config, intentId),
    bookings: bookingsOf(paymentId),
  });
};
