import {
  columns,
  type Db,
  type Pool,
  type RowRange,
  type Transaction,
} from '@lendtools/service-kit';
import type { Entry } from '../domain/ledger.ts';
import type { ShareId } from '../domain/share.ts';

export const readLedger = async (db: Db, paymentId: string): Promise<Entry[]> => {
  const { rows } = await db.query<Entry>(
    `SELECT key, line, from_account AS "from", to_account AS "to", ${columns('cents bookingId ownerId stripeId happenedAt')}
     FROM ledger WHERE payment_id = $1 ORDER BY posted_at, happened_at, key, line`,
    [paymentId],
  );
  return rows;
};

/** Inserts entries in one statement: its triggers check the signs, and expect the balance transactions of whole movements. */
export const insertEntries = async (
  db: Db,
  paymentId: string | null,
  entries: readonly Entry[],
): Promise<void> => {
  if (entries.length === 0) return;
  const valuesOf = (name: keyof Entry) => entries.map((entry) => entry[name]);
  await db.query(
    `INSERT INTO ledger (payment_id, key, line, from_account, to_account, cents, booking_id, owner_id, stripe_id, happened_at)
     SELECT $1, * FROM unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::bigint[], $7::uuid[], $8::uuid[], $9::text[],
       $10::timestamptz[])`,
    [
      paymentId,
      valuesOf('key'),
      valuesOf('line'),
      valuesOf('from'),
      valuesOf('to'),
      valuesOf('cents'),
      valuesOf('bookingId'),
      valuesOf('ownerId'),
      valuesOf('stripeId'),
      valuesOf('happenedAt'),
    ],
  );
};

/**
 * Stores the payment's charge, and when the facts were requested. The later request wins: of two replicas, the one with the
 * older facts may come last. Lock the payment first.
 * @returns false if the ledger contains the facts of a later request
 */
export const noteReading = async (
  tx: Transaction,
  paymentId: string,
  { chargeId, readAt }: { chargeId: string; readAt: Date },
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `UPDATE payments SET charge_id = $2, ledger_read_at = $3, shares_read_at = $3
     WHERE id = $1 AND (ledger_read_at IS NULL OR ledger_read_at <= $3)`,
    [paymentId, chargeId, readAt],
  );
  return rowCount !== 0;
};

/**
 * Follows a payment again after as much time as has passed since it succeeded, from a minute on, for a month. A task that is
 * scheduled meanwhile stays as early as it is.
 */
export const followAgainLater = async (tx: Transaction, paymentId: string): Promise<void> => {
  await tx.query(
    `SELECT FROM payments p CROSS JOIN LATERAL graphile_worker.add_job('follow-ledger', to_json(p.id::text),
       run_at => now() + greatest(interval '1 minute', now() - p.succeeded_at),
       job_key => 'follow-ledger:' || p.id, job_key_mode => 'preserve_run_at', max_attempts => 32767)
     WHERE p.id = $1 AND p.succeeded_at > now() - interval '30 days'`,
    [paymentId],
  );
};

/**
 * Reads the payment's shares again at an instant; null if nothing waits for a release. An earlier instant stays if it was set
 * after this reading: a booking may be over since.
 */
export const saveNextRelease = async (
  tx: Transaction,
  paymentId: string,
  { readAt, nextAt }: { readAt: Date; nextAt: Date | null },
): Promise<void> => {
  await tx.query(
    `UPDATE payments SET release_at = next.at FROM (SELECT coalesce($3, 'infinity'::timestamptz) AS at) next
     WHERE id = $1 AND release_at <> next.at AND NOT (release_at > $2 AND release_at < next.at)`,
    [paymentId, readAt, nextAt],
  );
};

/** If the payment's next release is not due yet, fires the trigger that schedules it and returns false. */
export const isReleaseDue = async (db: Db, paymentId: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    'UPDATE payments SET release_at = release_at WHERE id = $1 AND release_at > now()',
    [paymentId],
  );
  return rowCount === 0;
};

/**
 * Makes the payments of a booking due for a release: those that the caller knows, and those in the ledger, which may lack a
 * payment that is being read for the first time. An unknown payment is ignored.
 */
export const releaseBooking = async (
  tx: Transaction,
  { bookingId, paymentIds = [] }: { bookingId: string; paymentIds?: string[] | undefined },
): Promise<void> => {
  await tx.query(
    `WITH locked AS (
       SELECT id FROM payments
       WHERE id IN (SELECT unnest($2::uuid[]) UNION SELECT payment_id FROM ledger WHERE booking_id = $1)
       ORDER BY id FOR NO KEY UPDATE)
     UPDATE payments p SET release_at = clock_timestamp() FROM locked WHERE p.id = locked.id`,
    [bookingId, paymentIds],
  );
};

/** An owner's shares with money that can be transferred. */
export const listAvailableShares = async (db: Db, ownerId: string): Promise<ShareId[]> => {
  const { rows } = await db.query<ShareId>(
    `SELECT payment_id AS "paymentId", booking_id AS "bookingId" FROM ledger
     WHERE owner_id = $1 AND 'available' IN (from_account, to_account)
     GROUP BY 1, 2 HAVING sum(CASE to_account WHEN 'available' THEN cents ELSE -cents END) > 0`,
    [ownerId],
  );
  return rows;
};

/** Succeeded payments whose shares were not read with their terms, the oldest first. Those of the last minutes have a task. */
export const findUnfollowedPayments = async (
  pool: Pool,
  { skip, limit }: RowRange,
): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM payments
     WHERE succeeded_at < now() - interval '5 minutes' AND intent_id IS NOT NULL AND shares_read_at IS NULL AND id <> ALL ($1::uuid[])
     ORDER BY succeeded_at, id LIMIT $2`,
    [skip, limit],
  );
  return rows.map(({ id }) => id);
};
