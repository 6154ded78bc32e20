import type { ReplyOf, routes, Tool } from '@lendtools/contracts';
import { baseApi } from '../../api/base-api.ts';
import type { BrowseQuery } from './browse-filters.ts';

export interface ToolPage {
  tools: Tool[];
  nextCursor: string | null;
}

/** Two rows of the widest grid and a bit: enough to fill a screen, little enough to come at once. */
const pageSize = 20;

type ListReply = ReplyOf<typeof routes.allRentals>;
type NearReply = ReplyOf<typeof routes.toolsNearYou>;

const browseApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    browseTools: build.infiniteQuery<ToolPage, BrowseQuery, string | null>({
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: (page) => page.nextCursor,
      },
      query: ({ queryArg: { place, ...filters }, pageParam }) => ({
        url: place ? 'get-tools-near-you' : 'all-rentals',
        params: { ...filters, ...place, limit: pageSize, cursor: pageParam ?? undefined },
      }),
      transformResponse: (reply: ListReply | NearReply) => ({
        tools: 'nearby' in reply ? reply.nearby : reply.rentals,
        nextCursor: reply.nextCursor,
      }),
      providesTags: ['Tool'],
    }),
  }),
});

export const { useBrowseToolsInfiniteQuery } = browseApi;
