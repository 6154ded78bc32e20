import { checkoutReply, type Problem } from '@lendtools/contracts';
import { AppError, currentContext, unavailable } from '@lendtools/service-kit';
import type { z } from 'zod';

export type Checkout = z.infer<typeof checkoutReply>;

export interface BookingsClient {
  /**
   * What a hold costs, and until when; the hold is marked as being paid.
   * @throws AppError bookings' own refusal, such as HOLD_NOT_FOUND; 503 when it does not answer
   */
  checkOut(holdId: string, token: string): Promise<Checkout>;
}

export function createBookingsClient(bookingsUrl: string): BookingsClient {
  return {
    async checkOut(holdId, token) {
      const url = new URL(`/internal/holds/${holdId}/checkout`, bookingsUrl);
      const correlationId = currentContext()?.correlationId;
      const reply = await fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          ...(correlationId && { 'x-request-id': correlationId }),
        },
        signal: AbortSignal.timeout(5_000),
      }).catch(() => {
        throw unavailable();
      });
      if (reply.ok) return checkoutReply.parse(await reply.json());
      if (reply.status >= 500) throw unavailable();
      const { code, detail, errors } = (await reply.json()) as Problem;
      throw new AppError(code, reply.status, detail, { errors });
    },
  };
}
