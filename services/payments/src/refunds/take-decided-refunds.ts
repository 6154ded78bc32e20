import { type Event, internalRoutes, type QueueName, type RefundOwed } from '@lendtools/contracts';
import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import { call, schedule } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { unowedRefundCount } from '../store/payment-metrics.ts';

type Decided = Event<
  'BookingRejected' | 'BookingCancelled' | 'BookingChanged' | 'BookingRefundGranted'
>;
type NamedRefund = Pick<RefundOwed, 'paymentId' | 'refundCents'>;

/**
 * Lets the ledger read the refunds that an event announces. A process with access to the broker could forge an event, but can't
 * write to the database of bookings. While bookings is unavailable, the event waits.
 */
export const takeDecidedRefunds = (
  deps: Deps,
  queue: Extract<QueueName, `payments.refund-when-${string}`>,
): Consumer => ({
  queue,
  async handle(event) {
    const named = namedRefunds(event as Decided);
    await confirmRefunds(deps, named);
    const consumer = subscribeOnce(queue, deps.pool, async (_event, tx) => {
      for (const { paymentId } of named) await schedule(tx, 'follow-ledger', paymentId);
    });
    await consumer.handle(event);
  },
});

const namedRefunds = ({ type, data }: Decided): NamedRefund[] =>
  type === 'BookingRejected' ? [data] : data.refunds;

/** @throws Error if bookings does not owe one of the named refunds; AppError 503 while it is unavailable */
const confirmRefunds = async (deps: Deps, named: NamedRefund[]): Promise<void> => {
  for (const { paymentId, refundCents } of named) {
    const { refunds } = await call(deps.bookings, internalRoutes.refundsOfPayment, {
      params: { paymentId },
      token: deps.config.INTERNAL_SECRET[0],
      timeoutMs: 3_000,
    });
    if (!refunds.some((refund) => refund.refundCents === refundCents))
      rejectUnowed(deps, { paymentId, refundCents });
  }
};

const rejectUnowed = ({ logger }: Deps, { paymentId, refundCents }: NamedRefund): never => {
  unowedRefundCount.inc();
  logger.error({ paymentId, refundCents }, 'bookings does not owe this refund');
  throw new Error(`Bookings does not owe a refund of ${refundCents} cents of payment ${paymentId}`);
};
