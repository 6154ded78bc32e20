import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, createPool, type Pool } from '@lendtools/service-kit';
import { createPostgresDatabase, type TestDatabase } from '@lendtools/testing';

import { countListed } from '../src/page.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createPostgresDatabase({});
  pool = createPool(database.url, createLogger('test', 'silent'));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const count = (rows: number, isNarrowed: boolean) =>
  countListed(pool, { rows: 'FROM generate_series(1, $1::int)', values: [rows], isNarrowed });

describe('countListed', () => {
  it('counts all rows of an unfiltered list', async () => {
    expect(await count(10_002, false)).toEqual({ total: 10_002 });
  });

  it('counts a filtered list up to 10,000 rows and flags a capped total', async () => {
    expect(await count(10_000, true)).toEqual({ total: 10_000 });
    expect(await count(10_001, true)).toEqual({ total: 10_000, isTotalCapped: true });
  });
});
