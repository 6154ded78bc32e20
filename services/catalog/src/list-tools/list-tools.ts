import { maxPageSize, routes, toCents } from '@lendtools/contracts';
import { type BoundRoute, handle, JsonText } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import type { ToolOrder } from '../domain/page-cursor.ts';
import { placeMissing } from '../errors.ts';
import { viewerOf } from '../tool-json.ts';
import { searchTools, type ToolPage, type ToolSearch } from '../tool-search.ts';

interface SearchQuery {
  q?: string | undefined;
  exact?: boolean | undefined;
  category?: string | undefined;
  minPrice?: number | undefined;
  maxPrice?: number | undefined;
  sort?: ToolOrder | undefined;
  lat?: number | undefined;
  lng?: number | undefined;
  radius?: number | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export const allTools = ({ pool }: Deps): BoundRoute =>
  handle(routes.allRentals, async ({ query, user }) =>
    reply('rentals', await searchTools(pool, { ...readSearch(query), viewer: viewerOf(user) })),
  );

export const toolsOfCategory = ({ pool }: Deps): BoundRoute =>
  handle(routes.rentalsOfCategory, async ({ params, query, user }) => {
    const search = { ...readSearch(query), categoryId: params.categoryId };
    return reply('rentals', await searchTools(pool, { ...search, viewer: viewerOf(user) }));
  });

export const toolsNearYou = ({ pool }: Deps): BoundRoute =>
  handle(routes.toolsNearYou, async ({ query, user }) => {
    const search = { ...readSearch(query), viewer: viewerOf(user) };
    return reply('nearby', await searchTools(pool, search));
  });

/** One's own tools, whatever their status. */
export const ownTools = ({ pool }: Deps): BoundRoute =>
  handle(routes.myRentals, async ({ params, query, user }) => {
    const search = { ...readSearch(query), ownerId: params.userId };
    return reply('rentals', await searchTools(pool, { ...search, viewer: viewerOf(user) }));
  });

/** The same of anybody, for admins. */
export const toolsOfUser = ({ pool }: Deps): BoundRoute =>
  handle(routes.toolsOfUser, async ({ params, query, user }) => {
    const search = { ...readSearch(query), ownerId: params.userId };
    return reply('rentals', await searchTools(pool, { ...search, viewer: viewerOf(user) }));
  });

const reply = (envelope: string, { tools, ...rest }: ToolPage): JsonText =>
  new JsonText(`{"${envelope}":${tools},${JSON.stringify(rest).slice(1)}`);

/** @throws AppError 400 when a radius or an order by distance comes without a place. */
const readSearch = (query: SearchQuery): Omit<ToolSearch, 'viewer'> => {
  const { q, category, lat, lng, radius, limit, cursor } = query;
  const place = lat !== undefined && lng !== undefined ? { lat, lng } : undefined;
  const usual = orderOf(q, place && radius);
  const order = query.sort === undefined || query.sort === 'relevance' ? usual : query.sort;
  if (!place && (order === 'distance' || radius !== undefined)) throw placeMissing();
  return {
    q,
    isExact: query.exact,
    categoryId: category,
    minCents: query.minPrice === undefined ? undefined : toCents(query.minPrice),
    maxCents: query.maxPrice === undefined ? undefined : toCents(query.maxPrice),
    place,
    radiusMiles: radius,
    order,
    limit: limit ?? maxPageSize,
    cursor,
  };
};

/** What people expect who name no order: the best match first, else the nearest, else the newest. */
const orderOf = (q: string | undefined, radius: number | undefined): ToolOrder => {
  if (q) return 'relevance';
  return radius === undefined ? 'newest' : 'distance';
};
