import { scaled } from '@lendtools/service-kit';

/**
 * A payment ends after this many declined cards and failed authentications. Card testing needs many attempts; a person whose own
 * cards are declined rarely makes more than three.
 */
export const maxDeclinesOfPayment = 5;

/** Declines within 24 hours after which no new payment starts. */
interface DeclineLimits {
  person: number;
  /**
   * For an IPv4 address or an IPv6 /64; wider networks get a multiple (`networksOf`). It is ten times a person's limit,
   * because an office or a carrier's NAT has many payers: if one attempt in ten is declined, 150 declines are 1,500
   * attempts a day.
   */
  network: number;
}

export const declineLimits = (factor: number): DeclineLimits => ({
  person: scaled(15, factor),
  network: scaled(150, factor),
});
