import { randomUUIDv7 } from 'node:crypto';
import type { AuditAction, AuditEntry, Role } from '@lendtools/contracts';
import { containing, type Db } from '@lendtools/service-kit';

export interface NewEntry {
  id: string;
  at: string;
  actorId: string | null;
  actorRole: Role | null;
  action: string;
  subject: string | null;
  details: AuditEntry['details'];
  network?: string | null;
  requestId: string | null;
}

/** No-op if it is stored already. */
export const insertEntry = async (db: Db, entry: NewEntry): Promise<void> => {
  const { id, at, actorId, actorRole, action, subject, details, network, requestId } = entry;
  await db.query(
    `INSERT INTO audit_entries (id, at, actor_id, actor_role, action, subject, details, network, request_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING`,
    [id, at, actorId, actorRole, action, subject, details, network ?? null, requestId],
  );
};

/** Records a command of the operator, who has no account. */
export const insertCommand = (
  db: Db,
  action: Extract<AuditAction, 'makeAdmin' | 'removeSecondFactor'>,
  subject: string,
): Promise<void> =>
  insertEntry(db, {
    id: randomUUIDv7(),
    at: new Date().toISOString(),
    actorId: null,
    actorRole: null,
    action,
    subject,
    details: {},
    requestId: null,
  });

export interface EntryFilter {
  who?: string | undefined;
  action?: AuditAction | undefined;
  subject?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

interface EntryRow extends Omit<AuditEntry, 'at' | 'actor'> {
  at: Date;
  actorId: string | null;
  firstName: string | null;
  lastName: string | null;
}

/** The users with entries who have this id, or this text in their name or email; null for an empty search. */
export const findActorIds = async (db: Db, who: string | undefined): Promise<string[] | null> => {
  const pattern = containing(who);
  if (!who || pattern === null) return null;
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM users u
     WHERE (id::text = $2 OR email ILIKE $1 OR first_name || ' ' || last_name ILIKE $1)
       AND EXISTS (SELECT FROM audit_entries WHERE actor_id = u.id)`,
    [pattern, who.trim().toLowerCase()],
  );
  return rows.map(({ id }) => id);
};

const dayMs = 86_400_000;

/**
 * The lowest UUIDv7 of the start of a day in UTC, some days and seconds later. An entry's id may be made a moment before or after its
 * `at`, so the seconds widen the range.
 */
const idAtStart = (day: string, days: number, seconds: number): string => {
  const ms = Date.parse(day) + days * dayMs + seconds * 1_000;
  const hex = Math.max(ms, 0).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

/** Lists entries before an id, newest first. Days also bound the id, so that a search for them reads no others. */
export const listEntries = async (
  db: Db,
  { actorIds, action, subject, from, to }: Omit<EntryFilter, 'who'> & { actorIds: string[] | null },
  { before, limit }: { before: string | undefined; limit: number },
): Promise<AuditEntry[]> => {
  const { rows } = await db.query<EntryRow>({
    text: `SELECT e.id, e.at, e.actor_id AS "actorId", u.first_name AS "firstName", u.last_name AS "lastName",
        e.actor_role AS role, e.action, e.subject, e.details, e.network, e.request_id AS "requestId"
      FROM audit_entries e LEFT JOIN users u ON u.id = e.actor_id
      WHERE ($1::uuid IS NULL OR e.id < $1)
        AND ($2::uuid[] IS NULL OR e.actor_id = ANY($2))
        AND ($3::text IS NULL OR e.action = $3)
        AND ($4::text IS NULL OR e.subject = $4)
        AND ($5::date IS NULL OR e.at >= $5::date::timestamp AT TIME ZONE 'UTC')
        AND ($6::date IS NULL OR e.at < ($6::date + 1)::timestamp AT TIME ZONE 'UTC')
        AND ($7::uuid IS NULL OR e.id >= $7)
        AND ($8::uuid IS NULL OR e.id < $8)
      ORDER BY e.id DESC LIMIT $9`,
    values: [
      before ?? null,
      actorIds,
      action ?? null,
      subject || null,
      from ?? null,
      to ?? null,
      from ? idAtStart(from, 0, -1) : null,
      to ? idAtStart(to, 1, 1) : null,
      limit,
    ],
  });
  return rows.map(toEntry);
};

const toEntry = ({ at, actorId, firstName, lastName, ...row }: EntryRow): AuditEntry => ({
  ...row,
  at: at.toISOString(),
  actor:
    actorId === null
      ? null
      : { id: actorId, first_name: firstName ?? '', last_name: lastName ?? '' },
});
