import type { User } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints, type QueryOf } from '../../api/add-endpoints.ts';
import { allPages } from '../../api/all-pages.ts';
import { pages } from '../../api/cursor-pages.ts';

export type UserFilters = QueryOf<typeof at.allUsers>;

type NewCategory = { form: FormData; idempotencyKey: string };
type UserChange = { id: string; role?: User['role']; disabled?: boolean };

function lately(days: number) {
  return { query: { days } };
}

function byId(id: string) {
  return { params: { id } };
}

const adminApi = addEndpoints(({ query, mutation, build }) => ({
  accountStats: query(at.accountStats, { send: lately, providesTags: ['User'] }),
  catalogStats: query(at.catalogStats, { send: lately, providesTags: ['Tool'] }),
  bookingStats: query(at.bookingStats, { send: lately, providesTags: ['Booking'] }),
  allUsers: pages(build, at.allUsers, {
    send: (filters: UserFilters) => ({ query: filters }),
    providesTags: ['User'],
  }),
  everyUser: allPages(build, at.allUsers, {
    send: (filters: UserFilters) => ({ query: filters }),
    rowsOf: ({ users }) => users,
    keepUnusedDataFor: 0,
  }),
  bookingsOfUser: pages(build, at.allBookings, {
    send: (userId: string) => ({ query: { userId } }),
    providesTags: [{ type: 'Booking', id: 'LIST' }],
  }),
  toolsOfUser: pages(build, at.toolsOfUser, {
    send: (userId: string) => ({ params: { userId } }),
    providesTags: ['Tool'],
  }),
  setUser: mutation(at.setUser, {
    send: ({ id: userId, ...change }: UserChange) => ({ params: { userId }, body: change }),
    transformResponse: ({ user }) => user,
    invalidatesTags: ['User'],
  }),
  formerEmails: query(at.formerEmails, {
    send: (userId: string) => ({ params: { userId } }),
    transformResponse: ({ formerEmails }) => formerEmails,
    providesTags: ['User'],
  }),
  restoreEmail: mutation(at.restoreEmail, {
    send: ({ userId, ...body }: { userId: string; email: string; reason: string }) => ({
      params: { userId },
      body,
    }),
    invalidatesTags: ['User', 'SecondFactor'],
  }),
  removeSecondFactors: mutation(at.removeSecondFactors, {
    send: ({ userId, reason }: { userId: string; reason: string }) => ({
      params: { userId },
      body: { reason },
    }),
    invalidatesTags: ['SecondFactor'],
  }),
  addCategory: mutation(at.addCategory, {
    send: ({ form, idempotencyKey }: NewCategory) => ({ body: form, idempotencyKey }),
    invalidatesTags: ['Category'],
  }),
  updateCategory: mutation(at.updateCategory, {
    send: ({ id, form }: { id: string; form: FormData }) => ({ ...byId(id), body: form }),
    invalidatesTags: ['Category', 'Tool'],
  }),
  deleteCategory: mutation(at.deleteCategory, { send: byId, invalidatesTags: ['Category'] }),
}));

export const {
  useAccountStatsQuery,
  useCatalogStatsQuery,
  useBookingStatsQuery,
  useAllUsersInfiniteQuery,
  useLazyEveryUserQuery,
  useBookingsOfUserInfiniteQuery,
  useToolsOfUserInfiniteQuery,
  useSetUserMutation,
  useFormerEmailsQuery,
  useRestoreEmailMutation,
  useRemoveSecondFactorsMutation,
  useAddCategoryMutation,
  useUpdateCategoryMutation,
  useDeleteCategoryMutation,
} = adminApi;
