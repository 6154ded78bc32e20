import type {
  Report,
  ReportDecision,
  ReportedKind,
  ReportReason,
  ReportSide,
} from '@lendtools/contracts';
import { columns, type Db, hashToken, newToken, type Transaction } from '@lendtools/service-kit';

/** Content as it was when it was reported. */
export interface Snapshot {
  title: string;
  content: string;
  images: string[];
  authorId: string;
  bookingId: string | null;
}

export interface NewReport extends Snapshot {
  about: ReportedKind;
  contentId: string;
  reason: ReportReason;
  text: string;
  /** A user, or the email of a reporter without an account. */
  from: { userId: string } | { email: string };
}

export interface StoredReport extends Omit<NewReport, 'from'> {
  id: string;
  number: number;
  version: number;
  reporterId: string | null;
  reporterEmail: string | null;
  decision: ReportDecision | null;
  /** Whether it hides the content. */
  hides: boolean;
}

const stored = columns(
  'id number version about contentId title content images authorId bookingId reason text reporterId reporterEmail decision hides',
);

/** Adds a report, unless the same user's report about the same content still waits. */
export const insertReport = async (
  tx: Transaction,
  report: NewReport,
): Promise<StoredReport | undefined> => {
  const { from } = report;
  const { rows } = await tx.query<StoredReport>(
    `INSERT INTO reports (about, content_id, title, content, images, author_id, booking_id, reason, text, reporter_id, reporter_email)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (reporter_id, about, content_id) WHERE waiting_since IS NOT NULL DO NOTHING RETURNING ${stored}`,
    [
      report.about,
      report.contentId,
      report.title,
      report.content,
      report.images,
      report.authorId,
      report.bookingId,
      report.reason,
      report.text,
      'userId' in from ? from.userId : null,
      'email' in from ? from.email : null,
    ],
  );
  return rows[0];
};

/** The number of a user's waiting report about some content. */
export const findWaitingNumber = async (
  db: Db,
  userId: string,
  { about, contentId }: Pick<NewReport, 'about' | 'contentId'>,
): Promise<number | undefined> => {
  const { rows } = await db.query<{ number: number }>(
    `SELECT number FROM reports
     WHERE reporter_id = $1 AND about = $2 AND content_id = $3 AND waiting_since IS NOT NULL`,
    [userId, about, contentId],
  );
  return rows[0]?.number;
};

export const lockReport = async (
  tx: Transaction,
  id: string,
): Promise<StoredReport | undefined> => {
  const { rows } = await tx.query<StoredReport>(
    `SELECT ${stored} FROM reports WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** Sets which admin works on a report; null for none. @returns false if there is no such report */
export const saveTaker = async (db: Db, id: string, adminId: string | null): Promise<boolean> => {
  const saved = await db.query('UPDATE reports SET taken_by = $2 WHERE id = $1', [id, adminId]);
  return saved.rowCount === 1;
};

/** Stores the decision of a locked report, and increments its version. */
export const saveDecision = async (
  tx: Transaction,
  report: StoredReport,
  decision: { decision: ReportDecision; reason: string; adminId: string },
): Promise<StoredReport> => {
  const { rows } = await tx.query<StoredReport>(
    `UPDATE reports SET version = version + 1, decision = $2, decided_at = now(), waiting_since = NULL,
       hides = CASE $2 WHEN 'hide' THEN true WHEN 'disable' THEN hides ELSE false END
     WHERE id = $1 RETURNING ${stored}`,
    [report.id, decision.decision],
  );
  const saved = rows[0] as StoredReport;
  await tx.query(
    `INSERT INTO report_decisions (report_id, version, decision, reason, decided_by)
     VALUES ($1, $2, $3, $4, $5)`,
    [saved.id, saved.version, decision.decision, decision.reason, decision.adminId],
  );
  return saved;
};

/** What a user reported, for the download of their data. */
export const listReportsBy = async (
  db: Db,
  reporterId: string,
): Promise<{ number: number; about: string; reason: string; text: string; createdAt: Date }[]> => {
  const { rows } = await db.query(
    `SELECT ${columns('number about reason text createdAt')} FROM reports WHERE reporter_id = $1 ORDER BY id`,
    [reporterId],
  );
  return rows;
};

/** Whether a report about a user's content that was sent before a time waits for a decision. */
export const hasWaitingReport = async (
  db: Db,
  authorId: string,
  sentBefore: Date,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    'SELECT FROM reports WHERE author_id = $1 AND waiting_since IS NOT NULL AND created_at < $2 LIMIT 1',
    [authorId, sentBefore],
  );
  return rowCount !== 0;
};

/** Erases the copies of what a deleted user wrote and showed. The reasons of reports and decisions stay. */
export const eraseReportedContent = async (tx: Transaction, authorId: string): Promise<void> => {
  await tx.query(
    `UPDATE reports SET title = '', content = '', images = '{}' WHERE author_id = $1`,
    [authorId],
  );
};

type Content = Pick<NewReport, 'about' | 'contentId'>;

/** Locks what is decided about some content until the commit. @returns the version of the next event about it */
export const lockModeration = async (
  tx: Transaction,
  { about, contentId }: Content,
): Promise<number> => {
  const { rows } = await tx.query<{ version: number }>(
    `INSERT INTO moderated_content AS m (about, content_id) VALUES ($1, $2)
     ON CONFLICT (about, content_id) DO UPDATE SET version = m.version + 1 RETURNING version`,
    [about, contentId],
  );
  return rows[0]?.version ?? 1;
};

/** The reason of the last decision to hide some content; null if no report hides it. */
export const findHiddenReason = async (
  tx: Transaction,
  { about, contentId }: Content,
): Promise<string | null> => {
  const { rows } = await tx.query<{ reason: string }>(
    `SELECT d.reason FROM reports r
     JOIN report_decisions d ON d.report_id = r.id AND d.decision = 'hide'
     WHERE r.about = $1 AND r.content_id = $2 AND r.hides
     ORDER BY d.decided_at DESC, d.version DESC LIMIT 1`,
    [about, contentId],
  );
  return rows[0]?.reason ?? null;
};

/** Creates the token with which a side can appeal. @returns undefined if it has appealed already */
export const renewAppealToken = async (
  tx: Transaction,
  reportId: string,
  side: ReportSide,
): Promise<string | undefined> => {
  const token = newToken();
  const { rowCount } = await tx.query(
    `INSERT INTO report_appeals AS a (report_id, side, hash) VALUES ($1, $2, $3)
     ON CONFLICT (report_id, side) DO UPDATE SET hash = excluded.hash WHERE a.appealed_at IS NULL`,
    [reportId, side, hashToken(token)],
  );
  return rowCount === 0 ? undefined : token;
};

/** Stores an appeal, so that the report waits again. Returns whether the token was valid. */
export const saveAppeal = async (
  tx: Transaction,
  { token, text }: { token: string; text: string },
): Promise<boolean> => {
  // Lock the report first, like a decision, which renews the tokens.
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM reports WHERE id = (SELECT report_id FROM report_appeals WHERE hash = $1)
       AND decided_at > now() - interval '6 months' FOR UPDATE`,
    [hashToken(token)],
  );
  const [report] = rows;
  if (!report) return false;
  const { rowCount } = await tx.query(
    `UPDATE report_appeals SET text = $2, appealed_at = now()
     WHERE hash = $1 AND appealed_at IS NULL`,
    [hashToken(token), text],
  );
  if (rowCount === 0) return false;
  await tx.query(
    `UPDATE reports SET version = version + 1, waiting_since = coalesce(waiting_since, now()) WHERE id = $1`,
    [report.id],
  );
  return true;
};

interface ListedRow extends Omit<Report, 'number' | 'revision' | 'createdAt' | 'waitingSince'> {
  number: number;
  version: number;
  createdAt: Date;
  waitingSince: Date | null;
}

const person = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'first_name', ${alias}.first_name, 'last_name', ${alias}.last_name)`;

const listed = `SELECT ${columns(
  'id number version about contentId bookingId title content images reason text createdAt waitingSince',
  'r',
)},
    ${person('a')} AS author,
    (SELECT json_build_object('reports', count(*), 'decisionsAgainst', count(*) FILTER (WHERE o.decision <> 'dismiss'))
     FROM reports o WHERE o.author_id = r.author_id AND o.id <> r.id) AS others,
    CASE WHEN w.id IS NOT NULL THEN ${person('w')} END AS reporter,
    coalesce(w.email, r.reporter_email) AS "reporterEmail",
    CASE WHEN t.id IS NOT NULL THEN ${person('t')} END AS "takenBy",
    (SELECT coalesce(json_agg(json_build_object('decision', d.decision, 'reason', d.reason, 'by', ${person('b')},
       'at', d.decided_at) ORDER BY d.version DESC), '[]')
     FROM report_decisions d JOIN users b ON b.id = d.decided_by WHERE d.report_id = r.id) AS decisions,
    (SELECT coalesce(json_agg(json_build_object('side', p.side, 'text', p.text, 'at', p.appealed_at)
       ORDER BY p.appealed_at DESC), '[]')
     FROM report_appeals p WHERE p.report_id = r.id AND p.appealed_at IS NOT NULL) AS appeals
  FROM reports r
  JOIN users a ON a.id = r.author_id
  LEFT JOIN users w ON w.id = r.reporter_id
  LEFT JOIN users t ON t.id = r.taken_by`;

interface ReportSearch {
  state: 'open' | 'decided' | 'all';
  authorId: string | null;
  after: string | null;
  limit: number;
}

/** A page of reports: those that wait oldest first, others newest first. */
export const pageOfReports = async (
  db: Db,
  { state, authorId, after, limit }: ReportSearch,
): Promise<Report[]> => {
  const [sign, order] = state === 'open' ? ['>', 'ASC'] : ['<', 'DESC'];
  const waits = { open: 'r.waiting_since IS NOT NULL', decided: 'r.waiting_since IS NULL' };
  const { rows } = await db.query<ListedRow>(
    `${listed} WHERE ${state === 'all' ? 'true' : waits[state]}
       AND ($1::uuid IS NULL OR r.author_id = $1) AND ($2::uuid IS NULL OR r.id ${sign} $2)
     ORDER BY r.id ${order} LIMIT $3`,
    [authorId, after, limit],
  );
  return rows.map(toReport);
};

export const readReport = async (db: Db, id: string): Promise<Report | undefined> => {
  const { rows } = await db.query<ListedRow>(`${listed} WHERE r.id = $1`, [id]);
  return rows[0] && toReport(rows[0]);
};

/** How many reports wait, and since when the oldest one does. */
export const countWaitingReports = async (
  db: Db,
): Promise<{ count: number; since: Date | null }> => {
  const { rows } = await db.query<{ count: number; since: Date | null }>(
    'SELECT count(*)::int, min(waiting_since) AS since FROM reports WHERE waiting_since IS NOT NULL',
  );
  return rows[0] ?? { count: 0, since: null };
};

export const reportNumber = (number: number): string => `R-${number}`;

/** An instant in JSON of PostgreSQL, as an ISO instant in UTC. */
const withIsoInstant = <T extends { at: string }>(row: T): T => ({
  ...row,
  at: new Date(row.at).toISOString(),
});

const toReport = ({ version, number, createdAt, waitingSince, ...row }: ListedRow): Report => ({
  ...row,
  number: reportNumber(number),
  decisions: row.decisions.map(withIsoInstant),
  appeals: row.appeals.map(withIsoInstant),
  createdAt: createdAt.toISOString(),
  waitingSince: waitingSince?.toISOString() ?? null,
  revision: version,
});
