import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints, type QueryOf } from '../../api/add-endpoints.ts';
import { allPages } from '../../api/all-pages.ts';
import { pages } from '../../api/cursor-pages.ts';

export type BookingFilters = QueryOf<typeof at.allBookings>;
/** Upcoming and current bookings are `open`, past ones are `over`; each list has its own pages. */
type BookingList = 'open' | 'over';

const list = [{ type: 'Booking' as const, id: 'LIST' }];

function one(id: string) {
  return [{ type: 'Booking' as const, id }];
}

interface BookingOfUser {
  userId: string;
  bookingId: string;
}

interface Cancellation extends BookingOfUser {
  /** The refund shown to the user; the server rejects a different amount. */
  refundCents: number;
}

interface ApprovalOfUser extends BookingOfUser {
  approvalId: string;
}

interface NewRefund {
  bookingId: string;
  amountCents: number;
  reason: string;
  /** The idempotency key: the same on every retry, so that a lost reply never leads to a second refund. */
  idempotencyKey: string;
}

interface NewReview extends BookingOfUser {
  toolId: string;
  rating: number;
  /** 0 if the renter rates only the tool. */
  ownerRating: number;
  comment: string;
}

interface NewRenterReview extends BookingOfUser {
  care: number;
  punctuality: number;
  communication: number;
  comment: string;
}

interface NewReply extends BookingOfUser {
  reviewId: string;
  text: string;
}

function byUserAndId({ userId, bookingId }: BookingOfUser) {
  return { userId, id: bookingId };
}

function byUserAndApproval({ userId, approvalId }: ApprovalOfUser) {
  return { userId, id: approvalId };
}

const bookingsApi = addEndpoints(({ query, mutation, build }) => ({
  ownerBookings: pages(build, at.ownerBookings, {
    send: (when: BookingList) => ({ query: { when } }),
    providesTags: list,
  }),
  renterBookings: pages(build, at.renterBookings, {
    send: ({ userId, when }: { userId: string; when: BookingList }) => ({
      params: { userId },
      query: { when },
    }),
    providesTags: list,
  }),
  allBookings: pages(build, at.allBookings, {
    send: (filters: BookingFilters) => ({ query: filters }),
    providesTags: list,
  }),
  everyBooking: allPages(build, at.allBookings, {
    send: (filters: BookingFilters) => ({ query: filters }),
    rowsOf: ({ bookings }) => bookings,
    keepUnusedDataFor: 0,
  }),
  today: query(at.today, {
    send: (userId: string) => ({ params: { userId } }),
    transformResponse: ({ today }) => today,
    providesTags: list,
  }),
  bookingDetails: query(at.getBooking, {
    send: (id: string) => ({ params: { id } }),
    transformResponse: ({ booking }) => booking,
    providesTags: (_, __, id) => one(id),
  }),
  confirmReturned: mutation(at.updateBooking, {
    send: (booking: BookingOfUser) => ({
      params: byUserAndId(booking),
      body: { authorization: 'Authorized', returned_status: 'Returned' },
    }),
    invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list],
  }),
  undoReturn: mutation(at.undoReturn, {
    send: (booking: BookingOfUser) => ({ params: byUserAndId(booking), body: {} }),
    invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list],
  }),
  cancelPreview: query(at.cancelPreview, {
    send: (id: string) => ({ params: { id } }),
    transformResponse: ({ preview }) => preview,
    keepUnusedDataFor: 0,
  }),
  cancelBooking: mutation(at.cancelBooking, {
    send: ({ refundCents, ...booking }: Cancellation) => ({
      params: byUserAndId(booking),
      body: { refundCents },
    }),
    invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list, 'Tool'],
  }),
  acceptApproval: mutation(at.acceptApproval, {
    send: (approval: ApprovalOfUser) => ({
      params: byUserAndApproval(approval),
      body: { undoable: true },
    }),
    invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list, 'Tool'],
  }),
  undoAccept: mutation(at.undoAccept, {
    send: (approval: ApprovalOfUser) => ({ params: byUserAndApproval(approval), body: {} }),
    invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list],
  }),
  declineApproval: mutation(at.declineApproval, {
    send: ({ note, ...approval }: ApprovalOfUser & { note: string }) => ({
      params: byUserAndApproval(approval),
      body: note ? { note } : {},
    }),
    invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list, 'Tool'],
  }),
  withdrawApproval: mutation(at.withdrawApproval, {
    send: (approval: ApprovalOfUser) => ({ params: byUserAndApproval(approval), body: {} }),
    invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list, 'Tool'],
  }),
  reportProblem: mutation(at.reportProblem, {
    send: ({ text, ...booking }: BookingOfUser & { text: string }) => ({
      params: byUserAndId(booking),
      body: { text },
    }),
    invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list],
  }),
  allProblems: pages(build, at.allProblems, {
    send: (state: 'open' | 'settled') => ({ query: { state } }),
    providesTags: list,
  }),
  settleProblem: mutation(at.settleProblem, {
    send: ({ problemId, note }: { problemId: string; bookingId: string; note: string }) => ({
      params: { id: problemId },
      body: { note },
    }),
    invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list],
  }),
  refundBooking: mutation(at.refundBooking, {
    send: ({ bookingId, amountCents, reason, idempotencyKey }: NewRefund) => ({
      params: { id: bookingId },
      body: { amountCents, reason },
      idempotencyKey,
    }),
    invalidatesTags: (_, __, { bookingId }) => [...one(bookingId), ...list],
  }),
  bookingReviews: query(at.getReviews, {
    send: (rentalBooking_id: string) => ({ query: { rentalBooking_id, limit: 20 } }),
    transformResponse: ({ reviews }) => reviews,
    providesTags: ['Review'],
  }),
  addReview: mutation(at.addReview, {
    send: ({ userId, bookingId, toolId, rating, ownerRating, comment }: NewReview) => ({
      params: { userId },
      body: {
        rentalBooking_id: bookingId,
        userId,
        rental_id: toolId,
        rating,
        ...(ownerRating > 0 && { ownerRating }),
        comment,
      },
    }),
    invalidatesTags: (_, __, { bookingId }) => ['Review', 'Tool', ...one(bookingId), ...list],
  }),
  reviewRenter: mutation(at.reviewRenter, {
    send: ({ userId, bookingId, ...review }: NewRenterReview) => ({
      params: { userId, id: bookingId },
      body: review,
    }),
    invalidatesTags: (_, __, { bookingId }) => ['Review', 'Tool', ...one(bookingId), ...list],
  }),
  replyToReview: mutation(at.replyToReview, {
    send: ({ userId, reviewId, text }: NewReply) => ({
      params: { userId, id: reviewId },
      body: { text },
    }),
    invalidatesTags: (_, __, { bookingId }) => ['Review', ...one(bookingId)],
  }),
}));

export const {
  useOwnerBookingsInfiniteQuery,
  useRenterBookingsInfiniteQuery,
  useAllBookingsInfiniteQuery,
  useLazyEveryBookingQuery,
  useTodayQuery,
  useBookingDetailsQuery,
  useConfirmReturnedMutation,
  useUndoReturnMutation,
  useLazyCancelPreviewQuery,
  useCancelBookingMutation,
  useAcceptApprovalMutation,
  useUndoAcceptMutation,
  useDeclineApprovalMutation,
  useWithdrawApprovalMutation,
  useReportProblemMutation,
  useAllProblemsInfiniteQuery,
  useSettleProblemMutation,
  useRefundBookingMutation,
  useBookingReviewsQuery,
  useAddReviewMutation,
  useReviewRenterMutation,
  useReplyToReviewMutation,
} = bookingsApi;
