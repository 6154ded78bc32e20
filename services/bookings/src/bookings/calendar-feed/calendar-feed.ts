import {
  type CalendarEntry,
  calendarFile,
  fillPath,
  internalRoutes,
  pickUpPlace,
  routes,
} from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import {
  call,
  type Db,
  handle,
  hashToken,
  inTransaction,
  newToken,
  scaled,
  spend,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { calendarNotFound } from '../../domain/errors.ts';
import { isPlaceHiddenSql } from '../../store/block-repository.ts';

const pastDays = 90;
const mostEntries = 500;

export const calendarFeed = ({ pool }: Deps) =>
  handle(routes.calendarFeed, async ({ user }) => {
    const { rows } = await pool.query<{ since: Date }>(
      'SELECT since FROM calendar_feeds WHERE user_id = $1',
      [user.userId],
    );
    return { since: rows[0]?.since.toISOString() ?? null };
  });

/** Renewals of a calendar's address are limited, because each sends an email. */
const renewalsADay = (factor: number) => ({
  kind: 'calendar-renewals',
  limit: scaled(10, factor),
  windowSeconds: 86_400,
  rejection: 'You have renewed your calendar’s address many times today.',
});

/** `POST …/calendar-feed`: replaces the address. Requires the password, because an address outlives a stolen token. */
export const renewCalendarFeed = ({ pool, accounts, config }: Deps) =>
  handle(routes.renewCalendarFeed, async ({ user, body }) => {
    const { userId, token } = user;
    await call(accounts, internalRoutes.checkPassword, {
      params: { userId },
      body,
      token,
      timeoutMs: 5_000,
    });
    const secret = newToken();
    const since = await inTransaction(pool, async (tx) => {
      await spend(tx, userId, renewalsADay(config.RATE_LIMIT_FACTOR));
      const { rows } = await tx.query<{ since: Date }>(
        `INSERT INTO calendar_feeds (user_id, secret_hash) VALUES ($1, $2)
         ON CONFLICT (user_id) DO UPDATE SET secret_hash = EXCLUDED.secret_hash, since = now()
         RETURNING since`,
        [userId, hashToken(secret)],
      );
      await addToOutbox(
        tx,
        newEvent('CalendarFeedCreated', { id: userId, version: 1 }, { userId }),
      );
      return rows[0]?.since.toISOString() ?? null;
    });
    const path = fillPath(routes.readCalendarFeed.path, { name: `${secret}.ics` });
    return { path, since };
  });

export const stopCalendarFeed = ({ pool }: Deps) =>
  handle(routes.stopCalendarFeed, async ({ user }) => {
    await pool.query('DELETE FROM calendar_feeds WHERE user_id = $1', [user.userId]);
    return { message: 'Your calendar’s address has ended.' };
  });

/** `GET /api/calendars/:name`: for calendar apps, which authenticate only by the secret in the address. */
export const readCalendarFeed = ({ pool }: Deps) =>
  handle(routes.readCalendarFeed, async ({ params, response }) => {
    const secret = params.name.replace(/\.ics$/, '');
    const { rows } = await pool.query<{ userId: string }>(
      'SELECT user_id AS "userId" FROM calendar_feeds WHERE secret_hash = $1',
      [hashToken(secret)],
    );
    if (!rows[0]) throw calendarNotFound();
    const entries = await entriesOf(pool, rows[0].userId);
    response.set('Cache-Control', 'private, no-cache').type('text/calendar');
    response.send(calendarFile(entries, { isFeed: true }));
    return undefined;
  });

interface Row extends Omit<CalendarEntry, 'startsAt' | 'endsAt' | 'changedAt' | 'place'> {
  startsAt: Date;
  endsAt: Date;
  changedAt: Date;
  isPlaceHidden: boolean;
  /** The other party's street address. */
  address: string;
  city: string;
  state: string;
}

/** A user's bookings and open requests. Shows the pick-up place only to the renter of a paid, not cancelled booking, unless a block hides it. */
const entriesOf = async (db: Db, userId: string): Promise<CalendarEntry[]> => {
  const { rows } = await db.query<Row>(
    `SELECT b.id, b.name AS "toolName", b.code AS "bookingCode", b.starts_at AS "startsAt", b.ends_at AS "endsAt",
       coalesce(b.cancelled_at, b.returned_at, b.changed_at, b.booked_at, b.created_at) AS "changedAt", b.status = 'cancelled' AS "isCancelled",
       b.change_count AS "changeCount",
       b.booked_at IS NULL AS "isRequest", ${isPlaceHiddenSql} AS "isPlaceHidden",
       coalesce(p.first_name, '') AS other, CASE WHEN b.user_id = $1 THEN 'renter' ELSE 'owner' END AS as,
       coalesce(p.address, '') AS address, coalesce(p.city, '') AS city, coalesce(p.state, '') AS state
     FROM bookings b
     LEFT JOIN people p ON p.id = CASE WHEN b.user_id = $1 THEN b.owner_id ELSE b.user_id END
     WHERE (b.booked_at IS NOT NULL OR b.status = 'requested') AND (b.user_id = $1 OR b.owner_id = $1) AND b.ends_at > now() - $2 * interval '1 day'
     ORDER BY b.ends_at < now(), CASE WHEN b.ends_at >= now() THEN b.starts_at END, b.ends_at DESC LIMIT $3`,
    [userId, pastDays, mostEntries],
  );
  return rows.map(
    ({ address, city, state, startsAt, endsAt, changedAt, isPlaceHidden, ...row }) => {
      const isTheirs = row.as === 'renter' && !row.isCancelled && !row.isRequest && !isPlaceHidden;
      return {
        ...row,
        place: isTheirs ? pickUpPlace({ address, city, state }) : undefined,
        startsAt: startsAt.toISOString(),
        endsAt: endsAt.toISOString(),
        changedAt: changedAt.toISOString(),
      };
    },
  );
};
