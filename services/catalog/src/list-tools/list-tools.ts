import { maxPageSize, routes } from '@lendtools/contracts';
import { type BoundRoute, handle, JsonText } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import type { ToolOrder } from '../domain/page-cursor.ts';
import { placeMissing } from '../errors.ts';
import { viewerOf } from '../tool-json.ts';
import { searchTools, type ToolPage, type ToolSearch } from '../tool-search.ts';

interface SearchQuery {
  q?: string | undefined;
  category?: string | undefined;
  sort?: Exclude<ToolOrder, 'relevance'> | undefined;
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

const reply = (envelope: string, { tools, nextCursor }: ToolPage): JsonText =>
  new JsonText(`{"${envelope}":${tools},"nextCursor":${JSON.stringify(nextCursor)}}`);

/** @throws AppError 400 when a radius or an order by distance comes without a place. */
const readSearch = (query: SearchQuery): Omit<ToolSearch, 'viewer'> => {
  const { q, category, lat, lng, radius, limit, cursor } = query;
  const place = lat !== undefined && lng !== undefined ? { lat, lng } : undefined;
  const order = query.sort ?? orderOf(q, place && radius);
  if (!place && (order === 'distance' || radius !== undefined)) throw placeMissing();
  return {
    q,
    categoryId: category,
    place,
    radiusMiles: radius,
    order,
    limit: limit ?? maxPageSize,
    cursor,
  };
};

/** What people expect who name no order: the best name first, else the nearest, else the newest. */
const orderOf = (q: string | undefined, radius: number | undefined): ToolOrder => {
  if (q) return 'relevance';
  return radius === undefined ? 'newest' : 'distance';
};
