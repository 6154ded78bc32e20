import { randomBytes } from 'node:crypto';
import { type Db, hashToken, type Transaction } from '@lendtools/service-kit';

export interface TotpFactor {
  secret: Buffer;
  confirmedAt: Date | null;
  lastStep: number;
}

const columns = 'secret, confirmed_at AS "confirmedAt", last_step::float8 AS "lastStep"';

/** Locks a user's authenticator app, so that only one of two concurrent logins can use a code. */
export const lockTotp = async (
  tx: Transaction,
  userId: string,
): Promise<TotpFactor | undefined> => {
  const { rows } = await tx.query<TotpFactor>(
    `SELECT ${columns} FROM totp_factors WHERE user_id = $1 FOR UPDATE`,
    [userId],
  );
  return rows[0];
};

/** Stores the secret of a new app, in place of one that was never confirmed. */
export const saveNewTotp = async (
  tx: Transaction,
  userId: string,
  secret: Buffer,
): Promise<void> => {
  await tx.query(
    `INSERT INTO totp_factors (user_id, secret) VALUES ($1, $2)
     ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = now(), last_step = 0
       WHERE totp_factors.confirmed_at IS NULL`,
    [userId, secret],
  );
};

export const listTotpUsers = async (db: Db): Promise<string[]> => {
  const { rows } = await db.query<{ userId: string }>(
    'SELECT user_id AS "userId" FROM totp_factors',
  );
  return rows.map(({ userId }) => userId);
};

/** Stores the same secret, sealed with another key. */
export const saveTotpSecret = async (
  tx: Transaction,
  userId: string,
  secret: Buffer,
): Promise<void> => {
  await tx.query('UPDATE totp_factors SET secret = $2 WHERE user_id = $1', [userId, secret]);
};

/** Records the step of an accepted code, which also confirms the app. */
export const recordTotpStep = async (
  tx: Transaction,
  userId: string,
  step: number,
): Promise<void> => {
  await tx.query(
    `UPDATE totp_factors SET last_step = $2, confirmed_at = coalesce(confirmed_at, now()) WHERE user_id = $1`,
    [userId, step],
  );
};

export const deleteSecondFactors = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.query('DELETE FROM totp_factors WHERE user_id = $1', [userId]);
  await tx.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
};

/** Removes a second factor that was added after an email was changed, or while the change waited for its confirmation. */
export const deleteSecondFactorsSince = async (
  tx: Transaction,
  userId: string,
  changedAt: Date,
): Promise<void> => {
  const { rowCount } = await tx.query(
    `DELETE FROM totp_factors WHERE user_id = $1 AND coalesce(confirmed_at, created_at) > $2::timestamptz - interval '24 hours'`,
    [userId, changedAt],
  );
  if (rowCount) await tx.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
};

export const findSecondFactors = async (
  db: Db,
  userId: string,
): Promise<{ totpSince: Date | null; recoveryCodesLeft: number }> => {
  const { rows } = await db.query<{ totpSince: Date | null; recoveryCodesLeft: number }>(
    `SELECT (SELECT confirmed_at FROM totp_factors WHERE user_id = $1) AS "totpSince",
       (SELECT count(*)::int FROM recovery_codes WHERE user_id = $1) AS "recoveryCodesLeft"`,
    [userId],
  );
  return rows[0] as { totpSince: Date | null; recoveryCodesLeft: number };
};

export const hasSecondFactor = async (db: Db, userId: string): Promise<boolean> =>
  (await findSecondFactors(db, userId)).totpSince !== null;

const recoveryCodeCount = 8;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 28 letters and digits: 140 bits, so that a plain hash of the code can be stored. */
const newRecoveryCode = (): string =>
  [...randomBytes(28)].map((byte) => alphabet[byte % alphabet.length]).join('');

/** Replaces the recovery codes. Returns them in groups of four characters; only their hashes are stored. */
export const replaceRecoveryCodes = async (tx: Transaction, userId: string): Promise<string[]> => {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await tx.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
  await tx.query('INSERT INTO recovery_codes (hash, user_id) SELECT unnest($1::bytea[]), $2', [
    codes.map(hashToken),
    userId,
  ]);
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'));
};

/** Consumes a recovery code: only one of two concurrent requests deletes the row. */
export const spendRecoveryCode = async (
  tx: Transaction,
  userId: string,
  code: string,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    'DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2',
    [userId, hashToken(code)],
  );
  return rowCount === 1;
};
