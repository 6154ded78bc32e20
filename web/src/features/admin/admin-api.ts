import type { Category, ReplyOf, routes, User } from '@lendtools/contracts';
import { type AllRows, allPages } from '../../api/all-pages.ts';
import { baseApi } from '../../api/base-api.ts';
import { cursorPages, pageParams } from '../../api/cursor-pages.ts';

type Routes = typeof routes;
type UsersPage = ReplyOf<Routes['allUsers']>;
type BookingsPage = ReplyOf<Routes['allBookings']>;
type ToolsPage = ReplyOf<Routes['toolsOfUser']>;

/** What narrows a list; what is empty is not sent. */
type Filters = Record<string, string>;

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
    allUsers: build.infiniteQuery<UsersPage, Filters, string | null>({
      infiniteQueryOptions: cursorPages,
      query: ({ queryArg, pageParam }) => ({
        url: 'all-users',
        params: { ...pageParams(pageParam), ...queryArg },
      }),
      providesTags: ['User'],
    }),
    everyUser: build.query<AllRows<User>, Filters>({
      queryFn: (params, _api, _options, ask) =>
        allPages(ask, { url: 'all-users', params, rowsOf: ({ users }: UsersPage) => users }),
      keepUnusedDataFor: 0,
    }),
    bookingsOfUser: build.infiniteQuery<BookingsPage, string, string | null>({
      infiniteQueryOptions: cursorPages,
      query: ({ queryArg: userId, pageParam }) => ({
        url: 'all-bookings',
        params: { ...pageParams(pageParam), userId },
      }),
      providesTags: [{ type: 'Booking', id: 'LIST' }],
    }),
    toolsOfUser: build.infiniteQuery<ToolsPage, string, string | null>({
      infiniteQueryOptions: cursorPages,
      query: ({ queryArg: userId, pageParam }) => ({
        url: `admin/users/${userId}/tools`,
        params: pageParams(pageParam),
      }),
      providesTags: ['Tool'],
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
  useLazyEveryUserQuery,
  useBookingsOfUserInfiniteQuery,
  useToolsOfUserInfiniteQuery,
  useUserDetailsQuery,
  useSetUserMutation,
  useAddCategoryMutation,
  useUpdateCategoryMutation,
  useDeleteCategoryMutation,
} = adminApi;
