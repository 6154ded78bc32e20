import type { OwnerCard, ReplyOf, routes, Tool } from '@lendtools/contracts';
import { baseApi } from '../../api/base-api.ts';

type Reviews = ReplyOf<typeof routes.getReviews>;

const howManySimilar = 4;

const toolPageApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
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
    toolOwner: build.query<OwnerCard, string>({
      query: (toolId) => `rentals/${encodeURIComponent(toolId)}/owner`,
      transformResponse: ({ owner }: ReplyOf<typeof routes.toolOwner>) => owner,
      providesTags: ['Review'],
    }),
    /** What else is on offer of the same kind. */
    similarTools: build.query<Tool[], Pick<Tool, 'id' | 'categoryId'>>({
      query: ({ categoryId }) => ({
        url: 'all-rentals',
        // One more, since the tool itself may be among them.
        params: { category: categoryId, sort: 'rating', limit: howManySimilar + 1 },
      }),
      transformResponse: ({ rentals }: ReplyOf<typeof routes.allRentals>, _, { id }) =>
        rentals.filter((tool) => tool.id !== id).slice(0, howManySimilar),
      providesTags: ['Tool'],
    }),
  }),
});

export const { useToolReviewsInfiniteQuery, useToolOwnerQuery, useSimilarToolsQuery } = toolPageApi;
