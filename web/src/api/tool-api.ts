import type { Tool } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';
import { baseApi } from './base-api.ts';
import { onLive } from './live.ts';

const toolApi = addEndpoints(({ query }) => ({
  tool: query(at.getTool, {
    send: (id: string) => ({ params: { id } }),
    transformResponse: ({ tool }) => tool[0] as Tool,
    providesTags: (_, __, id) => [{ type: 'Tool', id }, 'Tool'],
    onCacheEntryAdded: async (id, { cacheEntryRemoved, dispatch }) => {
      const stop = onLive('tool:changed', ({ toolId }) => {
        if (toolId === id) dispatch(baseApi.util.invalidateTags([{ type: 'Tool', id }]));
      });
      await cacheEntryRemoved;
      stop();
    },
  }),
}));

export const { useToolQuery, useLazyToolQuery } = toolApi;
