import type { Category } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';
import { baseApi } from './base-api.ts';
import { onLive } from './live.ts';

function without(categories: Category[], id: string) {
  return categories.filter((one) => one.id !== id);
}

function withCategory(categories: Category[], category: Category) {
  return [...without(categories, category.id), category].sort((a, b) =>
    a.name.localeCompare(b.name),
  );
}

const categoriesApi = addEndpoints(({ query }) => ({
  categories: query(at.allCategories, {
    transformResponse: ({ allCategories }) => allCategories,
    providesTags: ['Category'],
    onCacheEntryAdded: async (_, { cacheEntryRemoved, dispatch, getCacheEntry, ...cache }) => {
      const patch = (change: (categories: Category[]) => Category[]) => {
        if (getCacheEntry().data) cache.updateCachedData(change);
        // The list is still loading, and the reply may be older than this push, so refetch the list.
        else dispatch(baseApi.util.invalidateTags(['Category']));
      };
      const stops = [
        onLive('category:saved', (category) => patch((all) => withCategory(all, category))),
        onLive('category:removed', ({ id }) => patch((all) => without(all, id))),
      ];
      await cacheEntryRemoved;
      for (const stop of stops) stop();
    },
  }),
}));

export const { useCategoriesQuery } = categoriesApi;
