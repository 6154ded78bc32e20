import { type Db, hashToken, newToken, type Transaction } from '@lendtools/service-kit';

/** How long the link to the old address can undo a change. */
export const undoHours = 72;
/** How long an admin can restore an address. */
export const formerEmailDays = 90;

export interface FormerEmail {
  userId: string;
  email: string;
  changedAt: Date;
}

const fields = 'user_id AS "userId", email, changed_at AS "changedAt"';
const canUndo = `changed_at > now() - interval '${undoHours} hours'`;

/** Records the address that a user replaces. Returns the token that undoes the change. */
export const addFormerEmail = async (
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
): Promise<string> => {
  const token = newToken();
  await tx.query('INSERT INTO former_emails (hash, user_id, email) VALUES ($1, $2, $3)', [
    hashToken(token),
    userId,
    email,
  ]);
  return token;
};

export const findUndoableChange = async (
  db: Db,
  token: string,
): Promise<FormerEmail | undefined> => {
  const { rows } = await db.query<FormerEmail>(
    `SELECT ${fields} FROM former_emails WHERE hash = $1 AND ${canUndo}`,
    [hashToken(token)],
  );
  return rows[0];
};

export const listFormerEmails = async (db: Db, userId: string): Promise<FormerEmail[]> => {
  const { rows } = await db.query<FormerEmail>(
    `SELECT ${fields} FROM former_emails
     WHERE user_id = $1 AND changed_at > now() - interval '${formerEmailDays} days'
     ORDER BY changed_at DESC`,
    [userId],
  );
  return rows;
};

/**
 * Deletes a change that is undone and all later ones: their links went to addresses that a thief may have chosen.
 * @returns whether there was such a change
 */
export const deleteChangesSince = async (
  tx: Transaction,
  { userId, changedAt }: FormerEmail,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `DELETE FROM former_emails WHERE user_id = $1 AND date_trunc('milliseconds', changed_at) >= $2`,
    [userId, changedAt],
  );
  return rowCount !== 0;
};

export const dropFormerEmails = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.query('DELETE FROM former_emails WHERE user_id = $1', [userId]);
};

/** Whether another user may get this address back by undoing a change. */
export const isReserved = async (db: Db, email: string, userId?: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `SELECT FROM former_emails WHERE email = $1 AND user_id IS DISTINCT FROM $2 AND ${canUndo} LIMIT 1`,
    [email, userId ?? null],
  );
  return rowCount === 1;
};
