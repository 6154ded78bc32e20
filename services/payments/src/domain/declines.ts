import { scaled } from '@lendtools/service-kit';
import type { PaymentState } from './payment.ts';

/** A payment ends after this many declines: card testing needs many, but a person's own cards rarely reach four. */
export const maxDeclinesOfPayment = 5;

export const hasEndedByDeclines = (payment: { state: PaymentState; declines: number }): boolean => {
  const { status } = payment.state;
  const isUnpaid = status === 'pending' || status === 'failed' || status === 'canceled';
  return isUnpaid && payment.declines >= maxDeclinesOfPayment;
};

/** How many declines within 24 hours prevent new payments. */
interface DeclineLimits {
  person: number;
  /**
   * For an IPv4 address or an IPv6 /64; wider networks get a multiple (`networksOf`). Ten times a person's limit, because an office
   * or a carrier's NAT has many payers: if one attempt in ten is declined, 150 declines are 1,500 attempts a day.
   */
  network: number;
}

export const declineLimits = (factor: number): DeclineLimits => ({
  person: scaled(15, factor),
  network: scaled(150, factor),
});
