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
 * A consumer of events that ask for money, which runs only for what bookings itself says it has decided: whoever can
 * publish could write such an event, but not into bookings' database. While bookings can't be asked, the event waits.
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

/** @throws Error when bookings knows of no such refund; AppError 503 while it can't say */
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
    logger.error({ paymentId, bookingId, refundCents }, 'bookings knows of no such refund');
    throw new Error(`Bookings owes no ${refundCents} cents of payment ${paymentId}`);
  }
};
