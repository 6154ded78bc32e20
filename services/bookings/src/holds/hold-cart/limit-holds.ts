import { type Transaction, tooManyRequests } from '@lendtools/service-kit';
import { cartTooLarge, tooManyHolds } from '../../domain/errors.ts';
import type { HoldLimits } from '../../domain/hold-limits.ts';
import type { Tool } from '../../domain/price.ts';
import { isOpenSql } from '../../store/approval-repository.ts';

/** A renter's unpaid holds of the last 24 hours. */
const unpaid = `holds h WHERE h.user_id = $1 AND h.status <> 'paid' AND h.created_at > now() - interval '1 day'`;

/** The holds of one cart count as one. */
const cart = 'coalesce(h.cart_id, h.id)';

/** The number and unit-days (units times days) of unpaid holds. The hold of an ended change does not count as live. */
interface Held {
  live: number;
  lastHour: number;
  lastDay: number;
  liveUnitDays: number;
  lastDayUnitDays: number;
}

interface Requested {
  userId: string;
  unitDays: number;
  lines: { tool: Pick<Tool, 'id' | 'name'> }[];
  limits: HoldLimits;
}

/**
 * Limits unpaid holds. Call `lockHoldsOf` first: otherwise two concurrent requests could both pass.
 * @throws AppError TOO_MANY_HOLDS, CART_TOO_LARGE; TOO_MANY_REQUESTS for the limits of an hour or a day
 */
export const limitHolds = async (tx: Transaction, requested: Requested): Promise<void> => {
  const { userId, unitDays, limits } = requested;
  const { rows } = await tx.query<Held>(
    `SELECT count(DISTINCT ${cart}) FILTER (WHERE h.status = 'live' AND NOT is_over) AS live,
       count(DISTINCT ${cart}) FILTER (WHERE h.created_at > now() - interval '1 hour') AS "lastHour",
       count(*) FILTER (WHERE h.created_at > now() - interval '1 day') AS "lastDay",
       coalesce(sum(unit_days) FILTER (WHERE h.status IN ('live', 'requested') AND NOT is_over), 0) AS "liveUnitDays",
       coalesce(sum(unit_days) FILTER (WHERE h.created_at > now() - interval '1 day'), 0) AS "lastDayUnitDays"
     FROM holds h
     LEFT JOIN booking_changes c ON c.hold_id = h.id
     CROSS JOIN LATERAL (SELECT coalesce(c.status = 'ended', false) AS is_over) of_change
     WHERE h.user_id = $1 AND h.status <> 'paid'`,
    [userId],
  );
  const [held] = rows;
  if (!held) throw new Error('A count has no row');
  if (held.live >= limits.liveHolds) throw tooManyHolds();
  const live = held.liveUnitDays + (await changeUnitDaysOf(tx, userId));
  if (live + unitDays > limits.unitDaysAtOnce)
    throw cartTooLarge({ unitDays, live, most: limits.unitDaysAtOnce });
  if (held.lastHour >= limits.holdsAnHour) await rejectForAnHour(tx, requested);
  if (held.lastDayUnitDays + unitDays > limits.unitDaysADay) await rejectForTheDay(tx, requested);
  if (held.lastDay >= limits.holdsOfAToolADay) await limitHoldsOfTools(tx, requested);
};

/** Sums the unit-days that a renter's open change requests add without extra cost, and therefore without a hold. */
const changeUnitDaysOf = async (tx: Transaction, userId: string): Promise<number> => {
  const { rows } = await tx.query<{ unitDays: number }>(
    `SELECT coalesce(sum(ceil(extract(epoch FROM upper(u.during) - lower(u.during)) / 86400)), 0)::int AS "unitDays"
     FROM bookings b JOIN approvals a ON a.booking_id = b.id JOIN booking_units u ON u.change_id = a.change_id
     WHERE b.user_id = $1 AND a.hold_id IS NULL AND ${isOpenSql}`,
    [userId],
  );
  return rows[0]?.unitDays ?? 0;
};

const rejectForAnHour = async (tx: Transaction, { userId, limits }: Requested): Promise<never> => {
  const { rows } = await tx.query<{ seconds: number }>(
    `SELECT extract(epoch FROM max(h.created_at) + interval '1 hour' - now())::float8 AS seconds
     FROM ${unpaid} GROUP BY ${cart} ORDER BY max(h.created_at) DESC OFFSET $2 LIMIT 1`,
    [userId, limits.holdsAnHour - 1],
  );
  throw tooManyRequests(
    rows[0]?.seconds ?? 3_600,
    'You have started many carts within an hour without paying for them.',
  );
};

/** Rejects the request. `Retry-After` is the time until enough unit-days are older than a day. */
const rejectForTheDay = async (
  tx: Transaction,
  { userId, unitDays, limits }: Requested,
): Promise<never> => {
  const { rows } = await tx.query<{ seconds: number }>(
    `SELECT extract(epoch FROM created_at + interval '1 day' - now())::float8 AS seconds
     FROM (SELECT h.created_at, sum(h.unit_days) OVER (ORDER BY h.created_at DESC) AS younger FROM ${unpaid}) s
     WHERE younger > $2 ORDER BY created_at DESC LIMIT 1`,
    [userId, limits.unitDaysADay - unitDays],
  );
  throw tooManyRequests(
    rows[0]?.seconds ?? 86_400,
    'You have reserved a lot today without paying for it. Please pay for a cart first.',
  );
};

const limitHoldsOfTools = async (
  tx: Transaction,
  { userId, lines, limits }: Requested,
): Promise<void> => {
  const { rows } = await tx.query<{ toolId: string; seconds: number }>(
    `SELECT b.tool_id AS "toolId", extract(epoch FROM
       (array_agg(DISTINCT h.created_at ORDER BY h.created_at DESC))[$3::int] + interval '1 day' - now()
     )::float8 AS seconds
     FROM bookings b, ${unpaid} AND (b.hold_id = h.id OR b.id = h.changes_booking_id) AND b.tool_id = ANY($2)
     GROUP BY b.tool_id HAVING count(DISTINCT ${cart}) >= $3::int LIMIT 1`,
    [userId, lines.map(({ tool }) => tool.id), limits.holdsOfAToolADay],
  );
  for (const { toolId, seconds } of rows) {
    const name = lines.find(({ tool }) => tool.id === toolId)?.tool.name;
    throw tooManyRequests(
      seconds,
      `You have reserved “${name}” many times today without paying for it.`,
    );
  }
};
