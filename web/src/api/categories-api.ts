import type { ReplyOf, routes } from '@lendtools/contracts';
import { baseApi } from './base-api.ts';

/** Browsing, listing a tool and the admin's tables all need the categories. */
const categoriesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    categories: build.query<ReplyOf<typeof routes.allCategories>['allCategories'], void>({
      query: () => 'all-rental-categories',
      transformResponse: (reply: ReplyOf<typeof routes.allCategories>) => reply.allCategories,
      providesTags: ['Category'],
    }),
  }),
});

export const { useCategoriesQuery } = categoriesApi;
