import { type Event, type EventType, internalRoutes } from '@lendtools/contracts';
import type { Consumer } from '@lendtools/event-bus';
import { call } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { unowedRefundCount } from '../store/payment-metrics.ts';

interface OrderedRefunds {
  bookingId: string | null;
  grantId?: string;
  refunds: { paymentId: string; refundCents: number }[];
}

/**
 * Runs a consumer only if the bookings service confirms each refund: a process with access to the broker could forge an
 * event, but can't write to that service's database. While the service is unavailable, the event waits.
 */
export const verifyRefunds = <T extends EventType>(
  deps: Deps,
  orderedBy: (event: Event<T>) => OrderedRefunds,
  consumer: Consumer,
): Consumer => ({
  queue: consumer.queue,
  async handle(event) {
    await verify(deps, orderedBy(event as Event<T>));
    await consumer.handle(event);
  },
});

/** @throws Error when the bookings service does not owe the refund; AppError 503 while it is unavailable */
const verify = async (
  { bookings, config, logger }: Deps,
  ordered: OrderedRefunds,
): Promise<void> => {
  const { bookingId, grantId = null, refunds } = ordered;
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
    unowedRefundCount.inc();
    logger.error({ paymentId, bookingId, refundCents }, 'bookings does not owe this refund');
    throw new Error(
      `Bookings does not owe a refund of ${refundCents} cents of payment ${paymentId}`,
    );
  }
};
