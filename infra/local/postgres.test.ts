import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { connect } from './databases.ts';
import { openHome, type ServerContext } from './home.ts';
import { localeOptions, removeStaleLock, startPostgres } from './postgres.ts';
import { serversInStopOrder } from './servers.ts';

describe('a new database cluster', () => {
  let home: string;
  let context: ServerContext;
  let client: pg.Client;
  const { POSTGRES_URL } = process.env;

  beforeAll(async () => {
    delete process.env.POSTGRES_URL;
    home = mkdtempSync(join(tmpdir(), 'postgres-'));
    // The user that runs PostgreSQL must be able to access its data.
    chmodSync(home, 0o755);
    context = await openHome({ home, say: () => {}, isThrowaway: true });
    client = await connect((await startPostgres(context)).adminUrl);
    await client.query('CREATE EXTENSION pg_trgm');
  });
  afterAll(async () => {
    await client?.end();
    await context.supervisor.stopAll(serversInStopOrder);
    rmSync(home, { recursive: true });
    if (POSTGRES_URL !== undefined) process.env.POSTGRES_URL = POSTGRES_URL;
  });

  const value = async (sql: string): Promise<unknown> => {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  };

  it("sorts and folds case with PostgreSQL's built-in tables on every system", async () => {
    expect(
      await value(
        "SELECT concat(datlocprovider, ' ', datlocale) FROM pg_database WHERE datname = 'template1'",
      ),
    ).toBe('b C.UTF-8');
  });

  it('folds the case of letters beyond ASCII', async () => {
    expect(await value("SELECT lower('ÉSŁÅДРЕЛЬ')")).toBe('ésłåдрель');
    expect(await value("SELECT 'Éa' ILIKE 'éA' AND 'É' ~* 'é'")).toBe(true);
  });

  it('splits texts into words with letters beyond ASCII', async () => {
    expect(await value("SELECT to_tsvector('simple', 'Łódź-Straße дрель')::text")).toContain(
      "'дрель'",
    );
  });

  it('finds misspelled words in any script by trigrams', async () => {
    expect(await value("SELECT similarity('дрель', 'дрелль') > 0.4")).toBe(true);
    expect(await value("SELECT similarity('straße', 'strasse') < 1")).toBe(true);
    expect(await value("SELECT similarity('łom', 'łoś') < 1")).toBe(true);
  });
});

describe('locale options of initdb', () => {
  it('name a character type (LC_CTYPE) that macOS has', () => {
    expect(localeOptions('darwin')).toContain('--lc-ctype=en_US.UTF-8');
    expect(localeOptions('darwin').join()).not.toContain('lc-ctype=C.UTF-8');
  });
});

describe("PostgreSQL's lock file", () => {
  let folder: string;
  let lock: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postgres-lock-'));
    lock = join(folder, 'postmaster.pid');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is kept while its server runs, even if the server’s command line is unreadable', () => {
    writeFileSync(lock, `${process.pid}\n${folder}\n`);

    removeStaleLock(folder, () => null);

    expect(existsSync(lock)).toBe(true);
  });

  it('is removed once its server is gone', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'close');
    writeFileSync(lock, `${child.pid}\n${folder}\n`);

    removeStaleLock(folder);

    expect(existsSync(lock)).toBe(false);
  });

  it('is removed if another program has reused the server’s pid', () => {
    writeFileSync(lock, `${process.pid}\n${folder}\n`);

    removeStaleLock(folder, () => '/usr/sbin/cron');

    expect(existsSync(lock)).toBe(false);
  });
});
