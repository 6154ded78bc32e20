import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

interface SavedToolInput {
  userId: string;
  id: string;
}

function send({ userId, id }: SavedToolInput) {
  return { params: { userId, id } };
}

const savedToolsApi = addEndpoints(({ query, mutation }) => ({
  savedTools: query(at.savedTools, {
    send: (userId: string) => ({ params: { userId } }),
    transformResponse: ({ rentals }) => rentals,
    providesTags: ['SavedTool', 'Tool'],
  }),
  savedToolIds: query(at.savedToolIds, {
    send: (userId: string) => ({ params: { userId } }),
    transformResponse: ({ ids }) => ids,
    providesTags: ['SavedTool'],
  }),
  // Optimistic update: the heart changes at once, and changes back if the request fails.
  saveTool: mutation(at.saveTool, {
    send,
    onQueryStarted: async ({ userId, id }, { dispatch, queryFulfilled }) => {
      const shown = dispatch(
        savedToolsApi.util.updateQueryData('savedToolIds', userId, (ids) => [...ids, id]),
      );
      await queryFulfilled.catch(shown.undo);
    },
    invalidatesTags: ['SavedTool'],
  }),
  unsaveTool: mutation(at.unsaveTool, {
    send,
    onQueryStarted: async ({ userId, id }, { dispatch, queryFulfilled }) => {
      const shown = dispatch(
        savedToolsApi.util.updateQueryData('savedToolIds', userId, (ids) =>
          ids.filter((one) => one !== id),
        ),
      );
      await queryFulfilled.catch(shown.undo);
    },
    invalidatesTags: ['SavedTool'],
  }),
}));

export const {
  useSavedToolsQuery,
  useSavedToolIdsQuery,
  useSaveToolMutation,
  useUnsaveToolMutation,
} = savedToolsApi;

export const { savedTools, saveTool } = savedToolsApi.endpoints;
