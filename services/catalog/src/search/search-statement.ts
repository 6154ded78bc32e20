import { maxPageSize, metersPerMile } from '@lendtools/contracts';
import type { PageEnd, ToolOrder, WordMatch } from '../domain/page-cursor.ts';
import { tsqueryOf } from '../domain/search-words.ts';
import { notBlockedSql } from '../store/block-repository.ts';
import { type AddValue, statementValues } from '../store/statement-values.ts';
import { isSignedIn, toolJson, type Viewer } from '../store/tool-json.ts';
import { calendarFacts, type Dates, notAllTaken } from './free-dates.ts';
import { mostCollected, type SearchedWords } from './search-vocabulary.ts';

/** A search without an owner returns only tools on offer. */
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
  /** Finds only tools that are free on all of these days. */
  dates?: Dates | undefined;
  order: ToolOrder;
  limit: number;
  cursor?: string | undefined;
  viewer: Viewer;
}

type PageStart = Pick<PageEnd, 'key' | 'id'>;

/** A search for one page, in one tier of relevance. */
export type PageSearch = ToolSearch & {
  match: WordMatch;
  words: SearchedWords | undefined;
  end: PageStart | undefined;
  /** Whether to collect all matches before sorting them. */
  isCollected?: boolean;
};

/** How many booked tools a read skips at most: a search for fully booked days would otherwise scan all tools until the timeout. */
const mostLookedAt = 1_000;

/** Builds a named statement per combination of filters. PostgreSQL plans each statement once per connection, which halves the work. */
export const searchStatement = (search: PageSearch) => {
  const { values, value } = statementValues();
  const distance = distanceOf(search, value);
  const sorting = sortingOf(search.order, {
    chord: distance.chord,
    within: search.radiusMiles !== undefined,
  });
  // In a search by distance, check the radius after the LIMIT: with a box as index condition, PostgreSQL sorts all tools in
  // the box (65 to 180 times slower with a million tools). With words or prices, the box is needed to bound the scan.
  const isNarrow =
    Boolean(search.words) || search.minCents !== undefined || search.maxCents !== undefined;
  const radiusAfterLimit = search.order === 'distance' && !isNarrow;
  const filters = filtersOf(search, sorting, value);
  if (distance.isInBox && !radiusAfterLimit) filters.push(distance.isInBox);

  const shown = shownColumns(search, distance.miles, value);
  const where = filters.join(' AND ');
  const columns = `${sorting.key} AS key, ${distance.chord} AS chord`;
  if (search.isCollected) {
    // Sort before checking for booked dates, so that only one page of tools is checked.
    const sorted = `SELECT t.* FROM hits t ORDER BY ${sorting.orderBy}`;
    const text = `
      WITH hits AS MATERIALIZED (
        SELECT t.id, t.owner_id, t.rental_circle, t.units, ${columns} FROM tools t
        WHERE ${where} LIMIT ${mostCollected + 1}
      ), page AS (${firstOf(sorted, search, value)})
      SELECT ${shown}, (SELECT count(*)::int FROM hits) AS hits
      FROM (SELECT t.*, ${search.dates ? 'page.nth, ' : ''}page.key, page.chord
        FROM page JOIN tools t USING (id)) t
      ORDER BY ${sorting.orderBy}`;
    return { text, values };
  }
  const sorted = `SELECT t.*, ${columns} FROM tools t WHERE ${where} ORDER BY ${sorting.orderBy}`;
  const text = `
    SELECT ${shown}
    FROM (${firstOf(sorted, search, value)}) t
    ${distance.within && radiusAfterLimit ? `WHERE t.chord <= ${distance.within}` : ''}
    ORDER BY ${sorting.orderBy}`;
  // PostgreSQL plans a search by word or price each time, because the best plan depends on how rare the word or price is.
  return isNarrow ? { text, values } : { name: statementName(search), text, values };
};

/** The distance from the requested place, in miles and as a chord through the earth; NULL without a place. */
const distanceOf = ({ place, radiusMiles }: PageSearch, value: AddValue) => {
  if (!place) return { chord: 'NULL::float8', miles: 'NULL::float8' };
  const here = `ll_to_earth(${value(place.lat)}::float8, ${value(place.lng)}::float8)`;
  const chord = `(t.place <-> ${here})`;
  const miles = `round((sec_to_gc(t.chord) / ${metersPerMile})::numeric, 1)::float8`;
  if (!radiusMiles) return { chord, miles };
  const within = `gc_to_sec(${value(radiusMiles)}::float8 * ${metersPerMile})`;
  const isInBox = `earth_box(${here}, ${within}) @> t.place AND ${chord} <= ${within}`;
  return { chord, miles, within, isInBox };
};

const filtersOf = (
  search: PageSearch,
  sorting: ReturnType<typeof sortingOf>,
  value: AddValue,
): string[] => {
  const { ownerId, categoryId, minCents, maxCents, match, words, end, viewer } = search;
  const filters = [
    ownerId ? `t.owner_id = ${value(ownerId)}::uuid AND t.removed_at IS NULL` : 't.on_offer',
  ];
  if (categoryId) filters.push(`t.category_id = ${value(categoryId)}::uuid`);
  if (minCents !== undefined) filters.push(`t.price_cents >= ${value(minCents)}::int`);
  if (maxCents !== undefined) filters.push(`t.price_cents <= ${value(maxCents)}::int`);
  if (words) filters.push(wordFilter(match, words, value));
  if (end) filters.push(sorting.after(end, value));
  if (!ownerId) filters.push(notBlockedSql(viewer, value));
  return filters;
};

const shownColumns = ({ viewer, dates }: PageSearch, miles: string, value: AddValue): string =>
  [
    toolJson(viewer, value),
    ...(dates ? [calendarFacts(dates, value), `t.nth = ${mostLookedAt} AS "isLastLookedAt"`] : []),
    `${miles} AS miles, t.key, t.id`,
  ].join(', ');

/** The first tools of a sorted query, without those that are booked on the requested dates. */
const firstOf = (sorted: string, { dates, limit }: PageSearch, value: AddValue): string => {
  const first = `LIMIT ${readAtOnce(limit)}`;
  if (!dates) return `${sorted} ${first}`;
  return `SELECT t.* FROM (
      SELECT t.*, row_number() OVER () AS nth FROM (${sorted} LIMIT ${mostLookedAt}) t) t
    WHERE t.nth = ${mostLookedAt} OR ${notAllTaken(dates, value)} ${first}`;
};

/** Returns the SQL condition of a tier. Each tool belongs only to the first tier that it matches. */
const wordFilter = (
  match: WordMatch,
  { terms, formsOf }: SearchedWords,
  value: AddValue,
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

/** Returns the SQL of a sort order: the value to sort by, and the condition to continue after the last tool of a page. */
const sortingOf = (order: ToolOrder, by: { chord: string; within: boolean }) => {
  const byKey = (key: string, type: string, direction: 'ASC' | 'DESC') => ({
    key,
    orderBy: `key ${direction}, t.id ${direction}`,
    after: (end: PageStart, value: AddValue) =>
      `(${key}, t.id) ${direction === 'ASC' ? '>' : '<'} ` +
      `(${value(end.key)}::${type}, ${value(end.id)}::uuid)`,
  });
  // Many tools of a town may have the same distance. Sort these newest first, like the index `tools_nearest_newest`.
  const byDistance = {
    key: by.chord,
    orderBy: `key, created_ms(t.id) <-> ${2 ** 48}, t.id DESC`,
    after: (end: PageStart, value: AddValue) => {
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
  // Within a tier, sort newest first: ids are UUIDv7, so their order is the order of time.
  return {
    key: '0',
    orderBy: 't.id DESC',
    after: (end: PageStart, value: AddValue) => `t.id < ${value(end.id)}::uuid`,
  };
};

/**
 * How many tools to read for a page: one extra shows whether a next page exists. The number has only two values and is
 * inlined: with a placeholder, PostgreSQL would plan each time, which takes three times as long as running the statement.
 */
export const readAtOnce = (limit: number): number =>
  (limit <= screenful ? screenful : maxPageSize) + 1;
const screenful = 24;

const statementName = (search: PageSearch): string =>
  [
    `search-${readAtOnce(search.limit)}-tools-by-${search.order}`,
    ...(isSignedIn(search.viewer) ? [search.viewer.isAdmin ? 'admin' : 'viewer'] : []),
    ...(['ownerId', 'categoryId', 'place', 'radiusMiles', 'dates', 'end'] as const).filter(
      (name) => search[name],
    ),
  ].join(':');
