import { internalRoutes, type ReplyOf } from '@lendtools/contracts';
import { call, type Identity } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';

type Bookings = ReplyOf<typeof internalRoutes.bookingsOfPayments>['payments'][number]['bookings'];

/** What payments pay for, read from bookings with the admin's token. */
export const readBookings = async (
  { bookings }: Pick<Deps, 'bookings'>,
  { token }: Pick<Identity, 'token'>,
  paymentIds: string[],
): Promise<(paymentId: string) => Bookings> => {
  const query = { payments: [...new Set(paymentIds)].join() };
  const { payments } =
    paymentIds.length === 0
      ? { payments: [] }
      : await call(bookings, internalRoutes.bookingsOfPayments, { query, token, timeoutMs: 3_000 });
  return (paymentId) => payments.find((one) => one.paymentId === paymentId)?.bookings ?? [];
};
