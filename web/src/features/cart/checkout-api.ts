import type { Booking, Hold, ReplyOf, routes } from '@lendtools/contracts';
import { baseApi } from '../../api/base-api.ts';
import type { CartItem } from './cart-slice.ts';

type Routes = typeof routes;
export type PaymentConfig = ReplyOf<Routes['paymentConfig']>;
type HeldLine = Hold['lines'][number];

const toHoldLine = (item: CartItem) => ({
  rental_id: item.id,
  quantity: item.quantity,
  start_date: item.start_date,
  start_time: item.start_time,
  end_date: item.end_date,
  end_time: item.end_time,
  booking_code: item.booking_code,
});

const checkoutApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    paymentConfig: build.query<PaymentConfig, void>({ query: () => 'payment/config' }),
    holdCart: build.mutation<Hold, { userId: string; items: CartItem[]; idempotencyKey: string }>({
      query: ({ userId, items, idempotencyKey }) => ({
        url: `user/${userId}/holds`,
        method: 'POST',
        headers: { 'idempotency-key': idempotencyKey },
        body: { lines: items.map(toHoldLine) },
      }),
      transformResponse: ({ hold }: ReplyOf<Routes['holdCart']>) => hold,
    }),
    releaseHold: build.mutation<unknown, { userId: string; holdId: string }>({
      query: ({ userId, holdId }) => ({ url: `user/${userId}/holds/${holdId}`, method: 'DELETE' }),
    }),
    createPaymentIntent: build.mutation<
      ReplyOf<Routes['createPaymentIntent']>,
      { amount: number; userId: string; holdId: string }
    >({
      query: (body) => ({
        url: 'payment/create-payment-intent',
        method: 'POST',
        headers: { 'idempotency-key': `intent-${body.holdId}-${body.amount}` },
        body,
      }),
    }),
    confirmPayment: build.mutation<
      ReplyOf<Routes['confirmPayment']>,
      { paymentId: string; paymentIntentId: string; amount: number; userId: string }
    >({
      query: ({ paymentId, ...body }) => ({
        url: `payment/confirm-payment/${paymentId}`,
        method: 'PUT',
        body,
      }),
    }),
    addRentalBooking: build.mutation<Booking, { userId: string; line: HeldLine }>({
      query: ({ userId, line }) => ({
        url: `user/${userId}/add-rental-booking`,
        method: 'POST',
        headers: { 'idempotency-key': `booking-${line.id}` },
        body: line,
      }),
      transformResponse: ({ rental }: ReplyOf<Routes['addRentalBooking']>) => rental,
      invalidatesTags: [{ type: 'Booking', id: 'LIST' }, 'Tool'],
    }),
  }),
});

export const {
  usePaymentConfigQuery,
  useHoldCartMutation,
  useReleaseHoldMutation,
  useCreatePaymentIntentMutation,
  useConfirmPaymentMutation,
  useAddRentalBookingMutation,
} = checkoutApi;
