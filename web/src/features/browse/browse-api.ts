import type { Tool } from '@lendtools/contracts';
import type { ReplyAt } from '@lendtools/contracts/call';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { call } from '../../api/call.ts';
import type { BrowseQuery } from './browse-filters.ts';

interface ToolPage {
  tools: Tool[];
  nextCursor: string | null;
  /** The corrected search words, if nothing matched the typed ones. */
  searchedFor?: string | undefined;
}

/** The number of tools per page: slightly more than two rows of the widest grid, which fill a screen and load fast. */
const pageSize = 20;

type ListReply = ReplyAt<typeof at.allRentals>;
type NearReply = ReplyAt<typeof at.toolsNearYou>;

function request({ place, ...filters }: BrowseQuery, page: { limit: number; cursor?: string }) {
  return place?.radius === undefined
    ? call(at.allRentals, { query: { ...filters, ...place, ...page } })
    : call(at.toolsNearYou, {
        query: { ...filters, ...place, radius: place.radius, ...page },
      });
}

function toPage(reply: ListReply | NearReply): ToolPage {
  return {
    tools: 'nearby' in reply ? reply.nearby : reply.rentals,
    nextCursor: reply.nextCursor,
    searchedFor: reply.searchedFor,
  };
}

const browseApi = addEndpoints(({ build }) => ({
  browseTools: build.infiniteQuery<ToolPage, BrowseQuery, string | null>({
    infiniteQueryOptions: {
      initialPageParam: null,
      getNextPageParam: (page) => page.nextCursor,
    },
    query: ({ queryArg, pageParam }) =>
      request(queryArg, { limit: pageSize, ...(pageParam && { cursor: pageParam }) }),
    transformResponse: toPage,
    providesTags: ['Tool'],
  }),
  firstTool: build.query<Tool | null, BrowseQuery>({
    query: (query) => request(query, { limit: 1 }),
    transformResponse: (reply: ListReply | NearReply) => toPage(reply).tools[0] ?? null,
    providesTags: ['Tool'],
  }),
}));

export const { useBrowseToolsInfiniteQuery, useLazyFirstToolQuery } = browseApi;
