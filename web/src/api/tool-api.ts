import type { Tool } from '@lendtools/contracts';
import { baseApi } from './base-api.ts';
import { onLive } from './live.ts';

/** One tool, for its page, for the booking summary and for its owner's form. */
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
  }),
});

export const { useToolQuery, useLazyToolQuery } = toolApi;
