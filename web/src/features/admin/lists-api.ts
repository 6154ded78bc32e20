import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints, type QueryOf } from '../../api/add-endpoints.ts';
import { pages } from '../../api/cursor-pages.ts';

export type ToolFilters = QueryOf<typeof at.listedTools>;
export type ReviewFilters = QueryOf<typeof at.listedReviews>;
export type ThreadFilters = QueryOf<typeof at.threads>;

const shown = 6;

function lookUp(id: string) {
  return { params: { id } };
}

const listsApi = addEndpoints(({ query, build }) => ({
  listedTools: pages(build, at.listedTools, {
    send: (filters: ToolFilters) => ({ query: filters }),
    providesTags: ['Tool'],
  }),
  listedReviews: pages(build, at.listedReviews, {
    send: (filters: ReviewFilters) => ({ query: filters }),
  }),
  threads: pages(build, at.threads, {
    send: (filters: ThreadFilters) => ({ query: filters }),
  }),
  foundUsers: query(at.allUsers, {
    send: (q: string) => ({ query: { q, limit: shown } }),
    transformResponse: ({ users }) => users,
    providesTags: ['User'],
  }),
  foundBookings: query(at.allBookings, {
    send: (q: string) => ({ query: { q, limit: shown } }),
    transformResponse: ({ bookings }) => bookings,
    providesTags: [{ type: 'Booking', id: 'LIST' }],
  }),
  foundTools: query(at.listedTools, {
    send: (q: string) => ({ query: { q, limit: shown } }),
    transformResponse: ({ tools }) => tools,
    providesTags: ['Tool'],
  }),
  userById: query(at.getUser, {
    send: (userId: string) => ({ params: { userId } }),
    transformResponse: ({ user }) => user,
    providesTags: ['User'],
  }),
  bookingById: query(at.getBooking, {
    send: lookUp,
    transformResponse: ({ booking }) => booking,
    providesTags: [{ type: 'Booking', id: 'LIST' }],
  }),
  stripeObject: query(at.stripeObject, {
    send: (stripeId: string) => ({ params: { stripeId } }),
  }),
}));

export const {
  useListedToolsInfiniteQuery,
  useListedReviewsInfiniteQuery,
  useThreadsInfiniteQuery,
  useFoundUsersQuery,
  useFoundBookingsQuery,
  useFoundToolsQuery,
  useUserByIdQuery,
  useBookingByIdQuery,
  useStripeObjectQuery,
} = listsApi;
