import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { pages } from '../../api/cursor-pages.ts';

interface ReviewsOf {
  id: string;
  as: 'owner' | 'renter';
}

const personApi = addEndpoints(({ query, build }) => ({
  publicPerson: query(at.publicPerson, {
    send: (id: string) => ({ params: { id } }),
    transformResponse: ({ person }) => person,
    providesTags: ['Review'],
  }),
  personReviews: pages(build, at.personReviews, {
    limit: 10,
    send: ({ id, as }: ReviewsOf) => ({ params: { id }, query: { as } }),
    providesTags: ['Review'],
  }),
}));

export const { usePublicPersonQuery, usePersonReviewsInfiniteQuery } = personApi;
