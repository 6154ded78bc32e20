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

/** Lists entries before an id, newest first. */
export const listEntries = async (
  db: Db,
  { who, action, subject, from, to }: EntryFilter,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<AuditEntry[]> => {
  const { rows } = await db.query<EntryRow>({
    text: `SELECT e.id, e.at, e.actor_id AS "actorId", u.first_name AS "firstName", u.last_name AS "lastName",
        e.actor_role AS role, e.action, e.subject, e.details, e.network, e.request_id AS "requestId"
      FROM audit_entries e LEFT JOIN users u ON u.id = e.actor_id
      WHERE ($1::uuid IS NULL OR e.id < $1)
        AND ($2::text IS NULL OR e.actor_id IN (
          SELECT id FROM users WHERE id::text = $3 OR email ILIKE $2 OR first_name || ' ' || last_name ILIKE $2))
        AND ($4::text IS NULL OR e.action = $4)
        AND ($5::text IS NULL OR e.subject = $5)
        AND ($6::date IS NULL OR e.at >= $6::date::timestamp AT TIME ZONE 'UTC')
        AND ($7::date IS NULL OR e.at < ($7::date + 1)::timestamp AT TIME ZONE 'UTC')
      ORDER BY e.id DESC LIMIT $8`,
    values: [
      before ?? null,
      containing(who),
      who?.toLowerCase() ?? null,
      action ?? null,
      subject || null,
      from ?? null,
      to ?? null,
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
