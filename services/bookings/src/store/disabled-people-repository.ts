import type { Db, Transaction } from '@lendtools/service-kit';
import { schedule } from './schedule.ts';

/** `saveSettled` checks again after this time: no account is settled within a minute of being disabled. */
const settleAgainMs = 61_000;

export interface DisabledPerson {
  id: string;
  /** PostgreSQL's `xmin`, which differs after each update of the row. */
  rowVersion: string;
  changedAt: Date;
}

export const isDisabled = async (db: Db, userId: string): Promise<boolean> => {
  const { rowCount } = await db.query('SELECT 1 FROM disabled_people WHERE id = $1 AND disabled', [
    userId,
  ]);
  return rowCount === 1;
};

/** A disabled person who may still have open bookings, requests or holds. */
export const findUnsettled = async (db: Db, id: string): Promise<DisabledPerson | undefined> => {
  const { rows } = await db.query<DisabledPerson>(
    `SELECT id, xmin::text AS "rowVersion", changed_at AS "changedAt" FROM disabled_people
     WHERE id = $1 AND disabled AND settled_version <> version`,
    [id],
  );
  return rows[0];
};

/**
 * Marks an account as settled, unless its row was updated after `findUnsettled` read it, or the account was disabled
 * less than a minute ago: a transaction that began earlier may still commit a booking.
 */
export const saveSettled = async (
  tx: Transaction,
  { id, rowVersion, changedAt }: DisabledPerson,
): Promise<void> => {
  const { rowCount } = await tx.query(
    `UPDATE disabled_people SET settled_version = version
     WHERE id = $1 AND xmin::text = $2 AND changed_at < now() - interval '1 minute'`,
    [id, rowVersion],
  );
  const laterMs = changedAt.getTime() + settleAgainMs;
  if (rowCount === 0) await schedule(tx, 'settle-disabled-account', id, new Date(laterMs));
};

/** Marks disabled owners of a new booking as unsettled. A concurrent `saveSettled` then leaves them unsettled. */
export const unsettleOwners = async (tx: Transaction, ownerIds: string[]): Promise<void> => {
  const { rows } = await tx.query<{ id: string }>(
    `UPDATE disabled_people SET settled_version = 0
     WHERE id = ANY($1) AND disabled RETURNING id`,
    [ownerIds],
  );
  for (const { id } of rows) await schedule(tx, 'settle-disabled-account', id);
};
