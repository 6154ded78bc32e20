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
  areCommon,
  mendWords,
  mostCollected,
  readWords,
  type SearchedWords,
} from './search-vocabulary.ts';
import { isKnown, type StoredJson, toolJson, type Viewer, writeTool } from './tool-json.ts';

/** Which tools, in which order. Without an owner: those on offer, to anybody. */
export interface ToolSearch {
  ownerId?: string | undefined;
  q?: string | undefined;
  /** Takes the words as they are typed, whatever they find. */
  isExact?: boolean | undefined;
  categoryId?: string | undefined;
  minCents?: number | undefined;
  maxCents?: number | undefined;
  place?: { lat: number; lng: number } | undefined;
  radiusMiles?: number | undefined;
  order: ToolOrder;
  limit: number;
  cursor?: string | undefined;
  viewer: Viewer;
}

export interface ToolPage {
  /** A JSON array of tools. */
  tools: string;
  nextCursor: string | null;
  /** The words that were searched for, where nothing has those that were typed. */
  searchedFor?: string;
}

/**
 * One keyset page of the tools that are asked for. Words are searched for as they are typed; only where no tool on
 * offer has them, what was most likely meant is searched for instead, and the answer says so.
 * @throws AppError 400 when the cursor is not right.
 */
export const searchTools = async (pool: Pool, search: ToolSearch): Promise<ToolPage> => {
  const end = search.cursor ? readCursor(search.cursor, search.order) : undefined;
  if (!search.q) return readPage(pool, search, { end });
  const words = await readWords(pool, search.q);
  if (words.terms.length === 0) return { tools: '[]', nextCursor: null };
  if (!end?.isMended) {
    const page = await readPage(pool, search, { end, words });
    if (end || page.tools !== '[]' || search.isExact || search.ownerId) return page;
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

interface Row extends StoredJson {
  key: number;
  miles: number | null;
  id: string;
  match: WordMatch;
}

/** By relevance a page is filled tier by tier: each is an index walk of its own, and most pages need the first alone. */
const readPage = async (
  pool: Pool,
  search: ToolSearch,
  { end, words, isMended = false }: PageOptions,
): Promise<ToolPage> => {
  const matches: WordMatch[] =
    words && search.order === 'relevance' ? tiers.slice(tierAt(end)) : ['words'];
  const rows: Row[] = [];
  for (const match of matches) {
    const rest = { ...search, limit: search.limit - rows.length };
    const isContinued = end?.match === match;
    const found = await readRows(pool, {
      ...rest,
      match,
      words,
      end: isContinued ? end : undefined,
    });
    rows.push(...found.map((row) => ({ ...row, match })));
    if (rows.length > search.limit) break;
  }
  const page = rows.slice(0, search.limit);
  const last = page.at(-1);
  const hasMore = rows.length > search.limit && last !== undefined;
  const { order } = search;
  return {
    tools: `[${page.map((row) => writeTool(row, row.miles)).join(',')}]`,
    nextCursor: hasMore
      ? writeCursor({ order, match: last.match, key: last.key, id: last.id, isMended })
      : null,
  };
};

const tierAt = (end: PageEnd | undefined): number => {
  const names: readonly string[] = tiers;
  return end ? Math.max(0, names.indexOf(end.match)) : 0;
};

type PageSearch = ToolSearch & {
  match: WordMatch;
  words: SearchedWords | undefined;
  end: PageEnd | undefined;
  isCollected?: boolean;
};

/**
 * PostgreSQL takes a word that it knows nothing about for a common one, and walks through all tools in the page's order to
 * find none. So it is told first to collect what has the words, and to walk only when that is too much.
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
 * A named statement for each combination of filters (PostgreSQL plans each once a connection: half its work). The
 * page's tools come from one index in its order; what is shown is then read of those few only.
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
  // Nearest first stops at the page's size, and the radius is checked on what came: a box in the index's condition
  // makes PostgreSQL fetch and sort all that is in it (65 to 180 times slower at a million tools). With words or a
  // price to fit, few pass, and only the box keeps the walk from crossing the country.
  const isNarrow = Boolean(words) || minCents !== undefined || maxCents !== undefined;
  const radiusAfterLimit = within && order === 'distance' && !isNarrow;
  if (here && within && !radiusAfterLimit) {
    filters.push(`earth_box(${here}, ${within}) @> t.place AND ${chord} <= ${within}`);
  }

  const miles = here
    ? `round((sec_to_gc(t.chord) / ${metersPerMile})::numeric, 1)::float8`
    : 'NULL::float8';
  const shown = `${toolJson(search.viewer, value)}, ${miles} AS miles, t.key, t.id`;
  const where = filters.join(' AND ');
  const page = `ORDER BY ${sorting.orderBy} LIMIT ${readAtOnce(search.limit)}`;
  const columns = `${sorting.key} AS key, ${chord} AS chord`;
  if (search.isCollected) {
    const text = `
      WITH hits AS MATERIALIZED (
        SELECT t.id, ${columns} FROM tools t WHERE ${where} LIMIT ${mostCollected + 1}
      ), page AS (SELECT t.* FROM hits t ${page})
      SELECT ${shown}, (SELECT count(*)::int FROM hits) AS hits
      FROM (SELECT t.*, page.key, page.chord FROM page JOIN tools t USING (id)) t
      ORDER BY ${sorting.orderBy}`;
    return { text, values };
  }
  const text = `
    SELECT ${shown}
    FROM (SELECT t.*, ${columns} FROM tools t WHERE ${where} ${page}) t
    ${radiusAfterLimit ? `WHERE t.chord <= ${within}` : ''}
    ORDER BY ${sorting.orderBy}`;
  // Whether a word or a price is rare decides the plan: such a search is planned anew for it.
  return isNarrow ? { text, values } : { name: statementName(search), text, values };
};

/** A tool is in the first tier that it fits. */
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

/** The value that an order compares, and how a page begins after the end of the one before. */
const sortingOf = (order: ToolOrder, by: { chord: string; within: boolean }) => {
  const byKey = (key: string, type: string, direction: 'ASC' | 'DESC') => ({
    key,
    orderBy: `key ${direction}, t.id ${direction}`,
    after: (end: PageEnd, value: (given: unknown) => string) =>
      `(${key}, t.id) ${direction === 'ASC' ? '>' : '<'} ` +
      `(${value(end.key)}::${type}, ${value(end.id)}::uuid)`,
  });
  // A whole town is at one distance: there the newest come first.
  const byDistance = {
    key: by.chord,
    orderBy: 'key, t.id DESC',
    after: (end: PageEnd, value: (given: unknown) => string) => {
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
      // Within a radius the nearest of a tier come first.
      if (by.within) return byDistance;
  }
  // All of a tier are equally relevant: the newest first. Ids are UUIDv7, made in the order of time.
  return {
    key: '0',
    orderBy: 't.id DESC',
    after: (end: PageEnd, value: (given: unknown) => string) => `t.id < ${value(end.id)}::uuid`,
  };
};

/**
 * How many tools a page of so many is cut from; one more than it says whether there is a next. Written into the statement,
 * and of two sizes only, because PostgreSQL plans one with a placeholder here anew each time: that takes it three times as
 * long as the page itself.
 */
const readAtOnce = (limit: number): number => (limit <= screenful ? screenful : maxPageSize) + 1;
const screenful = 24;

const statementName = (search: PageSearch): string =>
  [
    `search-${readAtOnce(search.limit)}-tools-by-${search.order}`,
    ...(isKnown(search.viewer) ? ['viewer'] : []),
    ...(['ownerId', 'categoryId', 'place', 'radiusMiles', 'end'] as const).filter(
      (name) => search[name],
    ),
  ].join(':');
