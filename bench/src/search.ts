import { seedTools } from '@lendtools/catalog/seed-tools';
import { catalogMigrations } from '@lendtools/catalog/start-catalog';
import { searchTools } from '@lendtools/catalog/tool-search';
import { daysAhead } from '@lendtools/e2e/purchases';
import { createLogger, createPool, type Pool } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createPostgresDatabase } from '@lendtools/testing';
import { inShort } from './effort.ts';
import { percentile, type Row } from './statistics.ts';

type ToolSearch = Parameters<typeof searchTools>[1];

const few = 10_000;
const many = inShort(1_000_000, 30_000);
/** With so many rounds, the 99th percentile is not just the slowest round. */
const rounds = inShort(500, 5);
const shownMany = many.toLocaleString('en-US');
const mostTimes = 3;
/** Ratios of times below this are ignored, because they only reflect the machine's load. */
const quickMs = 5;

const near = { place: { lat: 39, lng: -97 }, radiusMiles: 20 };

/** Returns a rare word of tool names, and the same word misspelled with two letters swapped. */
const rareOf = async (pool: Pool): Promise<[string, string]> => {
  const { rows } = await pool.query<{ word: string }>(
    `SELECT word FROM vocabulary WHERE length(word) = 8 AND word ~ '^[a-p]+$' AND substr(word, 4, 1) <> substr(word, 5, 1)
     ORDER BY tools, word LIMIT 1`,
  );
  const word = rows[0]?.word as string;
  return [word, `${word.slice(0, 3)}${word[4]}${word[3]}${word.slice(5)}`];
};

const dates = { from: daysAhead(20), to: daysAhead(22) };
const withDates = ', on three days';
const onDates = (kinds: Record<string, Partial<ToolSearch>>) =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, search]) => [`${kind}${withDates}`, { ...search, dates }]),
  );

/** Books each tool for two of fifteen days, so that about a third are not free on the three searched days. */
const bookTools = async (pool: Pool): Promise<void> => {
  await pool.query(
    `INSERT INTO tool_bookings (booking_id, tool_id, quantity, booked_at, starts_at, ends_at, units)
     SELECT uuidv7(), id, 1, now(), start, start + interval '2 days', '{1}'
     FROM tools, LATERAL (SELECT $1::timestamptz + abs(hashtext(id::text)) % 15 * interval '1 day' AS start) s`,
    [daysAhead(14)],
  );
  await pool.query('VACUUM ANALYZE tool_bookings');
};

const kindsOf = async (pool: Pool): Promise<Record<string, Partial<ToolSearch>>> => {
  const [rare, misspelt] = await rareOf(pool);
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM categories LIMIT 1');
  return {
    newest: {},
    'one category': { categoryId: rows[0]?.id },
    cheapest: { order: 'price' },
    'near me': { order: 'distance', ...near },
    'a common word': { q: 'drill', order: 'relevance' },
    'two common words': { q: 'cordless drill', order: 'relevance' },
    'a rare word': { q: rare, order: 'relevance' },
    'a common word, misspelt': { q: 'drlil', order: 'relevance' },
    'a rare word, misspelt': { q: misspelt, order: 'relevance' },
    'a nonsense word': { q: 'xqzvwkj', order: 'relevance' },
    'near me, a common word': { q: 'drill', order: 'relevance', ...near },
    'near me, a rare word': { q: rare, order: 'relevance', ...near },
    ...onDates({
      newest: {},
      'one category': { categoryId: rows[0]?.id },
      cheapest: { order: 'price' },
      'near me': { order: 'distance', ...near },
      'a common word': { q: 'drill', order: 'relevance' },
    }),
  };
};

/** The duration of each round in milliseconds, by kind of search. */
type Times = Record<string, number[]>;

/** Alternates between the databases, so that other load slows both equally. */
const measure = async (pools: Pool[]): Promise<Times[]> => {
  const viewer = { id: null, isAdmin: false };
  const databases = await Promise.all(
    pools.map(async (pool) => ({ pool, kinds: await kindsOf(pool), times: {} as Times })),
  );
  const names = Object.keys(databases[0]?.kinds ?? {});
  // The first round is not counted: it reads from disk what later rounds find in memory.
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      for (const { pool, kinds, times } of databases) {
        const start = performance.now();
        await searchTools(pool, { order: 'newest', limit: 24, viewer, ...kinds[name] });
        if (round >= 0) times[name] = [...(times[name] ?? []), performance.now() - start];
      }
    }
  }
  return databases.map(({ times }) => times);
};

const compareSearches = async (fewTools: Pool, manyTools: Pool): Promise<Row[]> => {
  const [ofFew, ofMany] = (await measure([fewTools, manyTools])) as [Times, Times];
  const ofSize = Object.keys(ofMany).map((kind) =>
    compare(`Search at ${shownMany} : 10,000 tools, ${kind}`, ofMany[kind], ofFew[kind]),
  );
  const ofDates = Object.keys(ofMany)
    .filter((kind) => kind.endsWith(withDates))
    .map((kind) => {
      const without = kind.slice(0, -withDates.length);
      const name = `Search at ${shownMany} tools, ${without}: free on three days : on any`;
      return compare(name, ofMany[kind], ofMany[without]);
    });
  return [...ofSize, ...ofDates];
};

export const benchSearch = async (): Promise<Row[]> => {
  const databases = [];
  for (const count of [few, many]) {
    const database = await createPostgresDatabase(postgresMigrations(catalogMigrations));
    const pool = createPool(database.url, createLogger('bench', 'warn'), {
      statementTimeoutMs: 3_600_000,
    });
    await seedTools(pool, count);
    await bookTools(pool);
    databases.push({ database, pool });
  }
  const [fewTools, manyTools] = databases.map(({ pool }) => pool) as [Pool, Pool];
  const rows = await compareSearches(fewTools, manyTools);
  for (const { database, pool } of databases) {
    await pool.end();
    await database.drop();
  }
  return rows;
};

const compare = (name: string, ones: number[] = [], others: number[] = []): Row => {
  const at = (percent: number): [number, number] => [
    percentile(ones, percent),
    percentile(others, percent),
  ];
  const show = ([one, other]: [number, number]): string =>
    `${(one / other).toFixed(1)} × (${one.toFixed(1)} : ${other.toFixed(1)} ms)`;
  const isKept = ([one, other]: [number, number]): boolean =>
    one <= quickMs || one <= mostTimes * other;
  return {
    name,
    measured: `p50 ${show(at(50))}; p99 ${show(at(99))}`,
    bound: `≤ ${mostTimes} ×, or ≤ ${quickMs} ms`,
    kept: isKept(at(50)) && isKept(at(99)),
  };
};
