import { setTimeout as delay } from 'node:timers/promises';
import {
  checkoutReply,
  type Problem,
  type RefundOwed,
  type RefusalCode,
  refundsOfPaymentReply,
  refundsOwedReply,
  type StatusOf,
} from '@lendtools/contracts';
import {
  AppError,
  currentContext,
  type ListPage,
  type Upstreams,
  unavailable,
} from '@lendtools/service-kit';
import type { z } from 'zod';

export type Checkout = z.infer<typeof checkoutReply>;

export interface BookingsClient {
  /**
   * What a hold costs, and until when; the hold is marked as being paid.
   * @throws AppError bookings' own refusal, such as HOLD_NOT_FOUND; 503 when it does not answer
   */
  checkOut(holdId: string, token: string): Promise<Checkout>;
  /** What is to go back of a payment, asked in nobody's name. @throws AppError 503 when bookings can't say */
  refundsOf(paymentId: string): Promise<RefundOwed[]>;
  /** A page of all that is to go back. @throws AppError 503 when bookings can't say */
  refundsOwed(page: { since: string; cursor: string | null }): Promise<ListPage<RefundOwed>>;
}

const retryDelaysMs = [100, 400];

export const createBookingsClient = (bookings: Upstreams, secret: string): BookingsClient => {
  const ask = async (
    method: 'GET' | 'POST',
    path: string,
    token: string,
  ): Promise<Response | null> => {
    const correlationId = currentContext()?.correlationId;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(correlationId && { 'x-request-id': correlationId }),
    };
    const signal = AbortSignal.timeout(3_000);
    const reply = await bookings.fetch(path, { method, headers, signal }).catch(() => null);
    return reply && reply.status < 500 ? reply : null;
  };

  /** A refusal is an outage, too: a version of bookings without the route, or a secret that differs, must lose nothing. */
  const askForUs = async (path: string): Promise<unknown> => {
    const reply = await ask('GET', path, secret);
    if (!reply?.ok) throw unavailable(`Bookings answered ${reply?.status ?? 'nothing'} at ${path}`);
    return reply.json();
  };

  return {
    async checkOut(holdId, token) {
      const path = `/internal/holds/${holdId}/checkout`;
      let reply = await ask('POST', path, token);
      // A checkout may be repeated, and a replica that restarts is back in a moment.
      for (const delayMs of retryDelaysMs) {
        if (reply) break;
        await delay(delayMs);
        reply = await ask('POST', path, token);
      }
      if (!reply) throw unavailable();
      if (reply.ok) return checkoutReply.parse(await reply.json());
      const { code, detail, errors } = (await reply.json()) as Problem & { code: RefusalCode };
      throw new AppError(code, reply.status as StatusOf<RefusalCode>, detail, { errors });
    },

    async refundsOf(paymentId) {
      const reply = await askForUs(`/internal/payments/${paymentId}/refunds`);
      return refundsOfPaymentReply.parse(reply).refunds;
    },

    async refundsOwed({ since, cursor }) {
      const query = new URLSearchParams({ since, ...(cursor && { cursor }) });
      return refundsOwedReply.parse(await askForUs(`/internal/refunds?${query}`));
    },
  };
};
