import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inTransaction } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createFilledDatabase, planQueries } from '@lendtools/testing';
import { searchStatement } from '../src/search/search-statement.ts';
import { eraseToolsOfOwner } from '../src/store/owner-repository.ts';

let database: Awaited<ReturnType<typeof createFilledDatabase>>;
beforeAll(async () => {
  database = await createFilledDatabase(
    postgresMigrations(fileURLToPath(new URL('../migrations/', import.meta.url))),
    fill,
  );
});
afterAll(() => database.drop());

/** 1,000 tools of 200 owners, some of them removed, each saved once and with one booking. */
const fill = `
  INSERT INTO categories (id, name) VALUES (md5('c')::uuid, 'Garden');
  INSERT INTO owners (id) SELECT md5('o' || i)::uuid FROM generate_series(0, 199) i;
  INSERT INTO tools (id, owner_id, category_id, name, description, price_cents, rental_circle, units, place, created_at, listed_at, removed_at)
    SELECT md5('t' || i)::uuid, md5('o' || i % 200)::uuid, md5('c')::uuid, 'Drill ' || i, '', 1000, 'daily', 1, ll_to_earth(45, -122),
      now(), now(), CASE WHEN i % 9 = 0 THEN now() END
    FROM generate_series(1, 1000) i;
  INSERT INTO saved_tools (user_id, tool_id) SELECT owner_id, id FROM tools;
  INSERT INTO tool_bookings (booking_id, tool_id, quantity) SELECT id, id, 1 FROM tools;
  INSERT INTO blocks (blocker_id, blocked_id, version, blocked)
    SELECT md5('o' || i % 200)::uuid, md5('o' || (i + i / 200 + 1) % 200)::uuid, 1, true FROM generate_series(0, 5999) i`;

describe('PostgreSQL with many tools', () => {
  it('uses the indexes made for the erasure of a deleted owner', async () => {
    const { indexes, scannedTables } = await planQueries(database.pool, (db) =>
      inTransaction(db, (tx) => eraseToolsOfOwner(tx, randomUUID())),
    );

    expect(indexes).toContain('tools_by_owner');
    expect(scannedTables).toEqual([]);
  });

  it('uses indexes to omit the tools of blocked owners from a search', async () => {
    const { text, values } = searchStatement({
      order: 'newest',
      limit: 24,
      viewer: { id: randomUUID(), isAdmin: false },
      match: 'words',
      words: undefined,
      end: undefined,
    });
    const { indexes, scannedTables } = await planQueries(database.pool, (db) =>
      db.query(text, values),
    );
    const explained = await database.pool.query(`EXPLAIN ${text}`, values);

    const used = ['tools_newest', 'blocks_pkey', 'blocks_blocked_id'];
    expect(indexes).toEqual(expect.arrayContaining(used));
    expect(scannedTables).not.toContain('tools');
    expect(scannedTables).not.toContain('blocks');
    const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/NOT \(ANY \(owner_id = \(hashed SubPlan/);
  });
});
