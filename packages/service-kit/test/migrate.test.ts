import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPostgresDatabase, type TestDatabase, waitFor } from '@lendtools/testing';
import pg from 'pg';
import { pino } from 'pino';
import { migrate } from '../src/migrate.ts';

let database: TestDatabase;
let folder: string;
let other: pg.Client;
let logged: string[];
const logger = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line).msg) });

beforeEach(async () => {
  logged = [];
  database = await createPostgresDatabase({});
  folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
  await other.query('CREATE TABLE tools (name text)');
});
afterEach(async () => {
  await other.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const migration = (name: string, sql: string) => writeFile(path.join(folder, name), sql);
const migrateNow = (url = database.url) => migrate(url, { service: folder }, logger);

const appliedNames = async (): Promise<string[]> => {
  const { rows } = await other.query('SELECT name FROM schema_migrations ORDER BY name');
  return rows.map(({ name }) => name);
};

const isRunning = async (text: string): Promise<boolean> => {
  const { rowCount } = await other.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
       AND query LIKE $1 AND pid <> pg_backend_pid()`,
    [`${text}%`],
  );
  return rowCount === 1;
};

describe('migrate', () => {
  it('applies each migration once and in order, whether replicas start together or one after another', async () => {
    await migration('0001_count.sql', 'ALTER TABLE tools ADD count integer');
    await migration('0002_tool.sql', `INSERT INTO tools VALUES ('Drill', 1)`);

    await Promise.all([migrateNow(), migrateNow(), migrateNow()]);
    await migrateNow();

    expect((await other.query('SELECT * FROM tools')).rows).toEqual([{ name: 'Drill', count: 1 }]);
    expect(await appliedNames()).toEqual(['service/0001_count.sql', 'service/0002_tool.sql']);
  });

  it('rolls back a failing migration and keeps the earlier ones', async () => {
    await migration('0001_count.sql', 'ALTER TABLE tools ADD count integer');
    await migration('0002_wrong.sql', `INSERT INTO tools VALUES ('Drill', 1); SELECT wrong`);

    await expect(migrateNow()).rejects.toThrow('column "wrong" does not exist');

    expect((await other.query('SELECT * FROM tools')).rows).toEqual([]);
    expect(await appliedNames()).toEqual(['service/0001_count.sql']);
  });

  it('lets a migration run longer than the statement timeout, and logs that another replica waits for it', async () => {
    await other.query(`ALTER DATABASE ${other.database} SET statement_timeout = '300ms'`);
    await migration('0001_slow.sql', 'SELECT pg_sleep(1); ALTER TABLE tools ADD count integer');

    await expect(Promise.all([migrateNow(), migrateNow()])).resolves.toBeDefined();

    expect(await appliedNames()).toEqual(['service/0001_slow.sql']);
    expect(logged).toEqual(
      expect.arrayContaining(['waiting for another replica to migrate the database']),
    );
  });

  it('lets other statements pass while a migration waits for a lock, then retries the migration', async () => {
    await migration('0001_count.sql', 'ALTER TABLE tools ADD count integer');
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('BEGIN; LOCK TABLE tools IN ACCESS SHARE MODE');

    const migrating = migrateNow();
    await waitFor('the first try to give up', () =>
      logged.includes('a migration waits for a lock'),
    );
    const { rowCount } = await other.query(`INSERT INTO tools VALUES ('Drill')`);
    await reader.query('COMMIT');
    await migrating;

    expect(rowCount).toBe(1);
    expect(await appliedNames()).toEqual(['service/0001_count.sql']);
    await reader.end();
  });

  it('releases its lock when its process dies', async () => {
    await migration('0001_slow.sql', 'SELECT pg_sleep(600)');
    const program = `import { migrate } from '${new URL('../src/migrate.ts', import.meta.url)}';
      await migrate('${database.url}', { service: '${folder}' }, { info() {}, warn() {} });`;
    const victim = spawn(process.execPath, ['--input-type=module', '-e', program]);
    await waitFor('the migration to run', () => isRunning('SELECT pg_sleep(600)'));

    victim.kill('SIGKILL');
    await once(victim, 'exit');
    await migration('0001_slow.sql', 'SELECT 1');
    await migrateNow();

    expect(await appliedNames()).toEqual(['service/0001_slow.sql']);
  });
});

describe('a migration outside a transaction', () => {
  const addIndex = `-- outside a transaction, because writes go on meanwhile
DROP INDEX CONCURRENTLY IF EXISTS tools_name;
CREATE UNIQUE INDEX CONCURRENTLY tools_name ON tools (name);
`;

  it('can build an index while other replicas wait for their turn', async () => {
    await migration('0001_name.sql', addIndex);

    await Promise.all([migrateNow(), migrateNow(), migrateNow()]);

    expect(await appliedNames()).toEqual(['service/0001_name.sql']);
  });

  it('is applied again from its first statement after a failure', async () => {
    await migration('0001_name.sql', addIndex);
    await other.query(`INSERT INTO tools VALUES ('Drill'), ('Drill')`);
    await expect(migrateNow()).rejects.toThrow('could not create unique index "tools_name"');
    await other.query('DELETE FROM tools');

    await migrateNow();

    const { rows } = await other.query(
      `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'tools_name'::regclass`,
    );
    expect(rows).toEqual([{ valid: true }]);
  });
});

describe('migrate while its server is unreachable', () => {
  /** A port that refuses connections until `open` connects it to the server. */
  const wayToServer = async () => {
    const way = createServer((socket) => {
      const { hostname, port } = new URL(database.url);
      socket.pipe(connect(Number(port), hostname)).pipe(socket);
    });
    const listen = async (port: number): Promise<number> => {
      await once(way.listen(port, '127.0.0.1'), 'listening');
      return (way.address() as AddressInfo).port;
    };
    const close = () => new Promise((resolve) => way.close(resolve));
    const port = await listen(0);
    await close();
    const url = new URL(database.url);
    url.hostname = '127.0.0.1';
    url.port = String(port);
    return { url: url.toString(), open: () => listen(port), close };
  };

  it('logs that it waits for the database server, then migrates once it is up', async () => {
    await migration('0001_count.sql', 'ALTER TABLE tools ADD count integer');
    const way = await wayToServer();

    const migrating = migrateNow(way.url);
    await Promise.race([
      migrating,
      waitFor('the first try to fail', () => logged.includes('waiting for the database')),
    ]);
    await way.open();
    await migrating;
    await way.close();

    expect(await appliedNames()).toEqual(['service/0001_count.sql']);
  });

  it('gives up after a time limit', async () => {
    const { url } = await wayToServer();

    const failing = migrate(url, { service: folder }, logger, { connectWithinMs: 0 });

    await expect(failing).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('migrate on an older server', () => {
  it('fails, names the required version and changes nothing', async () => {
    await other.query(`CREATE SCHEMA older;
      CREATE FUNCTION older.current_setting(text) RETURNS text LANGUAGE sql AS
        $$ SELECT CASE $1 WHEN 'server_version' THEN '17.4' ELSE '170004' END $$`);
    const older = new URL(database.url);
    older.searchParams.set('options', '-c search_path=older,pg_catalog');

    const failing = migrateNow(older.toString());

    await expect(failing).rejects.toThrow('LendTools needs PostgreSQL 18 or newer; this is 17.4.');
    const { rows } = await other.query(`SELECT to_regclass('older.schema_migrations') AS made`);
    expect(rows).toEqual([{ made: null }]);
  });
});
