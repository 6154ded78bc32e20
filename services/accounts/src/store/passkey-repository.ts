import type { PasskeyTransport } from '@lendtools/contracts';
import { type Db, hashToken, type Transaction } from '@lendtools/service-kit';

export interface StoredPasskey {
  id: string;
  userId: string;
  credentialId: Buffer;
  /** A COSE key. */
  publicKey: Buffer;
  counter: number;
  transports: PasskeyTransport[];
  name: string;
  createdAt: Date;
  usedAt: Date | null;
  /** Cannot log in alone until it has been used once after the password. */
  needsPassword: boolean;
}

export type NewPasskey = Omit<StoredPasskey, 'id' | 'createdAt' | 'usedAt' | 'needsPassword'>;

const columns = `id, user_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey",
  counter::float8 AS counter, transports, name, created_at AS "createdAt", used_at AS "usedAt",
  needs_password AS "needsPassword"`;

/** Lists a user's passkeys, the oldest first. */
export const listPasskeys = async (db: Db, userId: string): Promise<StoredPasskey[]> => {
  const { rows } = await db.query<StoredPasskey>(
    `SELECT ${columns} FROM passkeys WHERE user_id = $1 ORDER BY id`,
    [userId],
  );
  return rows;
};

/** @returns the id of the user, or undefined for an unknown passkey */
export const findPasskeyUser = async (
  db: Db,
  credentialId: Buffer,
): Promise<string | undefined> => {
  const { rows } = await db.query<{ userId: string }>(
    'SELECT user_id AS "userId" FROM passkeys WHERE credential_id = $1',
    [credentialId],
  );
  return rows[0]?.userId;
};

/** Locks a user's passkey, so that concurrent logins compare their counters one after the other. */
export const lockPasskey = async (
  tx: Transaction,
  userId: string,
  credentialId: Buffer,
): Promise<StoredPasskey | undefined> => {
  const { rows } = await tx.query<StoredPasskey>(
    `SELECT ${columns} FROM passkeys WHERE user_id = $1 AND credential_id = $2 FOR UPDATE`,
    [userId, credentialId],
  );
  return rows[0];
};

/** @returns undefined if the passkey is registered already */
export const insertPasskey = async (
  tx: Transaction,
  { userId, credentialId, publicKey, counter, transports, name }: NewPasskey,
): Promise<StoredPasskey | undefined> => {
  const { rows } = await tx.query<StoredPasskey>(
    `INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (credential_id) DO NOTHING RETURNING ${columns}`,
    [userId, credentialId, publicKey, counter, transports, name],
  );
  return rows[0];
};

export const recordPasskeyUse = async (
  tx: Transaction,
  id: string,
  { counter, afterPassword }: { counter: number; afterPassword: boolean },
): Promise<void> => {
  await tx.query(
    `UPDATE passkeys SET counter = $2, used_at = now(), needs_password = needs_password AND NOT $3 WHERE id = $1`,
    [id, counter, afterPassword],
  );
};

/** A mailbox proves less than a passkey, so the passkeys stay as second factors. */
export const requirePasswordForPasskeys = async (
  tx: Transaction,
  userId: string,
): Promise<void> => {
  await tx.query('UPDATE passkeys SET needs_password = true WHERE user_id = $1', [userId]);
};

export const renamePasskey = async (
  db: Db,
  { id, userId, name }: { id: string; userId: string; name: string },
): Promise<StoredPasskey | undefined> => {
  const { rows } = await db.query<StoredPasskey>(
    `UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2 RETURNING ${columns}`,
    [id, userId, name],
  );
  return rows[0];
};

/** @returns whether the user had this passkey */
export const deletePasskey = async (
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> => {
  const { rowCount } = await tx.query('DELETE FROM passkeys WHERE id = $1 AND user_id = $2', [
    id,
    userId,
  ]);
  return rowCount === 1;
};

/** Records that a challenge was answered. @returns false if it was answered before */
export const spendChallenge = async (
  tx: Transaction,
  challenge: string,
  expiresAt: Date,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    'INSERT INTO spent_challenges (hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [hashToken(challenge), expiresAt],
  );
  return rowCount === 1;
};
