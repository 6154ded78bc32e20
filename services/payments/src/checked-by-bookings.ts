import { type Event, type EventType, internalRoutes } from '@lendtools/contracts';
import type { Consumer } from '@lendtools/event-bus';
import { call } from '@lendtools/service-kit';
import type { Deps } from './deps.ts';
import { refusedRefundCount } from './payment-metrics.ts';

interface Claim {
  bookingId: string | null;
  grantId?: string;
  refunds: { paymentId: string; refundCents: number }[];
}

/**
 * Wraps a consumer of events that order refunds: it runs only if bookings confirms each refund, because a process with access
 * to the broker could forge an event but cannot write to bookings' database. While bookings is unavailable, the event waits.
 */
export const checkedByBookings = <T extends EventType>(
  deps: Deps,
  claimOf: (event: Event<T>) => Claim,
  consumer: Consumer,
): Consumer => ({
  queue: consumer.queue,
  async handle(event) {
    await check(deps, claimOf(event as Event<T>));
    await consumer.handle(event);
  },
});

/** @throws Error when bookings does not owe the refund; AppError 503 while bookings is unavailable */
const check = async ({ bookings, config, logger }: Deps, claim: Claim): Promise<void> => {
  const { bookingId, grantId = null, refunds } = claim;
  for (const { paymentId, refundCents } of refunds) {
    const owed = await call(bookings, internalRoutes.refundsOfPayment, {
      params: { paymentId },
      token: config.INTERNAL_SECRET[0],
      timeoutMs: 3_000,
    });
    const isOwed = owed.refunds.some(
      (refund) =>
        refund.bookingId === bookingId &&
        (refund.grantId ?? null) === grantId &&
        refund.refundCents === refundCents,
    );
    if (isOwed) continue;
    refusedRefundCount.inc();
    logger.error({ paymentId, bookingId, refundCents }, 'bookings does not owe this refund');
    throw new Error(
      `Bookings does not owe a refund of ${refundCents} cents of payment ${paymentId}`,
    );
  }
};
