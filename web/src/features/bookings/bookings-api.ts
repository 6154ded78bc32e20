import type { Booking, ReplyOf, Review, routes } from '@lendtools/contracts';
import { type AllRows, allPages } from '../../api/all-pages.ts';
import { baseApi } from '../../api/base-api.ts';
import { cursorPages, pageParams } from '../../api/cursor-pages.ts';

type Routes = typeof routes;
type BookingsPage = ReplyOf<Routes['ownerBookings']>;
type AllBookingsPage = ReplyOf<Routes['allBookings']>;

/** What is still to come or out, however long ago it was booked, and what is over: each has pages of its own. */
export type When = 'open' | 'over';

const list = [{ type: 'Booking' as const, id: 'LIST' }];
const one = (id: string) => [{ type: 'Booking' as const, id }];

interface BookingOfUser {
  userId: string;
  bookingId: string;
}

interface NewRefund {
  bookingId: string;
  /** Dollars. */
  amount: number;
  reason: string;
  /** The same for every try, so that a lost answer never pays back twice. */
  idempotencyKey: string;
}

interface NewReview extends BookingOfUser {
  toolId: string;
  rating: number;
  comment: string;
}

const bookingsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    ownerBookings: build.infiniteQuery<BookingsPage, When, string | null>({
      infiniteQueryOptions: cursorPages,
      query: ({ queryArg: when, pageParam }) => ({
        url: 'rentalBookings/my-bookings',
        params: { ...pageParams(pageParam), when },
      }),
      providesTags: list,
    }),
    renterBookings: build.infiniteQuery<
      BookingsPage,
      { userId: string; when: When },
      string | null
    >({
      infiniteQueryOptions: cursorPages,
      query: ({ queryArg: { userId, when }, pageParam }) => ({
        url: `rentalBookings/${userId}/my-bookings`,
        params: { ...pageParams(pageParam), when },
      }),
      providesTags: list,
    }),
    allBookings: build.infiniteQuery<AllBookingsPage, Record<string, string>, string | null>({
      infiniteQueryOptions: cursorPages,
      query: ({ queryArg, pageParam }) => ({
        url: 'all-bookings',
        params: { ...pageParams(pageParam), ...queryArg },
      }),
      providesTags: list,
    }),
    everyBooking: build.query<AllRows<Booking>, Record<string, string>>({
      queryFn: (params, _api, _options, ask) =>
        allPages(ask, {
          ...{ url: 'all-bookings', params },
          rowsOf: ({ bookings }: AllBookingsPage) => bookings,
        }),
      keepUnusedDataFor: 0,
    }),
    bookingDetails: build.query<Booking, string>({
      query: (id) => `rentalBookings/${id}/details`,
      transformResponse: ({ booking }: ReplyOf<Routes['getBooking']>) => booking,
      providesTags: (_, __, id) => one(id),
    }),
    confirmReturned: build.mutation<ReplyOf<Routes['updateBooking']>, BookingOfUser>({
      query: ({ userId, bookingId }) => ({
        url: `user/${userId}/rentalBookings/update-booking/${bookingId}`,
        method: 'PUT',
        body: { authorization: 'Authorized', returned_status: 'Returned' },
      }),
      invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list],
    }),
    undoReturn: build.mutation<ReplyOf<Routes['undoReturn']>, BookingOfUser>({
      query: ({ userId, bookingId }) => ({
        url: `user/${userId}/rentalBookings/undo-return/${bookingId}`,
        method: 'POST',
        body: {},
      }),
      invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list],
    }),
    cancelBooking: build.mutation<ReplyOf<Routes['cancelBooking']>, BookingOfUser>({
      query: ({ userId, bookingId }) => ({
        url: `user/${userId}/rentalBookings/cancel-booking/${bookingId}`,
        method: 'POST',
        body: {},
      }),
      invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list, 'Tool'],
    }),
    refundBooking: build.mutation<ReplyOf<Routes['refundBooking']>, NewRefund>({
      query: ({ bookingId, amount, reason, idempotencyKey }) => ({
        url: `rentalBookings/refund-booking/${bookingId}`,
        method: 'POST',
        headers: { 'idempotency-key': idempotencyKey },
        body: { amount, reason },
      }),
      invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list],
    }),
    bookingReviews: build.query<Review[], string>({
      query: (rentalBooking_id) => ({
        url: 'rentalBookings/get-review',
        params: { rentalBooking_id, limit: 20 },
      }),
      transformResponse: ({ reviews }: ReplyOf<Routes['getReviews']>) => reviews,
      providesTags: ['Review'],
    }),
    addReview: build.mutation<ReplyOf<Routes['addReview']>, NewReview>({
      query: ({ userId, bookingId, toolId, rating, comment }) => ({
        url: `user/${userId}/reviews/add-review`,
        method: 'POST',
        body: { rentalBooking_id: bookingId, userId, rental_id: toolId, rating, comment },
      }),
      invalidatesTags: (_, __, { bookingId }) => ['Review', 'Tool', ...one(bookingId)],
    }),
  }),
});

export const {
  useOwnerBookingsInfiniteQuery,
  useRenterBookingsInfiniteQuery,
  useAllBookingsInfiniteQuery,
  useLazyEveryBookingQuery,
  useBookingDetailsQuery,
  useConfirmReturnedMutation,
  useUndoReturnMutation,
  useCancelBookingMutation,
  useRefundBookingMutation,
  useBookingReviewsQuery,
  useAddReviewMutation,
} = bookingsApi;
