import { type Db, tooManyRequests } from '@lendtools/service-kit';
import type { BookingRow } from '../booking-repository.ts';
import type { HoldLimits } from '../domain/hold-limits.ts';
import { changedTooOften } from '../errors.ts';

/** A booking's changes that were requested or made, each with its time. */
const counted =
  'booking_changes CROSS JOIN LATERAL coalesce(asked_at, done_at) AS at WHERE booking_id = $1 AND at IS NOT NULL';

/**
 * Limits the changes of a booking, since a change that was made is stored forever and a change request sends emails. A
 * request counts until it is purged. Unpaid changes count in `limitHolds` instead. Lock the booking before changing it.
 * @returns how many changes are left, including this one: within a day, and in all
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
