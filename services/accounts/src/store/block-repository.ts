import type { EventData } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import type { Db, Transaction } from '@lendtools/service-kit';

type Pair = Omit<EventData<'PersonBlocked'>, 'blocked'>;

interface BlockedRow {
  id: string;
  firstName: string;
  lastName: string;
  image: string;
  blockedAt: Date;
}

/** The people whom a user has blocked, last blocked first. */
export const listBlocked = async (db: Db, blockerId: string): Promise<BlockedRow[]> => {
  const { rows } = await db.query<BlockedRow>(
    `SELECT u.id, u.first_name AS "firstName", u.last_name AS "lastName", u.image, b.blocked_at AS "blockedAt"
     FROM blocks b JOIN users u ON u.id = b.blocked_id
     WHERE b.blocker_id = $1 AND b.blocked_at IS NOT NULL ORDER BY b.blocked_at DESC, b.id`,
    [blockerId],
  );
  return rows;
};

/** Counts the people whom a user has blocked. The lock serializes the user's blocks, or concurrent ones could exceed the limit. */
export const lockAndCountBlocked = async (tx: Transaction, blockerId: string): Promise<number> => {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('blocks of ' || $1, 0))`, [
    blockerId,
  ]);
  const { rows } = await tx.query<{ count: number }>(
    'SELECT count(*) FROM blocks WHERE blocker_id = $1 AND blocked_at IS NOT NULL',
    [blockerId],
  );
  return rows[0]?.count ?? 0;
};

/** Blocks a person and publishes it. No-op if already blocked. */
export const block = async (tx: Transaction, { blockerId, blockedId }: Pair): Promise<void> => {
  const { rows } = await tx.query<PublishedRow>(
    `INSERT INTO blocks AS b (blocker_id, blocked_id) VALUES ($1, $2)
     ON CONFLICT (blocker_id, blocked_id) DO UPDATE SET version = b.version + 1, blocked_at = now()
     WHERE b.blocked_at IS NULL RETURNING ${published}`,
    [blockerId, blockedId],
  );
  await publish(tx, rows, true);
};

/** Unblocks a person and publishes it. No-op if not blocked. */
export const unblock = async (tx: Transaction, { blockerId, blockedId }: Pair): Promise<void> => {
  const { rows } = await tx.query<PublishedRow>(
    `UPDATE blocks SET version = version + 1, blocked_at = NULL
     WHERE blocker_id = $1 AND blocked_id = $2 AND blocked_at IS NOT NULL RETURNING ${published}`,
    [blockerId, blockedId],
  );
  await publish(tx, rows, false);
};

/** Ends all blocks by and of a user. */
export const unblockAllOf = async (tx: Transaction, userId: string): Promise<void> => {
  const { rows } = await tx.query<PublishedRow>(
    `UPDATE blocks SET version = version + 1, blocked_at = NULL
     WHERE (blocker_id = $1 OR blocked_id = $1) AND blocked_at IS NOT NULL RETURNING ${published}`,
    [userId],
  );
  await publish(tx, rows, false);
};

type PublishedRow = Pair & { id: string; version: number };
const published = 'id, version, blocker_id AS "blockerId", blocked_id AS "blockedId"';

const publish = async (tx: Transaction, rows: PublishedRow[], blocked: boolean): Promise<void> => {
  const events = rows.map(({ id, version, ...pair }) =>
    newEvent('PersonBlocked', { id, version }, { ...pair, blocked }),
  );
  await addToOutbox(tx, ...events);
};
