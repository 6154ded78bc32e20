import type { Pool } from '@lendtools/service-kit';
import { type PageEnd, readCursor, type ToolOrder, writeCursor } from './domain/page-cursor.ts';
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

const metresPerMile = 1609.344;

/** One keyset page of the tools that are asked for. @throws AppError 400 when the cursor is not right. */
export const searchTools = async (pool: Pool, search: ToolSearch): Promise<ToolPage> => {
  const statement = searchStatement(search);
  const { rows } = await pool.query<{ json: string; key: number; id: string }>(statement);
  const page = rows.slice(0, search.limit);
  const last = page.at(-1);
  const hasMore = rows.length > search.limit && last !== undefined;
  return {
    tools: `[${page.map(({ json }) => json).join(',')}]`,
    nextCursor: hasMore ? writeCursor({ order: search.order, key: last.key, id: last.id }) : null,
  };
};

/** What each order compares: the value, its direction (that of the id too), and its type in a comparison. */
const orders: Record<ToolOrder, { direction: 'ASC' | 'DESC'; type: string }> = {
  newest: { direction: 'DESC', type: 'float8' },
  price: { direction: 'ASC', type: 'int' },
  rating: { direction: 'DESC', type: 'float8' },
  distance: { direction: 'ASC', type: 'float8' },
  relevance: { direction: 'DESC', type: 'float8' },
};

/**
 * A named statement for each combination of filters (PostgreSQL plans each once a connection: half its work), with
 * the values apart. The page's keys come from one index; the JSON is then made of those few rows only.
 */
const searchStatement = (search: ToolSearch) => {
  const values: unknown[] = [];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const { ownerId, q, categoryId, place, radiusMiles, order } = search;

  const here = place && `ll_to_earth(${value(place.lat)}::float8, ${value(place.lng)}::float8)`;
  const chord = here ? `(t.place <-> ${here})` : 'NULL::float8';
  const word = q ? value(q) : undefined;
  const keys: Record<ToolOrder, string> = {
    newest: '0::float8',
    price: 't.price_cents',
    rating: 't.rating',
    distance: chord,
    relevance: word ? `word_similarity(${word}, t.name)::float8` : '0::float8',
  };

  const filters = [
    ownerId ? `t.owner_id = ${value(ownerId)}::uuid AND t.removed_at IS NULL` : 't.on_offer',
  ];
  if (categoryId) filters.push(`t.category_id = ${value(categoryId)}::uuid`);
  if (word) filters.push(`${word} <% t.name`);
  if (search.cursor) {
    filters.push(afterPage(keys[order], readCursor(search.cursor, order), value));
  }

  const within = radiusMiles
    ? `gc_to_sec(${value(radiusMiles)}::float8 * ${metresPerMile})`
    : undefined;
  // Nearest first stops at the page's size, and the radius is checked on what came: a box in the index's condition
  // makes PostgreSQL fetch and sort all that is in it (65 to 180 times slower at a million tools). With a word to
  // fit, few pass, and only the box keeps the walk from crossing the country.
  const radiusAfterLimit = within && order === 'distance' && !word;
  if (here && within && !radiusAfterLimit) {
    filters.push(`earth_box(${here}, ${within}) @> t.place AND ${chord} <= ${within}`);
  }

  const { direction } = orders[order];
  const sorted = order === 'newest' ? `id ${direction}` : `key ${direction}, id ${direction}`;
  const json = toolJson({
    viewerId: value(search.viewer.id),
    isAdmin: value(search.viewer.isAdmin),
    miles: `round((sec_to_gc(t.chord) / ${metresPerMile})::numeric, 1)::float8`,
  });
  const text = `
    SELECT ${json} AS json, t.key, t.id
    FROM (
      SELECT t.*, ${keys[order]} AS key, ${chord} AS chord FROM tools t
      WHERE ${filters.join(' AND ')}
      ORDER BY ${sorted} LIMIT ${value(search.limit + 1)}
    ) t ${toolJoins}
    ${radiusAfterLimit ? `WHERE t.chord <= ${within}` : ''}
    ORDER BY ${sorted.replaceAll(/key|id/g, 't.$&')}`;
  return { name: statementName(search), text, values };
};

const afterPage = (key: string, end: PageEnd, value: (given: unknown) => string): string => {
  const { direction, type } = orders[end.order];
  const comparison = direction === 'ASC' ? '>' : '<';
  if (end.order === 'newest') return `t.id ${comparison} ${value(end.id)}::uuid`;
  return `(${key}, t.id) ${comparison} (${value(end.key)}::${type}, ${value(end.id)}::uuid)`;
};

const statementName = (search: ToolSearch): string =>
  [
    `search-tools-by-${search.order}`,
    ...(['ownerId', 'q', 'categoryId', 'place', 'radiusMiles', 'cursor'] as const).filter(
      (name) => search[name],
    ),
  ].join(':');
