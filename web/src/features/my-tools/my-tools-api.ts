import type { ReplyOf, routes } from '@lendtools/contracts';
import { baseApi } from '../../api/base-api.ts';
import { cursorPages, pageParams } from '../../api/cursor-pages.ts';

type Routes = typeof routes;
type ToolsPage = ReplyOf<Routes['myRentals']>;
type Saved = ReplyOf<Routes['addRental']>;

const myToolsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    myTools: build.infiniteQuery<ToolsPage, string, string | null>({
      infiniteQueryOptions: cursorPages,
      query: ({ queryArg: userId, pageParam }) => ({
        url: `user/${userId}/rentals/my-rentals`,
        params: pageParams(pageParam),
      }),
      providesTags: ['Tool'],
    }),
    earnings: build.query<ReplyOf<Routes['earnings']>, string>({
      query: (userId) => `user/${userId}/earnings`,
      providesTags: [{ type: 'Booking', id: 'LIST' }],
    }),
    addTool: build.mutation<Saved, { userId: string; form: FormData; idempotencyKey: string }>({
      query: ({ userId, form, idempotencyKey }) => ({
        url: `user/${userId}/add-rental`,
        method: 'POST',
        headers: { 'idempotency-key': idempotencyKey },
        body: form,
      }),
      invalidatesTags: ['Tool'],
    }),
    updateTool: build.mutation<Saved, { id: string; form: FormData }>({
      query: ({ id, form }) => ({ url: `update-rental/${id}`, method: 'PUT', body: form }),
      invalidatesTags: ['Tool'],
    }),
    deleteTool: build.mutation<{ message: string }, string>({
      query: (id) => ({ url: `rentals/delete-tool/${id}`, method: 'DELETE' }),
      invalidatesTags: ['Tool'],
    }),
  }),
});

export const {
  useMyToolsInfiniteQuery,
  useEarningsQuery,
  useAddToolMutation,
  useUpdateToolMutation,
  useDeleteToolMutation,
} = myToolsApi;
