import type { EventData } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import type { Payment, PaymentEvent } from '../domain/payment.ts';
import type { StoredPayment } from './payment-repository.ts';

export type RefundFields = Omit<
  EventData<'PaymentRefunded'>,
  'paymentId' | 'userId' | 'holdId' | 'refundCents'
>;

export const eventOf = (payment: StoredPayment, decided: PaymentEvent, refund?: RefundFields) => {
  const { id: paymentId, userId, holdId, version } = payment;
  const aggregate = { id: paymentId, version };
  const shared = { paymentId, userId, holdId };
  switch (decided.type) {
    case 'PaymentSucceeded':
      return newEvent(decided.type, aggregate, succeededData(payment));
    case 'PaymentFailed': {
      const { type, ...details } = decided;
      return newEvent(type, aggregate, { ...shared, ...details });
    }
    case 'PaymentRefundedAtStripe': {
      const { type, ...details } = decided;
      return newEvent(type, aggregate, { ...shared, ...details, ...publishedSums(payment) });
    }
    case 'PaymentDisputed': {
      const { type, ...details } = decided;
      return newEvent(type, aggregate, { ...shared, ...details, ...publishedSums(payment) });
    }
    case 'PaymentRefunded': {
      const { type, refundCents } = decided;
      if (!refund) throw new Error(`The event of payment ${paymentId} needs its refund's fields`);
      return newEvent(type, aggregate, { ...shared, ...refund, refundCents });
    }
  }
};

/** The cents of a payment that can no longer be refunded, as of its version. */
export const publishedSums = ({ id, state }: Payment) => {
  if (!('refundedCents' in state)) throw new Error(`Payment ${id} has not succeeded`);
  const { outsideCents, heldCents, lostCents, dispute } = state;
  return { outsideCents, disputedCents: heldCents + lostCents, heldCents, dispute };
};

export const succeededData = (payment: StoredPayment): EventData<'PaymentSucceeded'> => {
  const { id, userId, holdId, amountCents, intentId, state } = payment;
  if (!('succeededAt' in state) || !intentId) throw new Error(`Payment ${id} has not succeeded`);
  return {
    paymentId: id,
    userId,
    holdId,
    amountCents,
    currency: 'usd',
    paymentIntentId: intentId,
    succeededAt: state.succeededAt.toISOString(),
  };
};
