import { clockToleranceMinutes, type Db, loginTokenHours } from '@lendtools/service-kit';
import type { JWK } from 'jose';

export type PublicKey = JWK & { kid: string };

/** A signing key stays valid for the lifetime of the last token that it signed, plus clock tolerance. */
const keptAfterUse = `interval '${loginTokenHours * 60 + clockToleranceMinutes} minutes'`;

/** Records that a key is in use. Every replica calls this regularly, so that the table lists all keys in use. */
export const recordKeyUse = async (db: Db, key: PublicKey): Promise<void> => {
  await db.query(
    `INSERT INTO signing_keys (kid, public_key) VALUES ($1, $2)
     ON CONFLICT (kid) DO UPDATE SET last_used_at = now()`,
    [key.kid, JSON.stringify(key)],
  );
};

/** Returns the valid public keys as a JSON Web Key Set, newest key first. */
export const listPublicKeys = async (db: Db): Promise<{ keys: PublicKey[] }> => {
  const { rows } = await db.query<{ key: PublicKey }>(
    `SELECT public_key AS key FROM signing_keys WHERE last_used_at > now() - ${keptAfterUse}
     ORDER BY first_used_at DESC`,
  );
  return { keys: rows.map(({ key }) => key) };
};

export const listKeyUses = async (
  db: Db,
): Promise<{ kid: string; firstUsedAt: Date; lastUsedAt: Date }[]> => {
  const { rows } = await db.query(
    `SELECT kid, first_used_at AS "firstUsedAt", last_used_at AS "lastUsedAt" FROM signing_keys
     ORDER BY first_used_at DESC`,
  );
  return rows;
};

/** Deletes a signing key, which invalidates its tokens. Does not delete a key in use, because a replica would store it again. */
export const retireKey = async (db: Db, kid: string): Promise<'retired' | 'in use' | 'unknown'> => {
  const { rowCount } = await db.query(
    `DELETE FROM signing_keys WHERE kid = $1 AND last_used_at < now() - interval '2 minutes'`,
    [kid],
  );
  if (rowCount === 1) return 'retired';
  const known = await db.query('SELECT 1 FROM signing_keys WHERE kid = $1', [kid]);
  return known.rowCount === 1 ? 'in use' : 'unknown';
};

export const isUnusedKey = `last_used_at < now() - ${keptAfterUse}`;
