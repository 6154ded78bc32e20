import { setTimeout as delay } from 'node:timers/promises';
import { internalRoutes } from '@lendtools/contracts';
import { AppError, call, type Upstreams } from '@lendtools/service-kit';

const retryDelaysMs = [100, 400];

/**
 * What a hold costs, and until when; the hold is marked as being paid.
 * @throws AppError bookings' own refusal, such as HOLD_NOT_FOUND; 503 when it does not answer
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
 * Checks that a user may start a payment without a hold. Without an answer there is no payment: bookings would be needed a moment
 * later to book with it.
 * @throws AppError TOO_MANY_REQUESTS if many of the user's payments were refunded; 503 when bookings does not answer
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
    // A replica of the previous version does not have the route, and has no limit.
    if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
  });
};

/** Repeats a call that may be repeated: a replica that restarts is back in a moment. */
const retryOutage = <T>(ask: () => Promise<T>): Promise<T> => {
  let asked = ask();
  for (const delayMs of retryDelaysMs)
    asked = asked.catch(async (error: unknown) => {
      if (!(error instanceof AppError && error.status === 503)) throw error;
      await delay(delayMs);
      return ask();
    });
  return asked;
};
