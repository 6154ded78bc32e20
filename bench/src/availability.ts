import { findAvailability } from '@lendtools/bookings/show-availability';
import { bookingsMigrations } from '@lendtools/bookings/start-bookings';
import { daysAhead } from '@lendtools/e2e/purchases';
import { createLogger, createPool, type Pool } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createPostgresDatabase } from '@lendtools/testing';
import { inShort } from './effort.ts';
import { percentile, type Row } from './statistics.ts';

const few = 1_000;
const many = inShort(100_000, 3_000);
const bookingsOfTool = 10;
const rounds = inShort(500, 20);
const mostTimes = 2;
/** Ratios of times below this are ignored, because they only reflect the machine's load. */
const quickMs = 5;

/** Adds tools with one unit each. Each unit is booked for two of every twenty days. */
const fill = async (pool: Pool, tools: number): Promise<void> => {
  await pool.query(
    `INSERT INTO tools (id, version, owner_id, name, price_cents, status, units, time_zone, terms)
     SELECT uuidv7(), 1, uuidv7(), 'Drill ' || n, 1000, 'Available', 1, 'America/Chicago', '{"buffer": 1}'
     FROM generate_series(1, $1::int) n`,
    [tools],
  );
  await pool.query('INSERT INTO units (tool_id, number) SELECT id, 1 FROM tools');
  for (let i = 0; i < bookingsOfTool; i++)
    await pool.query(
      `WITH made AS (
         INSERT INTO bookings (status, code, user_id, owner_id, tool_id, name, description, cover_image, circle,
           time_zone, price_cents, quantity, period, total_cents, start_date, start_time, end_date, end_time, starts_at,
           ends_at, booked_at)
         SELECT 'confirmed', 'LT' || $1 || '-' || name, uuidv7(), owner_id, id, name, '', 'null', circle,
           time_zone, 1000, 1, 2, 2000, '', '', '', '', start, start + interval '2 days', now()
         FROM tools, LATERAL (SELECT date_trunc('day', now()) + ($1::int * 20 - 100) * interval '1 day' AS start) s
         RETURNING id, tool_id, starts_at, ends_at)
       INSERT INTO booking_units (booking_id, unit_id, during, status)
       SELECT m.id, u.id, tstzrange(starts_at, ends_at), 'confirmed' FROM made m JOIN units u USING (tool_id)`,
      [i],
    );
  await pool.query('VACUUM ANALYZE');
};

const measure = async (pool: Pool): Promise<number[]> => {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM tools ORDER BY md5(id::text) LIMIT $1',
    [rounds],
  );
  const requested = { from: daysAhead(0), to: daysAhead(89), user: null };
  const times: number[] = [];
  // The first round is not counted: it reads from disk what later rounds find in memory.
  for (const isCounted of [false, true])
    for (const { id } of rows) {
      const start = performance.now();
      await findAvailability(pool, id, requested);
      if (isCounted) times.push(performance.now() - start);
    }
  return times;
};

/** Compares the time to read a tool's ninety-day calendar at a million bookings with the time at ten thousand. */
export const benchAvailability = async (): Promise<Row> => {
  const times: number[][] = [];
  for (const tools of [few, many]) {
    const database = await createPostgresDatabase(postgresMigrations(bookingsMigrations));
    const logger = createLogger('bench', 'warn');
    const pool = createPool(database.url, logger, { statementTimeoutMs: 3_600_000 });
    await fill(pool, tools);
    times.push(await measure(pool));
    await pool.end();
    await database.drop();
  }
  const [ofFew = [], ofMany = []] = times;
  const shown = (percent: number): string => {
    const [one, other] = [percentile(ofMany, percent), percentile(ofFew, percent)];
    return `p${percent} ${(one / other).toFixed(1)} × (${one.toFixed(1)} : ${other.toFixed(1)} ms)`;
  };
  const [p99, p99OfFew] = [percentile(ofMany, 99), percentile(ofFew, 99)];
  return {
    name: `Availability of 90 days at ${(many * bookingsOfTool).toLocaleString('en-US')} : 10,000 bookings`,
    measured: `${shown(50)}; ${shown(99)}`,
    bound: `p99 ≤ ${mostTimes} ×, or ≤ ${quickMs} ms`,
    kept: p99 <= quickMs || p99 <= mostTimes * p99OfFew,
  };
};
