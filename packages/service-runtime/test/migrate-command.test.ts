import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPostgresDatabase, type TestDatabase } from '@lendtools/testing';
import pg from 'pg';

const command = fileURLToPath(new URL('../src/migrate-command.ts', import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await createPostgresDatabase({});
});
afterAll(() => database.drop());

const migrateBookings = (env: Record<string, string>) =>
  spawnSync(process.execPath, [command, 'bookings'], { encoding: 'utf8', env });

describe('npm run migrate', () => {
  it('applies the migrations of a service, and nothing when repeated', async () => {
    const first = migrateBookings({ DATABASE_URL: database.url });
    const second = migrateBookings({ DATABASE_URL: database.url });

    expect([first.status, second.status]).toEqual([0, 0]);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query('SELECT count(*)::int AS bookings FROM bookings');
    await client.end();
    expect(rows).toEqual([{ bookings: 0 }]);
  });

  it('fails without the address of a database', () => {
    const { status, stderr } = migrateBookings({});

    expect(status).toBe(2);
    expect(stderr).toContain('Missing: DATABASE_URL');
  });
});
