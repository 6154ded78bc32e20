import type { EventData } from '@lendtools/contracts';
import type { Transaction } from '@lendtools/service-kit';
import type { AddValue } from './statement-values.ts';
import { isSignedIn, type Viewer } from './tool-json.ts';

/** Stores whether a user blocks another one, unless a later version is stored. */
export const storeBlock = async (
  tx: Transaction,
  { blockerId, blockedId, blocked }: EventData<'PersonBlocked'>,
  version: number,
): Promise<void> => {
  await tx.query(
    `INSERT INTO blocks AS b (blocker_id, blocked_id, version, blocked) VALUES ($1, $2, $3, $4)
     ON CONFLICT (blocker_id, blocked_id) DO UPDATE SET version = excluded.version, blocked = excluded.blocked
     WHERE b.version < excluded.version`,
    [blockerId, blockedId, version, blocked],
  );
};

/**
 * SQL condition that omits the tools `t` of owners whom the viewer has blocked, or who have blocked the viewer. True for
 * visitors and admins. PostgreSQL runs the subquery once per statement and hashes its rows: with `<> ALL (ARRAY(…))`, each tool is
 * compared with each of them.
 */
export const notBlockedSql = (viewer: Viewer, value: AddValue): string =>
  isSignedIn(viewer) && !viewer.isAdmin
    ? `t.owner_id NOT IN (${ownersBlocked(value(viewer.id))})`
    : 'true';

const ownersBlocked = (id: string): string =>
  `SELECT blocked_id FROM blocks WHERE blocker_id = ${id}::uuid AND blocked
   UNION ALL SELECT blocker_id FROM blocks WHERE blocked_id = ${id}::uuid AND blocked`;
