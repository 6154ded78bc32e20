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
  it('counts all rows of a list that is not narrowed', async () => {
    expect(await count(10_002, false)).toEqual({ total: 10_002 });
  });

  it('counts a narrowed list up to 10,000 rows, and says when there are more', async () => {
    expect(await count(10_000, true)).toEqual({ total: 10_000 });
    expect(await count(10_001, true)).toEqual({ total: 10_000, isTotalCapped: true });
  });
});
