import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Db } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

/**
 * Erases what a deleted owner wrote and showed of tools, also on bookings. `sync-people` replaces the names, and renters keep what
 * they booked, when and for how much.
 */
export const eraseOwnerWhenAccountDeleted = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.erase-owner-when-account-deleted', pool, ({ data: { userId } }, tx) =>
    eraseOwner(tx, userId),
  );

export const eraseOwner = async (db: Db, userId: string): Promise<void> => {
  await db.query(
    `UPDATE tools SET description = '', cover_image = 'null', terms = NULL WHERE owner_id = $1`,
    [userId],
  );
  await db.query(
    `UPDATE bookings SET description = '', cover_image = 'null'
     WHERE tool_id IN (SELECT id FROM tools WHERE owner_id = $1) AND (description <> '' OR cover_image <> 'null')`,
    [userId],
  );
  await db.query('DELETE FROM calendar_feeds WHERE user_id = $1', [userId]);
};
