import { maxPageSize, routes, toCents } from '@lendtools/contracts';
import { type BoundRoute, type Caller, handle, JsonText, shareReads } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { placeMissing } from '../../domain/errors.ts';
import type { ToolOrder } from '../../domain/page-cursor.ts';
import { viewerOf } from '../../store/tool-json.ts';
import type { ToolSearch } from '../search-statement.ts';
import { searchTools } from '../tool-search.ts';

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
  from?: string | undefined;
  to?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export const allTools = (deps: Deps): BoundRoute => {
  const answer = answerSearches(deps, 'rentals');
  return handle(routes.allRentals, ({ query, user }) => answer(readSearch(query), user));
};

export const toolsOfCategory = (deps: Deps): BoundRoute => {
  const answer = answerSearches(deps, 'rentals');
  return handle(routes.rentalsOfCategory, ({ params, query, user }) =>
    answer({ ...readSearch(query), categoryId: params.categoryId }, user),
  );
};

export const toolsNearYou = (deps: Deps): BoundRoute => {
  const answer = answerSearches(deps, 'nearby');
  return handle(routes.toolsNearYou, ({ query, user }) => answer(readSearch(query), user));
};

/** Lists the caller's own tools, whatever their status. */
export const ownTools = (deps: Deps): BoundRoute => {
  const answer = answerSearches(deps, 'rentals');
  return handle(routes.myRentals, ({ params, query, user }) =>
    answer({ ...readSearch(query), ownerId: params.userId }, user),
  );
};

export const toolsOfUser = (deps: Deps): BoundRoute => {
  const answer = answerSearches(deps, 'rentals');
  return handle(routes.toolsOfUser, ({ params, query, user }) =>
    answer({ ...readSearch(query), ownerId: params.userId }, user),
  );
};

/** Answers searches. Coalesces concurrent reads of the same page. */
const answerSearches = ({ pool }: Deps, envelope: string) => {
  const share = shareReads<JsonText>();
  return (query: Omit<ToolSearch, 'viewer'>, user: Caller | null): Promise<JsonText> => {
    const search = { ...query, viewer: viewerOf(user) };
    return share(JSON.stringify(search), async () => {
      const { tools, ...rest } = await searchTools(pool, search);
      return new JsonText(`{"${envelope}":${tools},${JSON.stringify(rest).slice(1)}`);
    });
  };
};

/** @throws AppError 400 if a radius or sorting by distance comes without a place */
const readSearch = (query: SearchQuery): Omit<ToolSearch, 'viewer'> => {
  const { q, category, lat, lng, radius, from, to, limit, cursor } = query;
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
    dates: from && to ? { from, to } : undefined,
    order,
    limit: limit ?? maxPageSize,
    cursor,
  };
};

/** Returns the default sort order: by relevance if words are given, by distance if only a radius is given, otherwise newest first. */
const orderOf = (q: string | undefined, radius: number | undefined): ToolOrder => {
  if (q) return 'relevance';
  return radius === undefined ? 'newest' : 'distance';
};
