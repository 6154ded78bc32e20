import { setTimeout as delay } from 'node:timers/promises';
import { checkoutReply, type Problem, type RefusalCode, type StatusOf } from '@lendtools/contracts';
import { AppError, currentContext, type Upstreams, unavailable } from '@lendtools/service-kit';
import type { z } from 'zod';

export type Checkout = z.infer<typeof checkoutReply>;

export interface BookingsClient {
  /**
   * What a hold costs, and until when; the hold is marked as being paid.
   * @throws AppError bookings' own refusal, such as HOLD_NOT_FOUND; 503 when it does not answer
   */
  checkOut(holdId: string, token: string): Promise<Checkout>;
}

const retryDelaysMs = [100, 400];

export const createBookingsClient = (bookings: Upstreams): BookingsClient => {
  const ask = async (holdId: string, token: string): Promise<Response | null> => {
    const correlationId = currentContext()?.correlationId;
    const path = `/internal/holds/${holdId}/checkout`;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(correlationId && { 'x-request-id': correlationId }),
    };
    const signal = AbortSignal.timeout(3_000);
    const reply = await bookings.fetch(path, { method: 'POST', headers, signal }).catch(() => null);
    return reply && reply.status < 500 ? reply : null;
  };

  return {
    async checkOut(holdId, token) {
      let reply = await ask(holdId, token);
      // A checkout may be repeated, and a replica that restarts is back in a moment.
      for (const delayMs of retryDelaysMs) {
        if (reply) break;
        await delay(delayMs);
        reply = await ask(holdId, token);
      }
      if (!reply) throw unavailable();
      if (reply.ok) return checkoutReply.parse(await reply.json());
      const { code, detail, errors } = (await reply.json()) as Problem & { code: RefusalCode };
      throw new AppError(code, reply.status as StatusOf<RefusalCode>, detail, { errors });
    },
  };
};
