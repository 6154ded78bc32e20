import type { Pool, Transaction } from '@lendtools/service-kit';

export const isHandled = async (pool: Pool, eventId: string): Promise<boolean> => {
  const { rowCount } = await pool.query('SELECT 1 FROM stripe_events WHERE id = $1', [eventId]);
  return rowCount === 1;
};

/**
 * Records an event. A concurrent second delivery waits for the insert and does nothing.
 * @returns whether the event is new
 */
export const recordEvent = async (
  tx: Transaction,
  { id, type }: { id: string; type: string },
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    'INSERT INTO stripe_events (id, type) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [id, type],
  );
  return rowCount === 1;
};

/** Reads the database's clock, because the replicas' clocks may differ. */
export const readClock = async (pool: Pool): Promise<Date> => {
  const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]?.now as Date;
};
