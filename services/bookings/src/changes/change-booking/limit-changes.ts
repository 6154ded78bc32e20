import { type Db, tooManyRequests } from '@lendtools/service-kit';
import { changedTooOften } from '../../domain/errors.ts';
import type { HoldLimits } from '../../domain/hold-limits.ts';
import type { BookingRow } from '../../store/booking-repository.ts';

/** Selects the changes that count towards a booking's limits: requested ones and applied ones, each with its time. */
const counted = `booking_changes c LEFT JOIN approvals a ON a.change_id = c.id
  CROSS JOIN LATERAL coalesce(a.requested_at, c.done_at) AS at WHERE c.booking_id = $1 AND at IS NOT NULL`;

/**
 * Limits a booking's changes, because each is stored forever and sends emails. Lock the booking first.
 * @returns how many more are allowed within a day and in all, including this one
 * @throws AppError TOO_MANY_REQUESTS
 */
export const limitChanges = async (
  db: Db,
  { id }: BookingRow,
  { changesADay, changesInAll }: HoldLimits,
): Promise<{ today: number; inAll: number }> => {
  const { rows } = await db.query<{ today: number; inAll: number; freeInSeconds: number | null }>(
    `SELECT count(*) FILTER (WHERE at > now() - interval '1 day')::int AS today, count(*)::int AS "inAll",
       (array_agg(extract(epoch FROM at + interval '1 day' - now())::float8 ORDER BY at DESC))[$2] AS "freeInSeconds"
     FROM ${counted}`,
    [id, changesADay],
  );
  const [{ today, inAll, freeInSeconds } = { today: 0, inAll: 0, freeInSeconds: null }] = rows;
  if (inAll >= changesInAll) throw changedTooOften();
  if (today >= changesADay)
    throw tooManyRequests(
      freeInSeconds ?? 0,
      'You have asked to change or changed this booking many times today.',
    );
  return { today: changesADay - today, inAll: changesInAll - inAll };
};
