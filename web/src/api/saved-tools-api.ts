import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

interface Saving {
  userId: string;
  id: string;
}

const send = ({ userId, id }: Saving) => ({ params: { userId, id } });

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
  saveTool: mutation(at.saveTool, { send, invalidatesTags: ['SavedTool'] }),
  unsaveTool: mutation(at.unsaveTool, { send, invalidatesTags: ['SavedTool'] }),
}));

export const {
  useSavedToolsQuery,
  useSavedToolIdsQuery,
  useSaveToolMutation,
  useUnsaveToolMutation,
} = savedToolsApi;
