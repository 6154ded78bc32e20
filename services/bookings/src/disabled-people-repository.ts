import type { Db, RowRange, Transaction } from '@lendtools/service-kit';

export interface DisabledPerson {
  id: string;
  version: number;
  changedAt: Date;
}

export const isDisabled = async (db: Db, userId: string): Promise<boolean> => {
  const { rowCount } = await db.query('SELECT 1 FROM disabled_people WHERE id = $1 AND disabled', [
    userId,
  ]);
  return rowCount === 1;
};

/** Disabled people who may still have open bookings, requests or holds, the longest disabled first. */
export const findUnsettledPeople = async (
  db: Db,
  { skip, limit }: RowRange,
): Promise<DisabledPerson[]> => {
  const { rows } = await db.query<DisabledPerson>(
    `SELECT id, version, changed_at AS "changedAt" FROM disabled_people
     WHERE disabled AND settled_version <> version AND id <> ALL ($1::uuid[]) ORDER BY changed_at LIMIT $2`,
    [skip, limit],
  );
  return rows;
};

/**
 * Records that a disabled person has nothing open. Does nothing in the first minute: a transaction that has not seen the
 * account disabled may still commit.
 */
export const saveSettled = async (db: Db, { id, version }: DisabledPerson): Promise<void> => {
  await db.query(
    `UPDATE disabled_people SET settled_version = $2
     WHERE id = $1 AND version = $2 AND changed_at < now() - interval '1 minute'`,
    [id, version],
  );
};

/** Marks disabled owners of a new booking as unsettled, so that `settle-disabled-accounts` handles them again. */
export const unsettleOwners = async (tx: Transaction, ownerIds: string[]): Promise<void> => {
  await tx.query('UPDATE disabled_people SET settled_version = 0 WHERE id = ANY($1) AND disabled', [
    ownerIds,
  ]);
};
