/**
 * `npx node e2e/migrate-large-table.ts [--rows 1000000]`: measures how long migrations of a large table block its writers.
 * Needs the servers of `node infra/local/test-servers.ts`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createLogger, createPool, migrate } from '@lendtools/service-kit';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { createPostgresDatabase } from '@lendtools/testing';
import pg from 'pg';

const rows = readCommandLine('npx node e2e/migrate-large-table.ts [--rows 1000000]', (args) => {
  const { values } = parseArgs({ args, options: { rows: { type: 'string', default: '1000000' } } });
  if (/^\d+$/.test(values.rows)) return Number(values.rows);
  throw new Error(`--rows takes a number, not "${values.rows}"`);
});

const database = await createPostgresDatabase({});
const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
const logger = createLogger('migrate', 'warn');
const pool = createPool(database.url, logger);
let files = 0;

/** Two replicas apply one more migration, while an update runs every 20 ms. */
const migrateUnderLoad = async (what: string, sql: string): Promise<void> => {
  writeFileSync(join(folder, `${String(++files).padStart(4, '0')}.sql`), sql);
  const waits: number[] = [];
  let failed = 0;
  const underWay: Promise<void>[] = [];
  let isOver = false;
  const writing = (async () => {
    for (; !isOver; await delay(20)) {
      const started = performance.now();
      underWay.push(
        pool
          .query('UPDATE tools SET price_cents = price_cents + 1 WHERE id = $1', [
            1 + (waits.length % rows),
          ])
          .then(
            () => void waits.push(performance.now() - started),
            () => void failed++,
          ),
      );
    }
    await Promise.all(underWay);
  })();

  const started = performance.now();
  const replica = () => migrate(database.url, { service: folder }, logger);
  const outcome = await Promise.all([replica(), replica()]).then(
    () => 'applied',
    (error: Error) => `failed: ${error.message}`,
  );
  const tookMs = performance.now() - started;
  isOver = true;
  await writing;
  console.log(
    `${what}: ${outcome} in ${(tookMs / 1_000).toFixed(1)} s; ${waits.length} writes meanwhile, ` +
      `the slowest ${(Math.max(...waits) / 1_000).toFixed(2)} s, ${failed} failed`,
  );
};

/** Uses a separate client, because the services' pool has a statement timeout that is too short to fill the table. */
const fillTable = async (): Promise<void> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`CREATE TABLE tools AS SELECT n AS id, 1000 AS price_cents,
      (SELECT string_agg(md5((n * 31 + part)::text), ' ') FROM generate_series(1, 8) part) AS description
      FROM generate_series(1, ${rows}) n`);
    await client.query('ALTER TABLE tools ADD PRIMARY KEY (id)');
    await client.query('CREATE EXTENSION pg_trgm');
  } finally {
    await client.end();
  }
};

/** Holds a read lock on the table in one transaction, as a report or a backup does. */
const readFor = async (ms: number): Promise<void> => {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE tools IN ACCESS SHARE MODE');
  await delay(ms);
  await client.query('COMMIT');
  client.release();
};

try {
  await fillTable();
  console.log(`A table of ${rows} tools, each with a description of 263 characters`);

  const index = 'ON tools USING gin (description gin_trgm_ops)';
  const limited = createPool(database.url, logger, { max: 1 });
  const started = performance.now();
  const before = await limited.query(`CREATE INDEX tools_description ${index}`).then(
    () => 'built',
    (error: Error) => error.message,
  );
  const beforeMs = performance.now() - started;
  console.log(
    `The index under the services' statement timeout: ${before}, after ${(beforeMs / 1_000).toFixed(1)} s`,
  );
  await limited.query('DROP INDEX IF EXISTS tools_description');
  await limited.end();

  await migrateUnderLoad('A new column', 'ALTER TABLE tools ADD color text');
  const reading = readFor(8_000);
  await migrateUnderLoad(
    'A new column, while a transaction reads for 8 s',
    'ALTER TABLE tools ADD size text',
  );
  await reading;
  await migrateUnderLoad('The index in a transaction', `CREATE INDEX tools_description ${index}`);
  await migrateUnderLoad(
    'The index outside a transaction',
    `-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS tools_description;
CREATE INDEX CONCURRENTLY tools_description ${index};
`,
  );
} finally {
  await pool.end();
  await database.drop();
  rmSync(folder, { recursive: true });
}
