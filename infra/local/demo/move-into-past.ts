import type { ServiceName } from '@lendtools/contracts';
import { runTasksNow } from '@lendtools/service-kit';
import { connect, inMongo } from '../databases.ts';
import type { Story } from './stories.ts';

/** @property after ids of objects that must be created before this object */
export interface Made {
  id: string;
  after: string[];
  /** Set if the day is fixed; otherwise `planPast` chooses one. */
  daysAgo?: number;
}

/** The API can't book past days, so past rentals are booked this many days later and then moved back. */
export const movedBackDays = 56;

type Kind = 'people' | 'tools' | 'bookings';

interface Period {
  kind: Kind;
  database: ServiceName;
  table: string;
  moments: string[];
  from: number;
}

const periods: Period[] = [
  { kind: 'people', database: 'accounts', table: 'users', moments: ['created_at'], from: 28 },
  { kind: 'tools', database: 'catalog', table: 'tools', moments: ['created_at'], from: 21 },
  {
    kind: 'bookings',
    database: 'bookings',
    table: 'bookings',
    moments: ['created_at', 'booked_at'],
    from: 14,
  },
];

export function bookedDaysAgo({ startsIn }: Pick<Story, 'startsIn'>): number {
  return startsIn < 0 ? 1.6 - startsIn : 1 / (1 + startsIn);
}

/** Spreads the demo over four weeks. The API creates everything today, so an admin's chart would have only one bar. */
export async function moveIntoPast(
  databases: Record<ServiceName, string>,
  made: Record<Kind, Made[]>,
): Promise<void> {
  const daysAgo = planPast(made);
  for (const { kind, database, table, moments } of periods) {
    const ids = made[kind].map(({ id }) => id);
    await query(
      databases[database],
      `UPDATE ${table} SET ${moments.map((moment) => `${moment} = now() - ago`).join()}
       FROM (SELECT id AS moved, days * interval '1 day' AS ago
             FROM unnest($1::uuid[], $2::float8[]) AS each (id, days)) AS moves
       WHERE id = moved`,
      [ids, ids.map((id) => daysAgo.get(id))],
    );
  }
  const bookings = made.bookings.map(({ id }) => id);
  await query(
    databases.bookings,
    `UPDATE bookings SET returned_at = least(ends_at, now())
     WHERE id = ANY($1) AND returned_at IS NOT NULL`,
    [bookings],
  );
  await query(
    databases.bookings,
    `UPDATE booking_problems p SET opened_at = least(b.ends_at + interval '5 hours', now())
     FROM bookings b WHERE b.id = p.booking_id AND b.id = ANY($1)`,
    [bookings],
  );
  await query(
    databases.bookings,
    `UPDATE reviews r SET created_at = least(b.ends_at + interval '3 hours', now())
     FROM bookings b WHERE b.id = r.booking_id AND b.id = ANY($1)`,
    [bookings],
  );
  await runTasks(databases.bookings);
}

/** Moves a rental back by eight weeks in its local time. Idempotent. */
export async function moveRentalBack(database: string, bookingId: string): Promise<void> {
  const back = (moment: string) =>
    `(${moment} AT TIME ZONE b.time_zone - interval '${movedBackDays} days') AT TIME ZONE b.time_zone`;
  await query(
    database,
    `WITH b AS (
       SELECT id, time_zone FROM bookings
       WHERE id = $1 AND starts_at > now() + interval '${movedBackDays / 2} days'
     ), units AS (
       UPDATE booking_units u SET during = tstzrange(${back('lower(u.during)')}, ${back('upper(u.during)')})
       FROM b WHERE u.booking_id = b.id
     )
     UPDATE bookings x SET starts_at = ${back('x.starts_at')}, ends_at = ${back('x.ends_at')},
       start_date = (x.start_date::date - ${movedBackDays})::text,
       end_date = (x.end_date::date - ${movedBackDays})::text
     FROM b WHERE x.id = b.id`,
    [bookingId],
  );
  await runTasks(database);
}

async function runTasks(database: string): Promise<void> {
  const client = await connect(database);
  try {
    await runTasksNow(client);
  } finally {
    await client.end();
  }
}

/** Verifies the email addresses of the demo's people, who cannot follow an emailed link. */
export async function verifyEmails(
  databases: Record<ServiceName, string>,
  people: string[],
): Promise<void> {
  const flagged = { catalog: 'owners', bookings: 'people' } as const;
  await query(
    databases.accounts,
    'UPDATE users SET email_verified_at = coalesce(email_verified_at, now()) WHERE id = ANY($1)',
    [people],
  );
  for (const database of ['catalog', 'bookings'] as const)
    await query(
      databases[database],
      `UPDATE ${flagged[database]} SET email_verified = true WHERE id = ANY($1)`,
      [people],
    );
  await inMongo(databases.notifications, async (db) => {
    const collection = db.collection<{ _id: string }>('people');
    await collection.updateMany({ _id: { $in: people } }, { $set: { emailVerified: true } });
  });
}

/**
 * Chooses how many days ago each object was created. Objects keep their order and come after all objects in their
 * `after`. If an object has a fixed `daysAgo`, the objects in its `after` may move further back.
 */
export function planPast(made: Record<Kind, Made[]>): Map<string, number> {
  const daysAgo = new Map<string, number>();
  const atLeast = new Map<string, number>();
  const all = Object.values(made).flat();
  for (const { daysAgo: known, after } of [...all].reverse()) {
    if (known !== undefined)
      for (const id of after) atLeast.set(id, Math.max(atLeast.get(id) ?? 0, known + 0.7));
  }
  for (const { id, after } of made.tools)
    for (const owner of after)
      atLeast.set(owner, Math.max(atLeast.get(owner) ?? 0, (atLeast.get(id) ?? 0) + 0.7));
  for (const { kind, from } of periods) {
    made[kind].forEach(({ id, after, daysAgo: known }, place, { length }) => {
      const possible = Math.min(from, ...after.map((other) => daysAgo.get(other) ?? from));
      const spread = possible * Math.sqrt(1 - (place + 0.5) / length);
      daysAgo.set(id, known ?? Math.max(spread, atLeast.get(id) ?? 0));
    });
  }
  return daysAgo;
}

async function query(database: string, text: string, values: unknown[]): Promise<void> {
  const client = await connect(database);
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
}
