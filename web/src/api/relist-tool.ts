import type { ReplyOf, routes, Tool } from '@lendtools/contracts';
import { baseApi } from './base-api.ts';

/** Putting a tool back on offer and taking it off, from the list of tools and from a booking that came back. */
const relistApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    relistTool: build.mutation<ReplyOf<typeof routes.updateRental>, string>({
      query: (toolId) => ({
        url: `update-rental/${toolId}`,
        method: 'PUT',
        body: { item_status: 'Available' satisfies Tool['item_status'] },
      }),
      invalidatesTags: ['Tool'],
    }),
    pauseTool: build.mutation<ReplyOf<typeof routes.updateRental>, string>({
      query: (toolId) => ({
        url: `update-rental/${toolId}`,
        method: 'PUT',
        body: { item_status: 'Unavailable' satisfies Tool['item_status'] },
      }),
      invalidatesTags: ['Tool'],
    }),
  }),
});

export const { useRelistToolMutation, usePauseToolMutation } = relistApi;
export const relistedText = 'Your tool is now available for rent';
