import { type Db, tooManyRequests } from '@lendtools/service-kit';
import type { BookingRow } from '../booking-repository.ts';
import type { HoldLimits } from '../domain/hold-limits.ts';
import { changedTooOften } from '../errors.ts';

/** A booking's changes that are done or were asked for, each with when it was. */
const counted =
  'booking_changes CROSS JOIN LATERAL coalesce(asked_at, done_at) AS at WHERE booking_id = $1 AND at IS NOT NULL';

/**
 * Each change that is done is kept for good, and each question sends emails whatever the answer, so a booking may have only so many; a
 * question counts until it is purged. What is held and not paid counts in `limitHolds` instead. Before a change, the booking must be
 * locked.
 * @returns how many changes the booking may still have, this one included: within a day, and in all
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
