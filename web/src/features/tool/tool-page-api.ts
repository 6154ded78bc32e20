import type { Tool } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { pages } from '../../api/cursor-pages.ts';

const howManySimilar = 4;

const toolPageApi = addEndpoints(({ query, build }) => ({
  toolReviews: pages(build, at.getReviews, {
    limit: 6,
    send: (rental_id: string) => ({ query: { rental_id } }),
    providesTags: ['Review'],
  }),
  toolOwner: query(at.toolOwner, {
    send: (id: string) => ({ params: { id } }),
    transformResponse: ({ owner }) => owner,
    providesTags: ['Review'],
  }),
  similarTools: query(at.allRentals, {
    send: ({ categoryId }: Pick<Tool, 'id' | 'categoryId'>) => ({
      // One more than shown, because the tool itself may be among the results.
      query: { category: categoryId, sort: 'rating' as const, limit: howManySimilar + 1 },
    }),
    transformResponse: ({ rentals }, _, { id }) =>
      rentals.filter((tool) => tool.id !== id).slice(0, howManySimilar),
    providesTags: ['Tool'],
  }),
}));

export const { useToolReviewsInfiniteQuery, useToolOwnerQuery, useSimilarToolsQuery } = toolPageApi;
