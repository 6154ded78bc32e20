import { randomBytes } from 'node:crypto';
import { type Db, hashToken, type Transaction } from '@lendtools/service-kit';
import { factorsOf, type SecondFactors } from '../domain/second-factor-rules.ts';

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

export const deleteTotp = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.query('DELETE FROM totp_factors WHERE user_id = $1', [userId]);
};

export const deleteRecoveryCodes = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
};

export const deleteSecondFactors = async (tx: Transaction, userId: string): Promise<void> => {
  await deleteTotp(tx, userId);
  await tx.query('DELETE FROM passkeys WHERE user_id = $1', [userId]);
  await deleteRecoveryCodes(tx, userId);
};

/** A change of the email waits up to 24 hours for its confirmation, in which a thief may have added a factor already. */
const isSuspect = (addedAt: string) => `${addedAt} > $2::timestamptz - interval '24 hours'`;

/** Removes second factors that were added after an email was changed, or while the change waited for its confirmation. */
export const deleteSecondFactorsSince = async (
  tx: Transaction,
  userId: string,
  changedAt: Date,
): Promise<void> => {
  const apps = await tx.query(
    `DELETE FROM totp_factors WHERE user_id = $1 AND ${isSuspect('coalesce(confirmed_at, created_at)')}`,
    [userId, changedAt],
  );
  const passkeys = await tx.query(
    `DELETE FROM passkeys WHERE user_id = $1 AND ${isSuspect('created_at')}`,
    [userId, changedAt],
  );
  if (apps.rowCount || passkeys.rowCount) await deleteRecoveryCodes(tx, userId);
};

/**
 * Like `deleteSecondFactorsSince`, but removes only passkeys, and only if an older factor remains. Otherwise they stay as second
 * factors, for which a thief lacks the new password.
 */
export const deleteAddedPasskeysSince = async (
  tx: Transaction,
  userId: string,
  changedAt: Date,
): Promise<void> => {
  await tx.query(
    `DELETE FROM passkeys WHERE user_id = $1 AND ${isSuspect('created_at')} AND (
       EXISTS (SELECT FROM totp_factors WHERE user_id = $1 AND NOT ${isSuspect('confirmed_at')})
       OR EXISTS (SELECT FROM passkeys WHERE user_id = $1 AND NOT ${isSuspect('created_at')}))`,
    [userId, changedAt],
  );
  await tx.query(
    `UPDATE passkeys SET needs_password = true WHERE user_id = $1 AND ${isSuspect('created_at')}`,
    [userId, changedAt],
  );
};

export const findSecondFactors = async (db: Db, userId: string): Promise<SecondFactors> => {
  const { rows } = await db.query<SecondFactors>(
    `SELECT (SELECT confirmed_at FROM totp_factors WHERE user_id = $1) AS "totpSince",
       (SELECT count(*)::int FROM passkeys WHERE user_id = $1) AS "passkeyCount",
       (SELECT count(*)::int FROM recovery_codes WHERE user_id = $1) AS "recoveryCodesLeft"`,
    [userId],
  );
  return rows[0] as SecondFactors;
};

export const hasSecondFactor = async (db: Db, userId: string): Promise<boolean> =>
  factorsOf(await findSecondFactors(db, userId)).length > 0;

const recoveryCodeCount = 8;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 28 letters and digits: 140 bits, so that a plain hash of the code can be stored. */
const newRecoveryCode = (): string =>
  [...randomBytes(28)].map((byte) => alphabet[byte % alphabet.length]).join('');

/** Replaces the recovery codes. Returns them in groups of four characters; only their hashes are stored. */
export const replaceRecoveryCodes = async (tx: Transaction, userId: string): Promise<string[]> => {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await deleteRecoveryCodes(tx, userId);
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
