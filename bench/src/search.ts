import { seedTools } from '@lendtools/catalog/seed-tools';
import { catalogMigrations } from '@lendtools/catalog/start-catalog';
import { searchTools, type ToolSearch } from '@lendtools/catalog/tool-search';

import { createLogger, createPool, type Pool } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createPostgresDatabase } from '@lendtools/testing';
import { percentile, type Row } from './statistics.ts';

const few = 10_000;
const many = 1_000_000;
const rounds = 60;
const mostTimes = 3;
/** Below this a ratio says nothing but how busy the machine is. */
const quickMs = 5;

const near = { place: { lat: 39, lng: -97 }, radiusMiles: 20 };

/** A word that one tool's name has, and the same with two letters swapped. */
const rareOf = async (pool: Pool): Promise<[string, string]> => {
  const { rows } = await pool.query<{ word: string }>(
    `SELECT word FROM vocabulary WHERE length(word) = 8 AND word ~ '^[a-p]+$' AND substr(word, 4, 1) <> substr(word, 5, 1)
     ORDER BY tools, word LIMIT 1`,
  );
  const word = rows[0]?.word as string;
  return [word, `${word.slice(0, 3)}${word[4]}${word[3]}${word.slice(5)}`];
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
  };
};

/** Milliseconds of each of the rounds, by kind of search. */
const measure = async (pool: Pool): Promise<Record<string, number[]>> => {
  const times: Record<string, number[]> = {};
  const kinds = Object.entries(await kindsOf(pool));
  // The first round is not counted: it reads from the disk what the others find in memory.
  for (let round = -1; round < rounds; round++) {
    for (const [kind, search] of kinds) {
      const start = performance.now();
      const viewer = { id: null, isAdmin: false };
      await searchTools(pool, { order: 'newest', limit: 24, viewer, ...search });
      if (round >= 0) times[kind] = [...(times[kind] ?? []), performance.now() - start];
    }
  }
  return times;
};

/** Each kind of search at a million tools against ten thousand; `urls` are of databases that hold so many already. */
export const benchSearch = async (urls?: [string, string]): Promise<Row[]> => {
  const times = [];
  for (const [i, count] of [few, many].entries()) {
    const database = urls
      ? undefined
      : await createPostgresDatabase(postgresMigrations(catalogMigrations));
    const logger = createLogger('bench', 'warn');
    const pool = createPool((urls?.[i] ?? database?.url) as string, logger, {
      statementTimeoutMs: 3_600_000,
    });
    if (!urls) await seedTools(pool, count);
    times.push(await measure(pool));
    await pool.end();
    await database?.drop();
  }
  const [ofFew, ofMany] = times as [Record<string, number[]>, Record<string, number[]>];
  return Object.keys(ofMany).map((kind) => {
    const at = (percent: number): [number, number] => [
      percentile(ofMany[kind] ?? [], percent),
      percentile(ofFew[kind] ?? [], percent),
    ];
    const show = ([one, other]: [number, number]): string =>
      `${(one / other).toFixed(1)} × (${one.toFixed(1)} : ${other.toFixed(1)} ms)`;
    const isKept = ([one, other]: [number, number]): boolean =>
      one <= quickMs || one <= mostTimes * other;
    return {
      name: `Search at 1,000,000 : 10,000 tools, ${kind}`,
      measured: `p50 ${show(at(50))}; p99 ${show(at(99))}`,
      bound: `≤ ${mostTimes} ×, or ≤ ${quickMs} ms`,
      kept: isKept(at(50)) && isKept(at(99)),
    };
  });
};
