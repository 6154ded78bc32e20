import type { Endpoint, ReplyAt } from '@lendtools/contracts/call';
import type {
  InfiniteQueryDefinition,
  InfiniteQueryExtraOptions,
} from '@reduxjs/toolkit/query/react';
import type { Build, EndpointOptions } from './add-endpoints.ts';
import type { Query, Tag } from './base-api.ts';
import { call } from './call.ts';

type Cursor = string | null;
interface Page {
  nextCursor: Cursor;
}

type PagesOptions<E extends Endpoint, A, T> = EndpointOptions<E, A, T> & { limit?: number } & Pick<
    InfiniteQueryExtraOptions<Tag, T, A, Cursor, Query, 'api'>,
    'providesTags' | 'onCacheEntryAdded'
  >;

/** Loads a list by pages of `limit` rows. Each page has the cursor of the next page, or null if it is the last. */
export function pages<E extends Endpoint, A, T extends Page = ReplyAt<E> & Page>(
  build: Build,
  endpoint: E,
  { send, limit = 50, ...options }: PagesOptions<E, A, T>,
): InfiniteQueryDefinition<A, Cursor, Query, Tag, T, 'api'> {
  return build.infiniteQuery<T, A, Cursor>({
    infiniteQueryOptions: {
      initialPageParam: null,
      getNextPageParam: (page) => page.nextCursor,
    },
    query: ({ queryArg, pageParam: cursor }) => {
      const request = call(endpoint, send?.(queryArg));
      return { ...request, params: { limit, ...(cursor && { cursor }), ...request.params } };
    },
    ...(options as object),
  });
}
