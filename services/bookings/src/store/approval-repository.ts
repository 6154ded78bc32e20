import { columns, type Db, type Transaction } from '@lendtools/service-kit';
import type { Actor } from '../domain/actor.ts';
import type { Approval, ApprovalOutcome } from '../domain/approval.ts';
import { schedule, unschedule } from './schedule.ts';

const approvalColumns = columns(
  'id bookingId changeId holdId status requestedAt answerBy remindAt chargesAt acceptedAt endedBy note',
  'a',
);

/** Selects approvals that await the owner's answer or the charge. Must match the partial indexes `approvals_…`. */
export const isOpenSql = `a.status IN ('pending', 'accepted')`;

/** Inserts an approval and schedules its end and its reminder. Lock the booking first. */
export const insertApproval = async (
  tx: Transaction,
  {
    bookingId,
    changeId,
    holdId,
    answerBy,
    remindAt,
  }: Pick<Approval, 'bookingId' | 'changeId' | 'holdId' | 'answerBy' | 'remindAt'>,
): Promise<Approval> => {
  const { rows } = await tx.query<Approval>(
    `INSERT INTO approvals AS a (booking_id, change_id, hold_id, answer_by, remind_at)
     VALUES ($1, $2, $3, $4, $5) RETURNING ${approvalColumns}`,
    [bookingId, changeId, holdId, answerBy, remindAt],
  );
  const approval = rows[0] as Approval;
  await schedule(tx, 'lapse-approval', approval.id, answerBy);
  if (remindAt) await schedule(tx, 'remind-owner', approval.id, remindAt);
  return approval;
};

export const findApproval = async (db: Db, id: string): Promise<Approval | undefined> => {
  const { rows } = await db.query<Approval>(
    `SELECT ${approvalColumns} FROM approvals a WHERE a.id = $1`,
    [id],
  );
  return rows[0];
};

/** Locks an approval. Lock its hold and its booking first. */
export const lockApprovalRow = (tx: Transaction, id: string): Promise<Approval | undefined> =>
  lockBy(tx, 'a.id = $1', id);

export const lockApprovalOfHold = (
  tx: Transaction,
  holdId: string,
): Promise<Approval | undefined> => lockBy(tx, 'a.hold_id = $1', holdId);

/** Locks the open approval of a locked booking or of its change. */
export const lockOpenApproval = (
  tx: Transaction,
  bookingId: string,
): Promise<Approval | undefined> => lockBy(tx, `a.booking_id = $1 AND ${isOpenSql}`, bookingId);

const lockBy = async (
  tx: Transaction,
  where: string,
  id: string,
): Promise<Approval | undefined> => {
  const { rows } = await tx.query<Approval>(
    `SELECT ${approvalColumns} FROM approvals a WHERE ${where} FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** The status of a hold's approval; undefined if the hold's card was never authorized. */
export const findStatusOfHold = async (
  db: Db,
  holdId: string,
): Promise<Approval['status'] | undefined> => {
  const { rows } = await db.query<Pick<Approval, 'status'>>(
    'SELECT status FROM approvals WHERE hold_id = $1',
    [holdId],
  );
  return rows[0]?.status;
};

export type ShownApproval = Exclude<Approval, { status: 'done' }>;

/** Finds each booking's latest approval that is not completed, unless the booking was changed after that request. */
export const findLatestApprovals = async (
  db: Db,
  bookingIds: string[],
): Promise<ShownApproval[]> => {
  const { rows } = await db.query<ShownApproval>(
    `SELECT DISTINCT ON (a.booking_id) ${approvalColumns}
     FROM approvals a JOIN bookings b ON b.id = a.booking_id
     WHERE a.booking_id = ANY($1) AND a.status <> 'done'
       AND (${isOpenSql} OR b.changed_at IS NULL OR b.changed_at < a.requested_at)
     ORDER BY a.booking_id, a.requested_at DESC, a.id DESC`,
    [bookingIds],
  );
  return rows;
};

/** Cancels the tasks of an approval that is answered or has ended. */
const cancelTasks = async (tx: Transaction, id: string): Promise<void> => {
  await unschedule(tx, 'lapse-approval', id);
  await unschedule(tx, 'remind-owner', id);
  await unschedule(tx, 'fail-uncharged-approval', id);
  await unschedule(tx, 'finish-acceptance', id);
};

/**
 * Delays an acceptance, so that the owner can undo it. The approval stays pending, and its lapse stays scheduled: the previous
 * version, to which an upgrade may be rolled back, knows no delay.
 */
export const saveDelayedAcceptance = async (
  tx: Transaction,
  { id }: Approval,
  chargesAt: Date,
): Promise<void> => {
  await tx.query('UPDATE approvals SET charges_at = $2 WHERE id = $1', [id, chargesAt]);
  await unschedule(tx, 'remind-owner', id);
  await schedule(tx, 'finish-acceptance', id, chargesAt);
};

/** Undoes a delayed acceptance: the approval lapses and reminds its owner as before. */
export const undoDelayedAcceptance = async (
  tx: Transaction,
  { id, remindAt }: Approval,
): Promise<void> => {
  await tx.query('UPDATE approvals SET charges_at = NULL WHERE id = $1', [id]);
  await unschedule(tx, 'finish-acceptance', id);
  // The deadline may have passed and the tool may have been removed meanwhile. If not, the task schedules itself again.
  await schedule(tx, 'lapse-approval', id);
  if (remindAt) await schedule(tx, 'remind-owner', id, remindAt);
};

export const saveAcceptance = async (tx: Transaction, { id }: Approval): Promise<void> => {
  await tx.query(
    `UPDATE approvals SET status = 'accepted', accepted_at = now(), charges_at = NULL, remind_at = NULL WHERE id = $1`,
    [id],
  );
  await cancelTasks(tx, id);
};

export const saveOutcome = async (
  tx: Transaction,
  { id }: Approval,
  { outcome, by, note }: { outcome: ApprovalOutcome; by: Actor; note: string },
): Promise<void> => {
  await tx.query(
    'UPDATE approvals SET status = $2, ended_by = $3, note = $4, remind_at = NULL WHERE id = $1',
    [id, outcome, by, note],
  );
  await cancelTasks(tx, id);
};

/** Completes the open approval of a change, or of a hold's booking. @returns whether an approval was open */
export const completeApproval = async (
  tx: Transaction,
  { changeId = null, holdId = null }: { changeId?: string | null; holdId?: string | null },
): Promise<boolean> => {
  const { rows } = await tx.query<{ id: string }>(
    `UPDATE approvals a SET status = 'done', accepted_at = coalesce(accepted_at, now()), remind_at = NULL
     WHERE (a.change_id = $1 OR a.hold_id = $2) AND ${isOpenSql} RETURNING id`,
    [changeId, holdId],
  );
  for (const { id } of rows) await cancelTasks(tx, id);
  return rows.length > 0;
};

/** Ends the open approval of a change that can no longer be made. */
export const dropApproval = async (tx: Transaction, changeId: string): Promise<void> => {
  const { rows } = await tx.query<{ id: string }>(
    `UPDATE approvals a SET status = 'obsolete', remind_at = NULL WHERE a.change_id = $1 AND ${isOpenSql} RETURNING id`,
    [changeId],
  );
  for (const { id } of rows) await cancelTasks(tx, id);
};

/** Schedules the lapse of a tool's unanswered approvals, because the tool was removed or its owner disabled. */
export const lapseApprovalsOfTool = async (tx: Transaction, toolId: string): Promise<void> => {
  for (const id of await findPendingOfTool(tx, toolId)) await schedule(tx, 'lapse-approval', id);
};

export const findPendingOfTool = async (db: Db, toolId: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT a.id FROM approvals a JOIN bookings b ON b.id = a.booking_id
     WHERE a.status = 'pending' AND b.tool_id = $1 ORDER BY a.id`,
    [toolId],
  );
  return rows.map(({ id }) => id);
};

export const findPendingOf = async (db: Db, userId: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT a.id FROM approvals a JOIN bookings b ON b.id = a.booking_id
     WHERE a.status = 'pending' AND b.user_id = $1 ORDER BY a.id`,
    [userId],
  );
  return rows.map(({ id }) => id);
};

/** How long the oldest unanswered approval is past its deadline, and how long ago the oldest uncharged one was accepted. */
export const approvalsOverdue = async (
  db: Db,
): Promise<{ answerSeconds: number; chargeSeconds: number }> => {
  const { rows } = await db.query<{ answerSeconds: number; chargeSeconds: number }>(
    `SELECT coalesce(greatest(0, extract(epoch FROM now() - min(answer_by) FILTER (WHERE status = 'pending'))), 0)::float8
         AS "answerSeconds",
       coalesce(greatest(0, extract(epoch FROM now() - min(accepted_at))), 0)::float8 AS "chargeSeconds"
     FROM approvals a WHERE ${isOpenSql}`,
  );
  return rows[0] as { answerSeconds: number; chargeSeconds: number };
};

export const saveReminded = async (tx: Transaction, id: string): Promise<void> => {
  await tx.query('UPDATE approvals SET remind_at = NULL WHERE id = $1', [id]);
};
