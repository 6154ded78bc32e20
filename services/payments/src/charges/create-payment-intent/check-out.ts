import { setTimeout as delay } from 'node:timers/promises';
import { internalRoutes } from '@lendtools/contracts';
import { AppError, call, type Upstreams } from '@lendtools/service-kit';

const retryDelaysMs = [100, 400];

/**
 * Reads a hold's price and expiry from the bookings service, which marks the hold as being paid.
 * @throws AppError the error that the bookings service returns, such as HOLD_NOT_FOUND; 503 when it is unavailable
 */
export const checkOut = async (bookings: Upstreams, holdId: string, token: string) => {
  const reply = await retryOutage(() =>
    call(bookings, internalRoutes.checkout, { params: { holdId }, token, timeoutMs: 3_000 }),
  );
  const { amountCents, expiresAt, onRequest, otherHoldIds = [] } = reply;
  return { amountCents, expiresAt, onRequest, otherHoldIds };
};

/**
 * Checks the limit on refunded payments. Fails while the bookings service is unavailable, as no payment could be used then.
 * @throws AppError TOO_MANY_REQUESTS if many of the user's payments were refunded; 503 when the service is unavailable
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
  );
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
