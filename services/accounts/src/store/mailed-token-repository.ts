import { type Db, hashToken, newToken, type Transaction } from '@lendtools/service-kit';

/** How long emailed links are valid: a password link is used at once, a welcome email may be read days later. */
const lifetimes = { password: '30 minutes', email: '24 hours', verify: '7 days' } as const;
type Purpose = keyof typeof lifetimes;

interface MailedToken {
  userId: string;
  newEmail: string | null;
}

/** Creates a 256-bit token for an email and stores only its hash. */
export const addMailedToken = async (
  tx: Transaction,
  purpose: Purpose,
  { userId, newEmail }: { userId: string; newEmail?: string },
): Promise<string> => {
  const token = newToken();
  await tx.query(
    `INSERT INTO mailed_tokens (hash, purpose, user_id, new_email, expires_at)
     VALUES ($1, $2, $3, $4, now() + $5::interval)`,
    [hashToken(token), purpose, userId, newEmail ?? null, lifetimes[purpose]],
  );
  return token;
};

/** Whether the user has an emailed token that is valid for at least 15 more minutes. */
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

/** Consumes the token: only one of two concurrent requests deletes the row. */
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

/** Deletes a user's emailed tokens. Keeps verification tokens, which grant no access, unless `verify` is set. */
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
