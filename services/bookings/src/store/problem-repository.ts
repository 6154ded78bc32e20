import type { BookingProblem, ProblemKind, ProblemReporter } from '@lendtools/contracts';
import { columns, type Db, type Transaction } from '@lendtools/service-kit';

export interface ProblemRow {
  id: string;
  bookingId: string;
  kind: ProblemKind;
  /** The user who reported the problem; null if the system opened it. */
  reportedBy: string | null;
  text: string;
  openedAt: Date;
  settledAt: Date | null;
  settledBy: string | null;
  /** The settling admin's message to both parties. */
  note: string;
}

const problemColumns = columns(
  'id bookingId kind reportedBy text openedAt settledAt settledBy note',
  'p',
);

/** @returns undefined if the reporter, or the system, already has an open problem of this kind */
export const insertProblem = async (
  tx: Transaction,
  booking: { id: string },
  { kind, reportedBy, text }: { kind: ProblemKind; reportedBy: string | null; text: string },
): Promise<ProblemRow | undefined> => {
  const { rows } = await tx.query<ProblemRow>(
    `INSERT INTO booking_problems AS p (booking_id, kind, reported_by, text) VALUES ($1, $2, $3, $4)
     ON CONFLICT (booking_id, kind, reported_by) WHERE settled_at IS NULL DO NOTHING RETURNING ${problemColumns}`,
    [booking.id, kind, reportedBy, text],
  );
  return rows[0];
};

export const saveSettlement = async (
  tx: Transaction,
  problem: ProblemRow,
  { adminId, note }: { adminId: string; note: string },
): Promise<ProblemRow> => {
  const { rows } = await tx.query<ProblemRow>(
    `UPDATE booking_problems p SET settled_at = now(), settled_by = $2, note = $3
     WHERE id = $1 RETURNING ${problemColumns}`,
    [problem.id, adminId, note],
  );
  return rows[0] as ProblemRow;
};

/** The booking of a problem. Lock the booking before the problem. */
export const findBookingOfProblem = async (db: Db, id: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ bookingId: string }>(
    `SELECT booking_id AS "bookingId" FROM booking_problems WHERE id = $1`,
    [id],
  );
  return rows[0]?.bookingId;
};

/** Locks a problem. Lock its booking first. */
export const lockProblem = async (tx: Transaction, id: string): Promise<ProblemRow | undefined> => {
  const { rows } = await tx.query<ProblemRow>(
    `SELECT ${problemColumns} FROM booking_problems p WHERE p.id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
};

export const hasOpenProblem = async (tx: Transaction, bookingId: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    'SELECT FROM booking_problems WHERE booking_id = $1 AND settled_at IS NULL LIMIT 1',
    [bookingId],
  );
  return rowCount !== 0;
};

export const findProblemsOf = async (db: Db, bookingId: string): Promise<ProblemRow[]> => {
  const { rows } = await db.query<ProblemRow>(
    `SELECT ${problemColumns} FROM booking_problems p WHERE p.booking_id = $1 ORDER BY p.id`,
    [bookingId],
  );
  return rows;
};

export const reporterOf = (
  { reportedBy }: Pick<ProblemRow, 'reportedBy'>,
  { userId }: { userId: string },
): ProblemReporter => {
  if (reportedBy === null) return 'system';
  return reportedBy === userId ? 'renter' : 'owner';
};

interface ListedRow extends ProblemRow {
  code: string;
  name: string;
  userId: string;
  ownerId: string;
  renterFirstName: string;
  renterLastName: string;
  ownerFirstName: string;
  ownerLastName: string;
  settlerFirstName: string;
  settlerLastName: string;
}

const listed = `SELECT ${problemColumns}, b.code, b.name, b.user_id AS "userId", b.owner_id AS "ownerId",
    coalesce(r.first_name, '') AS "renterFirstName", coalesce(r.last_name, '') AS "renterLastName",
    coalesce(o.first_name, '') AS "ownerFirstName", coalesce(o.last_name, '') AS "ownerLastName",
    coalesce(s.first_name, '') AS "settlerFirstName", coalesce(s.last_name, '') AS "settlerLastName"
  FROM booking_problems p
  JOIN bookings b ON b.id = p.booking_id
  LEFT JOIN people r ON r.id = b.user_id
  LEFT JOIN people o ON o.id = b.owner_id
  LEFT JOIN people s ON s.id = p.settled_by`;

/** A page of the open problems, oldest first, or of the settled problems, newest first. */
export const pageOfProblems = async (
  db: Db,
  { state, after, limit }: { state: 'open' | 'settled'; after: string | null; limit: number },
): Promise<BookingProblem[]> => {
  const { rows } = await db.query<ListedRow>(
    state === 'open'
      ? `${listed} WHERE p.settled_at IS NULL AND ($1::uuid IS NULL OR p.id > $1) ORDER BY p.id LIMIT $2`
      : `${listed} WHERE p.settled_at IS NOT NULL AND ($1::uuid IS NULL OR p.id < $1) ORDER BY p.id DESC LIMIT $2`,
    [after, limit],
  );
  return rows.map(toListed);
};

export const readProblem = async (db: Db, id: string): Promise<BookingProblem> => {
  const { rows } = await db.query<ListedRow>(`${listed} WHERE p.id = $1`, [id]);
  return toListed(rows[0] as ListedRow);
};

/** How many problems are open, and since when the oldest one is. */
export const sumOpenProblems = async (db: Db): Promise<{ count: number; since: Date | null }> => {
  const { rows } = await db.query<{ count: number; since: Date | null }>(
    'SELECT count(*)::int, min(opened_at) AS since FROM booking_problems WHERE settled_at IS NULL',
  );
  return rows[0] ?? { count: 0, since: null };
};

export const countOpenProblems = async (db: Db): Promise<number> => {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*) FROM booking_problems WHERE settled_at IS NULL',
  );
  return rows[0]?.count ?? 0;
};

const toListed = (row: ListedRow): BookingProblem => ({
  id: row.id,
  kind: row.kind,
  bookingId: row.bookingId,
  booking_code: row.code,
  name: row.name,
  renter: { id: row.userId, first_name: row.renterFirstName, last_name: row.renterLastName },
  owner: { id: row.ownerId, first_name: row.ownerFirstName, last_name: row.ownerLastName },
  by: reporterOf(row, row),
  text: row.text,
  openedAt: row.openedAt.toISOString(),
  settledAt: row.settledAt?.toISOString() ?? null,
  settledBy:
    row.settledBy === null
      ? null
      : {
          id: row.settledBy,
          first_name: row.settlerFirstName,
          last_name: row.settlerLastName,
        },
  note: row.note,
});
