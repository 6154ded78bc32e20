import { setTimeout as delay } from 'node:timers/promises';
import { internalRoutes } from '@lendtools/contracts';
import { AppError, call, type Upstreams } from '@lendtools/service-kit';

const retryDelaysMs = [100, 400];

/**
 * Reads a hold's price and expiry from bookings, which also marks the hold as being paid.
 * @throws AppError the error that bookings returns, such as HOLD_NOT_FOUND; 503 when bookings is unavailable
 */
export const checkOut = async (bookings: Upstreams, holdId: string, token: string) => {
  const {
    amount,
    amountCents = amount,
    expiresAt,
    onRequest = false,
  } = await retryOutage(() =>
    call(bookings, internalRoutes.checkout, { params: { holdId }, token, timeoutMs: 3_000 }),
  );
  return { amountCents, expiresAt, onRequest };
};

/**
 * Checks that a user may start a payment without a hold. Fails while bookings is unavailable, because the client needs bookings
 * right afterwards to use the payment.
 * @throws AppError TOO_MANY_REQUESTS if many of the user's payments were refunded; 503 when bookings is unavailable
 */
export const checkPaymentLimit = async (
  bookings: Upstreams,
  { userId, token }: { userId: string; token: string },
): Promise<void> => {
  await retryOutage(() =>
    call(bookings, internalRoutes.checkPaymentLimit, {
      params: { userId },
      token,
      timeoutMs: 3_000,
    }),
  ).catch((error: unknown) => {
    // Bookings replicas of the previous version have neither the route nor the limit.
    if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
  });
};

/** Retries an idempotent call on 503, to bridge the restart of a replica. */
const retryOutage = <T>(request: () => Promise<T>): Promise<T> => {
  let reply = request();
  for (const delayMs of retryDelaysMs)
    reply = reply.catch(async (error: unknown) => {
      if (!(error instanceof AppError && error.status === 503)) throw error;
      await delay(delayMs);
      return request();
    });
  return reply;
};
