import type { Hold } from '@lendtools/contracts';
import type { ReplyAt } from '@lendtools/contracts/call';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';
import type { BookingDraft } from '../../rental/booking-draft.ts';
import type { CartItem } from './cart-slice.ts';

export type PaymentConfig = ReplyAt<typeof at.paymentConfig>;

interface NewHold {
  userId: string;
  items: CartItem[];
  idempotencyKey: string;
}

interface NewPayment {
  amount: number;
  userId: string;
  holdId: string;
  /** Pays with a saved card. */
  cardId?: string;
  /** Keeps the card that is entered. */
  saveCard?: boolean;
}

interface PaidIntent {
  paymentId: string;
  paymentIntentId: string;
  amount: number;
  userId: string;
}

interface NewTimes extends BookingDraft {
  userId: string;
  bookingId: string;
}

/** The amounts are those shown to the user; the server rejects different ones. */
interface NewChange extends NewTimes {
  dueCents: number;
  refundCents: number;
}

function toHoldLine(item: CartItem) {
  return {
    rental_id: item.id,
    quantity: item.quantity,
    start_date: item.start_date,
    start_time: item.start_time,
    end_date: item.end_date,
    end_time: item.end_time,
    booking_code: item.booking_code,
  };
}

const checkoutApi = addEndpoints(({ query, mutation }) => ({
  paymentConfig: query(at.paymentConfig, {}),
  holdCart: mutation(at.holdCart, {
    send: ({ userId, items, idempotencyKey }: NewHold) => ({
      params: { userId },
      body: { lines: items.map(toHoldLine), splitRequests: true },
      idempotencyKey,
    }),
    // Replicas of 1.0.0 reply with `hold` alone.
    transformResponse: ({ hold, holds }) => holds ?? [hold],
  }),
  releaseHold: mutation(at.releaseHold, {
    send: (params: { userId: string; holdId: string }) => ({ params }),
  }),
  createPaymentIntent: mutation(at.createPaymentIntent, {
    send: (body: NewPayment) => ({
      body,
      idempotencyKey: `intent-${body.holdId}-${body.amount}`,
    }),
    // The saved card may have been removed in another tab.
    invalidatesTags: (_, error) => (error ? ['Card'] : []),
  }),
  confirmPayment: mutation(at.confirmPayment, {
    send: ({ paymentId, ...body }: PaidIntent) => ({ params: { paymentId }, body }),
  }),
  bookingToChange: query(at.getBooking, {
    send: (id: string) => ({ params: { id } }),
    transformResponse: ({ booking }) => booking,
    providesTags: (_, __, id) => [{ type: 'Booking', id }],
  }),
  changePreview: query(at.changePreview, {
    send: ({ bookingId, userId, ...query }: NewTimes) => ({
      params: { userId, id: bookingId },
      query,
    }),
    transformResponse: ({ preview }) => preview,
    keepUnusedDataFor: 0,
  }),
  changeBooking: mutation(at.changeBooking, {
    send: ({ bookingId, userId, ...body }: NewChange) => ({
      params: { userId, id: bookingId },
      body,
    }),
    invalidatesTags: (_, __, { bookingId }) => [
      { type: 'Booking', id: bookingId },
      { type: 'Booking', id: 'LIST' },
      'Tool',
    ],
  }),
  releaseChange: mutation(at.releaseHold, {
    send: ({ userId, holdId }: { userId: string; holdId: string; bookingId: string }) => ({
      params: { userId, holdId },
    }),
    invalidatesTags: (_, __, { bookingId }) => [{ type: 'Booking', id: bookingId }],
  }),
  addRentalBooking: mutation(at.addRentalBooking, {
    send: ({ userId, line }: { userId: string; line: Hold['lines'][number] }) => ({
      params: { userId },
      body: line,
      idempotencyKey: `booking-${line.id}`,
    }),
    transformResponse: ({ rental }) => rental,
    invalidatesTags: [{ type: 'Booking', id: 'LIST' }, 'Tool'],
  }),
}));

export const {
  usePaymentConfigQuery,
  useHoldCartMutation,
  useReleaseHoldMutation,
  useCreatePaymentIntentMutation,
  useConfirmPaymentMutation,
  useAddRentalBookingMutation,
  useBookingToChangeQuery,
  useChangePreviewQuery,
  useChangeBookingMutation,
  useReleaseChangeMutation,
} = checkoutApi;
