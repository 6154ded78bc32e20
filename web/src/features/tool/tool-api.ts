import type { ReplyOf, routes, Tool } from '@lendtools/contracts';
import { baseApi } from '../../api/base-api.ts';
import { onLive } from '../../api/live.ts';

type Reviews = ReplyOf<typeof routes.getReviews>;

const toolApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    tool: build.query<Tool, string>({
      query: (id) => `get-tool/${encodeURIComponent(id)}`,
      transformResponse: (reply: { tool: [Tool] }) => reply.tool[0],
      providesTags: (_, __, id) => [{ type: 'Tool', id }, 'Tool'],
      onCacheEntryAdded: async (id, { cacheEntryRemoved, dispatch }) => {
        const stop = onLive('tool:changed', ({ toolId }) => {
          if (toolId === id) dispatch(baseApi.util.invalidateTags([{ type: 'Tool', id }]));
        });
        await cacheEntryRemoved;
        stop();
      },
    }),
    toolReviews: build.infiniteQuery<Reviews, string, string | null>({
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: (page) => page.nextCursor,
      },
      query: ({ queryArg: rental_id, pageParam }) => ({
        url: 'rentalBookings/get-review',
        params: { rental_id, limit: 6, cursor: pageParam ?? undefined },
      }),
      providesTags: ['Review'],
    }),
  }),
});

export const { useToolQuery, useToolReviewsInfiniteQuery } = toolApi;
