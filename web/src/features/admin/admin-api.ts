import type { Category, ReplyOf, routes, User } from '@lendtools/contracts';
import { baseApi } from '../../api/base-api.ts';
import { cursorPages, pageParams } from '../../api/cursor-pages.ts';

type Routes = typeof routes;
type UsersPage = ReplyOf<Routes['allUsers']>;

interface CategoryForm {
  form: FormData;
}

const adminApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    accountStats: build.query<ReplyOf<Routes['accountStats']>, number>({
      query: (days) => ({ url: 'admin/stats/accounts', params: { days } }),
      providesTags: ['User'],
    }),
    catalogStats: build.query<ReplyOf<Routes['catalogStats']>, number>({
      query: (days) => ({ url: 'admin/stats/catalog', params: { days } }),
      providesTags: ['Tool'],
    }),
    bookingStats: build.query<ReplyOf<Routes['bookingStats']>, number>({
      query: (days) => ({ url: 'admin/stats/bookings', params: { days } }),
      providesTags: ['Booking'],
    }),
    allUsers: build.infiniteQuery<UsersPage, string, string | null>({
      infiniteQueryOptions: cursorPages,
      query: ({ queryArg: q, pageParam }) => ({
        url: 'all-users',
        params: { ...pageParams(pageParam), ...(q && { q }) },
      }),
      providesTags: ['User'],
    }),
    userDetails: build.query<User, string>({
      query: (id) => `users/${id}`,
      transformResponse: ({ user }: ReplyOf<Routes['getUser']>) => user,
      providesTags: ['User'],
    }),
    setUser: build.mutation<User, { id: string; role?: User['role']; disabled?: boolean }>({
      query: ({ id, ...change }) => ({ url: `users/${id}`, method: 'PUT', body: change }),
      transformResponse: ({ user }: ReplyOf<Routes['setUser']>) => user,
      invalidatesTags: ['User'],
    }),
    addCategory: build.mutation<
      ReplyOf<Routes['addCategory']>,
      CategoryForm & { idempotencyKey: string }
    >({
      query: ({ form, idempotencyKey }) => ({
        url: 'add-rentals-main-category',
        method: 'POST',
        headers: { 'idempotency-key': idempotencyKey },
        body: form,
      }),
      invalidatesTags: ['Category'],
    }),
    updateCategory: build.mutation<
      ReplyOf<Routes['updateCategory']>,
      CategoryForm & { id: Category['id'] }
    >({
      query: ({ id, form }) => ({ url: `update-rental-category/${id}`, method: 'PUT', body: form }),
      invalidatesTags: ['Category', 'Tool'],
    }),
    deleteCategory: build.mutation<{ message: string }, string>({
      query: (id) => ({ url: `category/delete-category/${id}`, method: 'DELETE' }),
      invalidatesTags: ['Category'],
    }),
  }),
});

export const {
  useAccountStatsQuery,
  useCatalogStatsQuery,
  useBookingStatsQuery,
  useAllUsersInfiniteQuery,
  useUserDetailsQuery,
  useSetUserMutation,
  useAddCategoryMutation,
  useUpdateCategoryMutation,
  useDeleteCategoryMutation,
} = adminApi;
