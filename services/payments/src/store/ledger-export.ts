import type { Pool } from '@lendtools/service-kit';

export interface ExportedEntry {
  postedAt: Date;
  happenedAt: Date;
  key: string;
  line: number;
  from: string;
  to: string;
  cents: number;
  paymentId: string | null;
  bookingId: string | null;
  ownerId: string | null;
  stripeId: string | null;
}

const batchSize = 2_000;

/**
 * Reads the entries that were posted in a span, in batches, in the order in which they are stored. A cursor, because sorting ten
 * million rows would take longer than a statement may. It waits while the reader is slow, for half a minute at most.
 */
export const readEntries = async function* (
  pool: Pool,
  { from, to }: { from: Date; to: Date },
): AsyncGenerator<ExportedEntry[]> {
  const client = await pool.connect();
  let isDone = false;
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(
      `SET LOCAL synchronize_seqscans = off; SET LOCAL idle_in_transaction_session_timeout = '30s'`,
    );
    await client.query(
      `DECLARE entries NO SCROLL CURSOR FOR
        SELECT posted_at AS "postedAt", happened_at AS "happenedAt", key, line, from_account AS "from", to_account AS "to", cents,
          payment_id AS "paymentId", booking_id AS "bookingId", owner_id AS "ownerId", stripe_id AS "stripeId"
        FROM ledger WHERE posted_at >= '${from.toISOString()}' AND posted_at < '${to.toISOString()}'`,
    );
    for (;;) {
      const { rows } = await client.query<ExportedEntry>(`FETCH ${batchSize} FROM entries`);
      if (rows.length === 0) break;
      yield rows;
    }
    await client.query('COMMIT');
    isDone = true;
  } finally {
    // If the reader stopped early, the transaction is still open: close the connection.
    client.release(!isDone);
  }
};
