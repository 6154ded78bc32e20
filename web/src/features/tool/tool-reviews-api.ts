import type { ReplyOf, routes } from '@lendtools/contracts';
import { baseApi } from '../../api/base-api.ts';

type Reviews = ReplyOf<typeof routes.getReviews>;

const reviewsApi = baseApi.injectEndpoints({
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
  }),
});

export const { useToolReviewsInfiniteQuery } = reviewsApi;
