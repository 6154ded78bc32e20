import { type Db, hashToken, newToken, type Transaction } from '@lendtools/service-kit';

/**
 * A reset ends what a thief of the mailbox can do soon; a new address may be read tomorrow, a welcome after the
 * holidays.
 */
const lives = { password: '30 minutes', email: '24 hours', verify: '7 days' } as const;
type Purpose = keyof typeof lives;

interface MailedToken {
  userId: string;
  newEmail: string | null;
}

/** A token of 256 bits for an email; only its hash is kept. */
export const addMailedToken = async (
  tx: Transaction,
  purpose: Purpose,
  { userId, newEmail }: { userId: string; newEmail?: string },
): Promise<string> => {
  const token = newToken();
  await tx.query(
    `INSERT INTO mailed_tokens (hash, purpose, user_id, new_email, expires_at)
     VALUES ($1, $2, $3, $4, now() + $5::interval)`,
    [hashToken(token), purpose, userId, newEmail ?? null, lives[purpose]],
  );
  return token;
};

/** Whether the user has one that is good for another quarter of an hour. */
export const hasFreshToken = async (
  tx: Transaction,
  purpose: Purpose,
  userId: string,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `SELECT FROM mailed_tokens
     WHERE user_id = $1 AND purpose = $2 AND expires_at > now() + interval '15 minutes'`,
    [userId, purpose],
  );
  return rowCount !== 0;
};

const valid = 'hash = $1 AND purpose = $2 AND expires_at > now()';
const fields = 'user_id AS "userId", new_email AS "newEmail"';

export const findMailedToken = async (
  db: Db,
  purpose: Purpose,
  token: string,
): Promise<MailedToken | undefined> => {
  const { rows } = await db.query<MailedToken>(
    `SELECT ${fields} FROM mailed_tokens WHERE ${valid}`,
    [hashToken(token), purpose],
  );
  return rows[0];
};

/** Of two requests with the same token, only one deletes the row. */
export const spendMailedToken = async (
  tx: Transaction,
  purpose: Purpose,
  token: string,
): Promise<MailedToken | undefined> => {
  const { rows } = await tx.query<MailedToken>(
    `DELETE FROM mailed_tokens WHERE ${valid} RETURNING ${fields}`,
    [hashToken(token), purpose],
  );
  return rows[0];
};

/**
 * After a new password, email or role, links in a mailbox may be in the wrong hands. A link that verifies the email
 * gives no access and stays until the account has another email.
 */
export const dropMailedTokens = async (
  tx: Transaction,
  userId: string,
  { verify = false } = {},
): Promise<void> => {
  await tx.query(`DELETE FROM mailed_tokens WHERE user_id = $1 AND ($2 OR purpose <> 'verify')`, [
    userId,
    verify,
  ]);
};
