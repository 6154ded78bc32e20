import { setTimeout as delay } from 'node:timers/promises';
import { internalRoutes } from '@lendtools/contracts';
import { AppError, call, type Upstreams } from '@lendtools/service-kit';

const retryDelaysMs = [100, 400];

/**
 * What a hold costs, and until when; the hold is marked as being paid. It may be repeated, and a replica that restarts
 * is back in a moment.
 * @throws AppError bookings' own refusal, such as HOLD_NOT_FOUND; 503 when it does not answer
 */
export const checkOut = async (bookings: Upstreams, holdId: string, token: string) => {
  const ask = () =>
    call(bookings, internalRoutes.checkout, { params: { holdId }, token, timeoutMs: 3_000 });
  let asked = ask();
  for (const delayMs of retryDelaysMs)
    asked = asked.catch(async (error: unknown) => {
      if (!(error instanceof AppError && error.status === 503)) throw error;
      await delay(delayMs);
      return ask();
    });
  const { amount, amountCents = amount, expiresAt, onRequest = false } = await asked;
  return { amountCents, expiresAt, onRequest };
};
