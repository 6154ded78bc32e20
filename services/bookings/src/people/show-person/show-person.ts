import { type PublicPerson, routes } from '@lendtools/contracts';
import { type Db, handle, type Identity } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { personNotFound } from '../../domain/errors.ts';
import { isHiddenFrom } from '../../store/block-repository.ts';

/** `GET /api/people/:id`: public, except to users who blocked the person or are blocked. Disabled and deleted people have no page. */
export const showPerson = ({ pool }: Deps) =>
  handle(routes.publicPerson, async ({ params, user }) => {
    const [profile, asOwner, asRenter, answers] = await Promise.all([
      findProfile(pool, params.id, user),
      sumAsOwner(pool, params.id),
      sumAsRenter(pool, params.id),
      sumAnswers(pool, params.id),
    ]);
    if (!profile) throw personNotFound();
    const memberSince = profile.memberSince.toISOString();
    return { person: { ...profile, memberSince, answers, asOwner, asRenter } };
  });

type Profile = Omit<PublicPerson, 'memberSince' | 'answers' | 'asOwner' | 'asRenter'> & {
  memberSince: Date;
};

/** An account's id is a UUIDv7, so it contains when the account was created. */
export const findProfile = async (
  db: Db,
  id: string,
  viewer: Identity | null,
): Promise<Profile | undefined> => {
  if (await isHiddenFrom(db, viewer, id)) return undefined;
  const { rows } = await db.query<Profile>(
    `SELECT id, first_name, last_initial(first_name, last_name) AS last_name, image, city, state,
       uuid_extract_timestamp(id) AS "memberSince", email_verified AS "emailVerified"
     FROM people WHERE id = $1 AND NOT EXISTS (SELECT FROM disabled_people d WHERE d.id = $1 AND d.disabled)`,
    [id],
  );
  return rows[0];
};

const sumAsOwner = async (db: Db, id: string): Promise<PublicPerson['asOwner']> => {
  const { rows } = await db.query<PublicPerson['asOwner']>(
    `SELECT count(*) FILTER (WHERE b.status IN ('returned', 'completed'))::int AS rentals, count(v.id)::int AS "reviewCount",
       coalesce(round(avg(v.rating), 2), 0)::float8 AS rating, coalesce(round(avg(v.owner_rating), 2), 0)::float8 AS "ownerRating"
     FROM bookings b
     LEFT JOIN reviews v ON v.booking_id = b.id AND v.hidden_at IS NULL AND v.published_at IS NOT NULL
     WHERE b.owner_id = $1 AND b.booked_at IS NOT NULL`,
    [id],
  );
  return rows[0] as PublicPerson['asOwner'];
};

const sumAsRenter = async (db: Db, id: string): Promise<PublicPerson['asRenter']> => {
  const { rows } = await db.query<PublicPerson['asRenter']>(
    `SELECT count(*) FILTER (WHERE b.status IN ('returned', 'completed'))::int AS rentals, count(v.id)::int AS "reviewCount",
       coalesce(round(avg(v.care), 2), 0)::float8 AS care, coalesce(round(avg(v.punctuality), 2), 0)::float8 AS punctuality,
       coalesce(round(avg(v.communication), 2), 0)::float8 AS communication
     FROM bookings b
     LEFT JOIN renter_reviews v ON v.booking_id = b.id AND v.hidden_at IS NULL AND v.published_at IS NOT NULL
     WHERE b.user_id = $1 AND b.booked_at IS NOT NULL`,
    [id],
  );
  return rows[0] as PublicPerson['asRenter'];
};

/** With fewer answers, the rate and the median would be arbitrary, so they are omitted. */
const fewestAnswers = 3;

/**
 * Counts what was answered, has lapsed, or has waited for a day. What its sender withdrew,
 * and questions of people whom the owner blocked, count only if they were answered.
 */
const sumAnswers = async (db: Db, ownerId: string): Promise<PublicPerson['answers']> => {
  const { rows } = await db.query<{ count: number; percent: number; medianMinutes: number | null }>(
    `WITH requested AS (
       SELECT a.requested_at AS sent_at, coalesce(a.answered_at, a.accepted_at) AS answered_at
       FROM bookings b JOIN approvals a ON a.booking_id = b.id
       WHERE b.owner_id = $1 AND b.status NOT IN ('held', 'expired') AND a.requested_at > now() - interval '30 days'
         AND (a.status IN ('pending', 'lapsed') OR a.answered_at IS NOT NULL OR a.accepted_at IS NOT NULL)
       UNION ALL
       SELECT sent_at, answered_at FROM question_answers q
       WHERE owner_id = $1 AND sent_at > now() - interval '30 days' AND (answered_at IS NOT NULL OR NOT is_continued
         AND NOT EXISTS (SELECT FROM blocks WHERE blocker_id = $1 AND blocked_id = q.renter_id AND blocked))
     ), counted AS (
       SELECT answered_at - sent_at AS taken FROM requested
       WHERE answered_at IS NOT NULL OR sent_at < now() - interval '24 hours'
     )
     SELECT count(*)::int, coalesce(round(100.0 * count(*) FILTER (WHERE taken <= interval '24 hours') / nullif(count(*), 0)), 0)::int
         AS percent,
       (extract(epoch FROM percentile_cont(0.5) WITHIN GROUP (ORDER BY taken)) / 60)::int AS "medianMinutes"
     FROM counted`,
    [ownerId],
  );
  const [sums] = rows;
  return sums && sums.count >= fewestAnswers ? sums : null;
};
