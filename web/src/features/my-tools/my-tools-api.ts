import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { pages } from '../../api/cursor-pages.ts';

interface NewTool {
  userId: string;
  form: FormData;
  idempotencyKey: string;
}

const ofUser = (userId: string) => ({ params: { userId } });

const myToolsApi = addEndpoints(({ query, mutation, build }) => ({
  myTools: pages(build, at.myRentals, { send: ofUser, providesTags: ['Tool'] }),
  earnings: query(at.earnings, {
    send: ofUser,
    providesTags: [{ type: 'Booking', id: 'LIST' }],
  }),
  addTool: mutation(at.addRental, {
    send: ({ userId, form, idempotencyKey }: NewTool) => ({
      params: { userId },
      body: form,
      idempotencyKey,
    }),
    invalidatesTags: ['Tool'],
  }),
  updateTool: mutation(at.updateRental, {
    send: ({ id, form }: { id: string; form: FormData }) => ({ params: { id }, body: form }),
    invalidatesTags: ['Tool'],
  }),
  deleteTool: mutation(at.deleteTool, {
    send: (id: string) => ({ params: { id } }),
    invalidatesTags: ['Tool'],
  }),
}));

export const {
  useMyToolsInfiniteQuery,
  useEarningsQuery,
  useAddToolMutation,
  useUpdateToolMutation,
  useDeleteToolMutation,
} = myToolsApi;
