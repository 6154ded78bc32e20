import type { Tool } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import { allPages } from '../../api/all-pages.ts';
import { pages } from '../../api/cursor-pages.ts';

interface NewTool {
  userId: string;
  form: FormData;
  idempotencyKey: string;
}

interface SimilarTools {
  userId: string;
  category: string;
  rental_circle: Tool['rental_circle'];
  name: string;
  lat?: number;
  lng?: number;
}

interface ShownDays {
  /** Distinguishes the cached bookings of two users. */
  userId: string;
  from: string;
  to: string;
}

const takesDates = new Set(['Requested', 'Booked', 'Returned', 'Completed']);

function ofUser(userId: string) {
  return { params: { userId } };
}

const myToolsApi = addEndpoints(({ query, mutation, build }) => ({
  myTools: pages(build, at.myRentals, { send: ofUser, providesTags: ['Tool'] }),
  earnings: query(at.earnings, {
    send: ofUser,
    providesTags: [{ type: 'Booking', id: 'LIST' }],
  }),
  bookingsOfMyTools: allPages(build, at.ownerBookings, {
    send: ({ from, to }: ShownDays) => ({ query: { from, to } }),
    rowsOf: ({ bookings }) =>
      bookings.filter(({ booking_status }) => takesDates.has(booking_status)),
    providesTags: [{ type: 'Booking', id: 'LIST' }],
  }),
  priceRange: query(at.priceRange, {
    send: ({ userId, name, ...query }: SimilarTools) => ({
      params: { userId },
      // The API takes as many characters of the name as of a search.
      query: { ...query, name: name.slice(0, 100) },
    }),
    transformResponse: ({ priceRange }) => priceRange,
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
    send: ({ tool: { id, revision }, form }: { tool: Tool; form: FormData }) => ({
      params: { id },
      body: form,
      ifMatch: revision,
    }),
    invalidatesTags: ['Tool'],
  }),
  deleteTool: mutation(at.deleteTool, {
    send: (id: string) => ({ params: { id } }),
    invalidatesTags: ['Tool'],
  }),
}));

export const {
  useMyToolsInfiniteQuery,
  useBookingsOfMyToolsQuery,
  useEarningsQuery,
  usePriceRangeQuery,
  useAddToolMutation,
  useUpdateToolMutation,
  useDeleteToolMutation,
} = myToolsApi;
