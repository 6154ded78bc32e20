import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

const relistApi = addEndpoints(({ mutation }) => ({
  relistTool: mutation(at.updateRental, {
    send: (id: string) => ({ params: { id }, body: { item_status: 'Available' } }),
    invalidatesTags: ['Tool'],
  }),
  pauseTool: mutation(at.updateRental, {
    send: (id: string) => ({ params: { id }, body: { item_status: 'Unavailable' } }),
    invalidatesTags: ['Tool'],
  }),
}));

export const { useRelistToolMutation, usePauseToolMutation } = relistApi;
export const relistedText = 'Your tool is now available for rent';
