import type { EventData } from '@lendtools/contracts';
import type { Db, Identity, Transaction } from '@lendtools/service-kit';
import { findOwnersOfHold } from './hold-repository.ts';

/** Stores whether a user blocks another one. @returns whether it was stored: a later version may be stored already */
export const storeBlock = async (
  tx: Transaction,
  { blockerId, blockedId, blocked }: EventData<'PersonBlocked'>,
  version: number,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `INSERT INTO blocks AS b (blocker_id, blocked_id, version, blocked) VALUES ($1, $2, $3, $4)
     ON CONFLICT (blocker_id, blocked_id) DO UPDATE SET version = excluded.version, blocked = excluded.blocked
     WHERE b.version < excluded.version`,
    [blockerId, blockedId, version, blocked],
  );
  return rowCount !== 0;
};

/** The users among `ids` who have blocked a user, or whom the user has blocked. */
export const findBlocked = async (db: Db, userId: string, ids: string[]): Promise<Set<string>> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT blocked_id AS id FROM blocks WHERE blocker_id = $1 AND blocked_id = ANY($2) AND blocked
     UNION ALL SELECT blocker_id FROM blocks WHERE blocked_id = $1 AND blocker_id = ANY($2) AND blocked`,
    [userId, ids],
  );
  return new Set(rows.map(({ id }) => id));
};

/** Whether one of two users has blocked the other. */
export const isBlocked = async (db: Db, userId: string, otherId: string): Promise<boolean> =>
  (await findBlocked(db, userId, [otherId])).has(otherId);

/** Whether a hold would book or extend a tool of a person who blocks the renter, or whom the renter blocks. */
export const isHoldBlocked = async (
  db: Db,
  hold: { id: string; userId: string },
): Promise<boolean> =>
  (await findBlocked(db, hold.userId, await findOwnersOfHold(db, hold))).size > 0;

/** SQL: whether the parties of a booking `b` are blocked from each other and its tool is back. */
export const isPlaceHiddenSql = `(b.status = 'completed' AND b.returned_at IS NOT NULL AND EXISTS (
    SELECT FROM blocks x WHERE x.blocked
      AND (x.blocker_id, x.blocked_id) IN ((b.user_id, b.owner_id), (b.owner_id, b.user_id))))`;

/** Whether an owner's tools are hidden from a viewer. Visitors and admins see all. */
export const isHiddenFrom = async (
  db: Db,
  viewer: Identity | null,
  ownerId: string,
): Promise<boolean> =>
  viewer !== null && viewer.role !== 'Admin' && (await isBlocked(db, viewer.userId, ownerId));
