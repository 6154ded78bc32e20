import type { Pool } from '@lendtools/service-kit';
import {
  type NameMatch,
  type PageEnd,
  readCursor,
  type ToolOrder,
  writeCursor,
} from './domain/page-cursor.ts';
import { toolJoins, toolJson, type Viewer } from './tool-json.ts';

/** Which tools, in which order. Without an owner: those on offer, to anybody. */
export interface ToolSearch {
  ownerId?: string | undefined;
  q?: string | undefined;
  categoryId?: string | undefined;
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
}

/**
 * One keyset page of the tools that are asked for. A name search first takes the words as they are typed: that is
 * quick for common and rare words alike, and spares who spells right the lookalikes ("drill" is half of "grill" to
 * trigrams). Only when no name holds them all, the typing is forgiven.
 * @throws AppError 400 when the cursor is not right.
 */
export const searchTools = async (pool: Pool, search: ToolSearch): Promise<ToolPage> => {
  const end = search.cursor ? readCursor(search.cursor, search.order) : undefined;
  const page = await readPage(pool, { ...search, match: end?.match ?? 'words', end });
  if (!search.q || end || page.tools !== '[]') return page;
  return readPage(pool, { ...search, match: 'alike', end });
};

type PageSearch = ToolSearch & { match: NameMatch; end: PageEnd | undefined };

const readPage = async (pool: Pool, search: PageSearch): Promise<ToolPage> => {
  const { rows } = await pool.query<{ json: string; key: number; id: string }>(
    searchStatement(search),
  );
  const page = rows.slice(0, search.limit);
  const last = page.at(-1);
  const hasMore = rows.length > search.limit && last !== undefined;
  const { order, match } = search;
  return {
    tools: `[${page.map(({ json }) => json).join(',')}]`,
    nextCursor: hasMore ? writeCursor({ order, match, key: last.key, id: last.id }) : null,
  };
};

const metresPerMile = 1609.344;

/**
 * A named statement for each combination of filters (PostgreSQL plans each once a connection: half its work). The
 * page's tools come from one index in its order; the JSON is then made of those few only.
 */
const searchStatement = (search: PageSearch) => {
  const values: unknown[] = [];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const { ownerId, q, categoryId, place, radiusMiles, order, match } = search;

  const here = place && `ll_to_earth(${value(place.lat)}::float8, ${value(place.lng)}::float8)`;
  const chord = here ? `(t.place <-> ${here})` : 'NULL::float8';
  const typed = q && match === 'alike' ? value(q) : undefined;
  const sorting = sortingOf(order, { chord, typed, within: radiusMiles !== undefined });

  const filters = [
    ownerId ? `t.owner_id = ${value(ownerId)}::uuid AND t.removed_at IS NULL` : 't.on_offer',
  ];
  if (categoryId) filters.push(`t.category_id = ${value(categoryId)}::uuid`);
  if (typed) filters.push(`${typed} <% t.name`);
  else if (q) filters.push(...patternsOf(q).map((pattern) => `t.name ILIKE ${value(pattern)}`));
  if (search.end) filters.push(sorting.after(search.end, value));

  const within = radiusMiles && `gc_to_sec(${value(radiusMiles)}::float8 * ${metresPerMile})`;
  // Nearest first stops at the page's size, and the radius is checked on what came: a box in the index's condition
  // makes PostgreSQL fetch and sort all that is in it (65 to 180 times slower at a million tools). With a name to
  // fit, few pass, and only the box keeps the walk from crossing the country.
  const radiusAfterLimit = within && order === 'distance' && !q;
  if (here && within && !radiusAfterLimit) {
    filters.push(`earth_box(${here}, ${within}) @> t.place AND ${chord} <= ${within}`);
  }

  const json = toolJson({
    viewerId: value(search.viewer.id),
    isAdmin: value(search.viewer.isAdmin),
    miles: `round((sec_to_gc(t.chord) / ${metresPerMile})::numeric, 1)::float8`,
  });
  const text = `
    SELECT ${json} AS json, t.key, t.id
    FROM (
      SELECT t.*, ${sorting.key} AS key, ${chord} AS chord FROM tools t
      WHERE ${filters.join(' AND ')}
      ORDER BY ${sorting.orderBy} LIMIT ${value(search.limit + 1)}
    ) t ${toolJoins}
    ${radiusAfterLimit ? `WHERE t.chord <= ${within}` : ''}
    ORDER BY ${sorting.orderBy}`;
  // Whether a word is rare decides the plan: a search by name is planned anew for its words.
  return q ? { text, values } : { name: statementName(search), text, values };
};

/** The value that an order compares, and how a page begins after the end of the one before. */
const sortingOf = (
  order: ToolOrder,
  by: { chord: string; typed: string | undefined; within: boolean },
) => {
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
      // Within a radius the nearest of equally good names come first. One key holds both: a chord is at most the
      // earth's diameter, 12,742 km, so it never outweighs a hundredth of likeness.
      if (by.typed && by.within) {
        const likeness = `round(word_similarity(${by.typed}, t.name)::numeric, 2)::float8`;
        return byKey(`(${likeness} - ${by.chord} / 2e9)`, 'float8', 'DESC');
      }
      if (by.typed) return byKey(`word_similarity(${by.typed}, t.name)::float8`, 'float8', 'DESC');
      if (by.within) return byDistance;
  }
  // Names that hold every word are equally relevant: the newest first. Ids are UUIDv7, made in the order of time.
  return {
    key: '0',
    orderBy: 't.id DESC',
    after: (end: PageEnd, value: (given: unknown) => string) => `t.id < ${value(end.id)}::uuid`,
  };
};

/** At most eight, so that nobody makes a condition of hundreds; `%`, `_` and `\` stand for themselves. */
const patternsOf = (q: string): string[] =>
  q
    .split(/\s+/)
    .slice(0, 8)
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);

const statementName = (search: PageSearch): string =>
  [
    `search-tools-by-${search.order}`,
    ...(['ownerId', 'categoryId', 'place', 'radiusMiles', 'end'] as const).filter(
      (name) => search[name],
    ),
  ].join(':');
