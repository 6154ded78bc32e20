import { maxPageSize, metersPerMile } from '@lendtools/contracts';
import type { Pool } from '@lendtools/service-kit';
import {
  type PageEnd,
  readCursor,
  type ToolOrder,
  tiers,
  type WordMatch,
  writeCursor,
} from './domain/page-cursor.ts';
import { textOf, tsqueryOf } from './domain/search-words.ts';
import {
  areOutOfReach,
  type CalendarFacts,
  type Calendars,
  calendarFacts,
  calendarsOn,
  type Dates,
  notAllTaken,
} from './free-dates.ts';
import {
  areCommon,
  mendWords,
  mostCollected,
  readWords,
  type SearchedWords,
} from './search-vocabulary.ts';
import { isSignedIn, type StoredJson, toolJson, type Viewer, writeTool } from './tool-json.ts';

/** A search. Without an owner it returns only tools on offer. */
export interface ToolSearch {
  ownerId?: string | undefined;
  q?: string | undefined;
  /** Searches the words as typed, without correcting them. */
  isExact?: boolean | undefined;
  categoryId?: string | undefined;
  minCents?: number | undefined;
  maxCents?: number | undefined;
  place?: { lat: number; lng: number } | undefined;
  radiusMiles?: number | undefined;
  /** Only tools that are free on all of these days. */
  dates?: Dates | undefined;
  order: ToolOrder;
  limit: number;
  cursor?: string | undefined;
  viewer: Viewer;
}

export interface ToolPage {
  /** A JSON array of tools. */
  tools: string;
  nextCursor: string | null;
  /** The corrected words, if no tool has the typed ones. */
  searchedFor?: string;
}

/**
 * Returns one keyset page. Searches the words as typed; only if no tool on offer has them, searches the corrected
 * words and returns these in `searchedFor`.
 * @throws AppError 400 if the cursor is invalid.
 */
export const searchTools = async (pool: Pool, search: ToolSearch): Promise<ToolPage> => {
  const end = search.cursor ? readCursor(search.cursor, search.order) : undefined;
  if (search.dates && areOutOfReach(search.dates, Date.now()))
    return { tools: '[]', nextCursor: null };
  if (!search.q) return readPage(pool, search, { end });
  const words = await readWords(pool, search.q);
  if (words.terms.length === 0) return { tools: '[]', nextCursor: null };
  if (!end?.isMended) {
    const page = await readPage(pool, search, { end, words });
    const isFound = page.tools !== '[]' || page.nextCursor !== null;
    if (end || isFound || search.isExact || search.ownerId) return page;
  }
  const mended = await mendWords(pool, words);
  if (!mended) return { tools: '[]', nextCursor: null };
  const page = await readPage(pool, search, { end, words: mended, isMended: true });
  return { ...page, searchedFor: textOf(mended.terms) };
};

interface PageOptions {
  end?: PageEnd | undefined;
  words?: SearchedWords;
  isMended?: boolean;
}

interface Row extends StoredJson, CalendarFacts {
  key: number;
  miles: number | null;
  id: string;
  match: WordMatch;
  /** With dates: the last tool that was looked at, returned whether it is taken or not; more tools follow. */
  isLastLookedAt?: boolean;
}

/**
 * By relevance, a page is filled tier by tier: each tier is its own index scan, and most pages need only the first.
 */
const readPage = async (
  pool: Pool,
  search: ToolSearch,
  { end, words, isMended = false }: PageOptions,
): Promise<ToolPage> => {
  const { order, dates } = search;
  const calendars = dates && calendarsOn(dates, Date.now());
  const matches: WordMatch[] =
    words && order === 'relevance' ? tiers.slice(tierAt(end)) : ['words'];
  const pageOf = (page: Row[], last: Row | undefined): ToolPage => ({
    tools: `[${page.map((row) => writeTool(row, row.miles)).join(',')}]`,
    nextCursor: last
      ? writeCursor({ order, match: last.match, key: last.key, id: last.id, isMended })
      : null,
  });
  const rows: Row[] = [];
  for (const match of matches) {
    const rest = { ...search, limit: search.limit - rows.length };
    const isContinued = end?.match === match;
    const tier = { ...rest, match, words, end: isContinued ? end : undefined };
    const found = await readTier(pool, tier, calendars);
    rows.push(...found.rows);
    if (found.stoppedAt) return pageOf(rows, found.stoppedAt);
    if (rows.length > search.limit) break;
  }
  const page = rows.slice(0, search.limit);
  return pageOf(page, rows.length > search.limit ? page.at(-1) : undefined);
};

/** Covers some two thousand tools, or ten thousand if most are taken. */
const mostReads = 10;

/**
 * A read skips taken tools among at most this many. Each needs a lookup of its bookings: without a limit, days on
 * which everything is taken would scan all tools on offer, up to the statement timeout of ten seconds.
 */
const mostLookedAt = 1_000;

/**
 * With dates, reads on while too few tools are free, but within limits: a page may be short, and its cursor continues
 * where the search stopped.
 */
const readTier = async (
  pool: Pool,
  search: PageSearch,
  calendars: Calendars | undefined,
): Promise<{ rows: Row[]; stoppedAt?: Row | undefined }> => {
  const { match } = search;
  const rows: Row[] = [];
  let { limit, end } = search;
  for (let reads = 1; ; reads++) {
    const read = (await readRows(pool, { ...search, limit, end })).map((row) => ({
      ...row,
      match,
    }));
    if (!calendars) return { rows: read };
    for (const row of read) {
      if (calendars.isFree(row)) rows.push(row);
      if (rows.length > search.limit) return { rows };
      // Check after a tool, so that every page makes progress.
      if (calendars.isSpent()) return { rows, stoppedAt: row };
    }
    const last = read.at(-1);
    const isOver = read.length < readAtOnce(limit) && !last?.isLastLookedAt;
    if (!last || isOver) return { rows };
    if (reads === mostReads) return { rows, stoppedAt: last };
    end = last;
    // A second read means that many tools are taken: read more at once.
    limit = maxPageSize;
  }
};

const tierAt = (end: PageEnd | undefined): number => {
  const names: readonly string[] = tiers;
  return end ? Math.max(0, names.indexOf(end.match)) : 0;
};

type PageStart = Pick<PageEnd, 'key' | 'id'>;

type PageSearch = ToolSearch & {
  match: WordMatch;
  words: SearchedWords | undefined;
  end: PageStart | undefined;
  isCollected?: boolean;
};

/**
 * PostgreSQL assumes that a word without statistics is common, and would scan all tools in the page's order to find
 * none. So first collect the matches, and scan in order only if there are too many.
 */
const readRows = async (pool: Pool, search: PageSearch): Promise<Omit<Row, 'match'>[]> => {
  const { words } = search;
  if (words && !areCommon(words)) {
    const collected = await pool.query<Row & { hits: number }>(
      searchStatement({ ...search, isCollected: true }),
    );
    if ((collected.rows[0]?.hits ?? 0) <= mostCollected) return collected.rows;
  }
  return (await pool.query<Row>(searchStatement(search))).rows;
};

/**
 * Uses a named statement per combination of filters: PostgreSQL plans each once per connection, which halves its
 * work. One index yields the page's tools in order; the columns to show are read for those only.
 */
const searchStatement = (search: PageSearch) => {
  const values: unknown[] = [];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const { ownerId, categoryId, minCents, maxCents, place, radiusMiles, order, words } = search;

  const here = place && `ll_to_earth(${value(place.lat)}::float8, ${value(place.lng)}::float8)`;
  const chord = here ? `(t.place <-> ${here})` : 'NULL::float8';
  const sorting = sortingOf(order, { chord, within: radiusMiles !== undefined });

  const filters = [
    ownerId ? `t.owner_id = ${value(ownerId)}::uuid AND t.removed_at IS NULL` : 't.on_offer',
  ];
  if (categoryId) filters.push(`t.category_id = ${value(categoryId)}::uuid`);
  if (minCents !== undefined) filters.push(`t.price_cents >= ${value(minCents)}::int`);
  if (maxCents !== undefined) filters.push(`t.price_cents <= ${value(maxCents)}::int`);
  if (words) filters.push(wordFilter(search.match, words, value));
  if (search.end) filters.push(sorting.after(search.end, value));

  const within = radiusMiles && `gc_to_sec(${value(radiusMiles)}::float8 * ${metersPerMile})`;
  // For nearest first, check the radius after the limit: a box in the index condition makes PostgreSQL fetch and sort
  // everything inside it (65 to 180 times slower at a million tools). With words or prices few tools match, and only
  // the box keeps the scan from crossing the country.
  const isNarrow = Boolean(words) || minCents !== undefined || maxCents !== undefined;
  const radiusAfterLimit = within && order === 'distance' && !isNarrow;
  if (here && within && !radiusAfterLimit) {
    filters.push(`earth_box(${here}, ${within}) @> t.place AND ${chord} <= ${within}`);
  }

  const miles = here
    ? `round((sec_to_gc(t.chord) / ${metersPerMile})::numeric, 1)::float8`
    : 'NULL::float8';
  const shown = [
    toolJson(search.viewer, value),
    ...(search.dates
      ? [calendarFacts(search.dates, value), `t.nth = ${mostLookedAt} AS "isLastLookedAt"`]
      : []),
    `${miles} AS miles, t.key, t.id`,
  ].join(', ');
  const where = filters.join(' AND ');
  const limit = `LIMIT ${readAtOnce(search.limit)}`;
  const firstOf = (sorted: string): string =>
    search.dates
      ? `SELECT t.* FROM (
          SELECT t.*, row_number() OVER () AS nth FROM (${sorted} LIMIT ${mostLookedAt}) t) t
        WHERE t.nth = ${mostLookedAt} OR ${notAllTaken(search.dates, value)} ${limit}`
      : `${sorted} ${limit}`;
  const columns = `${sorting.key} AS key, ${chord} AS chord`;
  if (search.isCollected) {
    // Sort first, so that taken dates are looked up for one page only.
    const text = `
      WITH hits AS MATERIALIZED (
        SELECT t.id, t.owner_id, t.rental_circle, t.units, ${columns} FROM tools t
        WHERE ${where} LIMIT ${mostCollected + 1}
      ), page AS (${firstOf(`SELECT t.* FROM hits t ORDER BY ${sorting.orderBy}`)})
      SELECT ${shown}, (SELECT count(*)::int FROM hits) AS hits
      FROM (SELECT t.*, ${search.dates ? 'page.nth, ' : ''}page.key, page.chord
        FROM page JOIN tools t USING (id)) t
      ORDER BY ${sorting.orderBy}`;
    return { text, values };
  }
  const text = `
    SELECT ${shown}
    FROM (${firstOf(`SELECT t.*, ${columns} FROM tools t WHERE ${where} ORDER BY ${sorting.orderBy}`)}) t
    ${radiusAfterLimit ? `WHERE t.chord <= ${within}` : ''}
    ORDER BY ${sorting.orderBy}`;
  // The best plan depends on how rare the word or price is, so plan each such search anew.
  return isNarrow ? { text, values } : { name: statementName(search), text, values };
};

/** Each tool belongs to the first tier that it matches. */
const wordFilter = (
  match: WordMatch,
  { terms, formsOf }: SearchedWords,
  value: (given: unknown) => string,
): string => {
  const has = (column: string, reach: Parameters<typeof tsqueryOf>[2]) =>
    `t.${column} @@ ${value(tsqueryOf(terms, formsOf, reach))}::tsquery`;
  switch (match) {
    case 'typed':
      return has('name_words', 'typed');
    case 'named':
      return `${has('name_words', 'named')} AND NOT ${has('name_words', 'typed')}`;
    case 'somewhere':
      return `${has('words', 'compound')} AND NOT ${has('name_words', 'named')}`;
    case 'words':
      return has('words', 'compound');
  }
};

/** The sort value of an order, and the condition to continue after the last tool of a page. */
const sortingOf = (order: ToolOrder, by: { chord: string; within: boolean }) => {
  const byKey = (key: string, type: string, direction: 'ASC' | 'DESC') => ({
    key,
    orderBy: `key ${direction}, t.id ${direction}`,
    after: (end: PageStart, value: (given: unknown) => string) =>
      `(${key}, t.id) ${direction === 'ASC' ? '>' : '<'} ` +
      `(${value(end.key)}::${type}, ${value(end.id)}::uuid)`,
  });
  // All tools of a town may be at one distance: newest first among them, in the index's order (migration 0019).
  const byDistance = {
    key: by.chord,
    orderBy: `key, made_ms(t.id) <-> ${2 ** 48}, t.id DESC`,
    after: (end: PageStart, value: (given: unknown) => string) => {
      const distance = `${value(end.key)}::float8`;
      const isNext = `${by.chord} = ${distance} AND t.id < ${value(end.id)}::uuid`;
      return `(${by.chord} > ${distance} OR ${isNext})`;
    },
  };
  switch (order) {
    case 'price':
      return byKey('t.price_cents', 'int', 'ASC');
    case 'rating':
      return byKey('t.rating', 'float8', 'DESC');
    case 'distance':
      return byDistance;
    case 'relevance':
      // Within a radius, sort a tier by distance.
      if (by.within) return byDistance;
  }
  // Within a tier, newest first: ids are UUIDv7, ordered by time.
  return {
    key: '0',
    orderBy: 't.id DESC',
    after: (end: PageStart, value: (given: unknown) => string) => `t.id < ${value(end.id)}::uuid`,
  };
};

/**
 * How many tools to read for a page: one extra shows whether there is a next page. Inlined into the statement and
 * limited to two sizes: with a placeholder here PostgreSQL would plan the statement anew each time, which takes three
 * times as long as running it.
 */
const readAtOnce = (limit: number): number => (limit <= screenful ? screenful : maxPageSize) + 1;
const screenful = 24;

const statementName = (search: PageSearch): string =>
  [
    `search-${readAtOnce(search.limit)}-tools-by-${search.order}`,
    ...(isSignedIn(search.viewer) ? ['viewer'] : []),
    ...(['ownerId', 'categoryId', 'place', 'radiusMiles', 'dates', 'end'] as const).filter(
      (name) => search[name],
    ),
  ].join(':');
