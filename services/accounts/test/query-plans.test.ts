import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inTransaction, type Pool } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createFilledDatabase, planQueries } from '@lendtools/testing';
import { findShown } from '../src/profiles/purge-user-pictures/purge-user-pictures.ts';
import { sessionPurges } from '../src/sessions/purge-old-sessions/purge-old-sessions.ts';
import { listBlocked, unblockAllOf } from '../src/store/block-repository.ts';
import { listUsers } from '../src/store/user-repository.ts';

let database: Awaited<ReturnType<typeof createFilledDatabase>>;
beforeAll(async () => {
  database = await createFilledDatabase(
    postgresMigrations(fileURLToPath(new URL('../migrations/', import.meta.url))),
    fill,
  );
});
afterAll(() => database.drop());

/** 2,000 users, each with one session of five refresh tokens. Few are admins or disabled. */
const fill = `
  INSERT INTO users (role, user_name, first_name, last_name, email, phone, password_hash, country, state, city, address, image,
      lat, lng, time_zone, disabled_at)
    SELECT CASE WHEN i % 500 = 0 THEN 'Admin' ELSE 'User' END, 'user' || i, 'Ann', 'Name' || i, 'user' || i || '@example.com',
      '', '', '', '', '', '', CASE WHEN i % 3 = 0 THEN '/images/' || i ELSE 'null' END, 0, 0, 'UTC', CASE WHEN i % 300 = 0 THEN now() END
    FROM generate_series(1, 2000) i;
  INSERT INTO sessions (user_id, expires_at, access_until)
    SELECT id, now() + interval '30 days', now() + interval '15 minutes' FROM users;
  INSERT INTO refresh_tokens (hash, session_id, used_at)
    SELECT sha256((id::text || n)::bytea), id, CASE WHEN n > 1 THEN now() END FROM sessions, generate_series(1, 5) n;
  INSERT INTO blocks (blocker_id, blocked_id)
    SELECT one.id, other.id FROM (SELECT id, row_number() OVER () AS n FROM users) one
    JOIN (SELECT id, row_number() OVER () AS n FROM users) other ON other.n BETWEEN one.n + 1 AND one.n + 3`;

const userId = '00000000-0000-7000-8000-000000000000';
const all = { q: undefined, role: undefined, disabled: undefined, before: undefined, limit: 101 };
const purge =
  (kind: 'refresh_tokens' | 'sessions' | 'mailed_tokens' | 'rate_limits') => (db: Pool) =>
    sessionPurges(db)[kind]?.() ?? Promise.reject(new Error('There is no such purge'));

const queries: [string, string[], (db: Pool) => Promise<unknown>][] = [
  [
    'the list of admins',
    ['users_with_admin_role'],
    (db) => listUsers(db, { ...all, role: 'Admin' }),
  ],
  [
    'the list of disabled users',
    ['users_disabled'],
    (db) => listUsers(db, { ...all, disabled: true }),
  ],
  ['the search', ['users_words'], (db) => listUsers(db, { ...all, q: 'zebrawood' })],
  ['the purge of pictures', ['users_images'], (db) => findShown(db, ['/images/1'])],
  [
    'the purge of refresh tokens',
    ['refresh_tokens_used_at', 'refresh_tokens_session_id'],
    purge('refresh_tokens'),
  ],
  ['the purge of sessions', ['sessions_expires_at'], purge('sessions')],
  ['the purge of mailed tokens', ['mailed_tokens_expires_at'], purge('mailed_tokens')],
  [
    'the people whom a user has blocked',
    ['blocks_blocker_id_blocked_id_key'],
    (db) => listBlocked(db, userId),
  ],
  [
    'the end of all blocks of a user',
    ['blocks_blocker_id_blocked_id_key', 'blocks_blocked_id'],
    (db) => inTransaction(db, (tx) => unblockAllOf(tx, userId)),
  ],
  ['the purge of rate limits', ['rate_limits_expire'], purge('rate_limits')],
];

describe('PostgreSQL with many users', () => {
  it.each(queries)('uses the indexes made for %s', async (_, expected, ask) => {
    const { indexes, scannedTables } = await planQueries(database.pool, ask);

    expect(indexes).toEqual(expect.arrayContaining(expected));
    expect(scannedTables).toEqual([]);
  });
});
