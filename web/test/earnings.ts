import type { EarnedBooking, PayoutMonth, Payouts } from '@lendtools/contracts';
import { ids } from './bookings.ts';

const noMoney = {
  paidCents: 0,
  refundedCents: 0,
  commissionCents: 0,
  writtenOffCents: 0,
  earnedCents: 0,
  onTheWayCents: 0,
  availableCents: 0,
  transferredCents: 0,
  nettedCents: 0,
  outsideStripeCents: 0,
  debtCents: 0,
};

/** A booking of Sam's drill by Rita for $34.00, with a commission of 10 %: $30.60 is on the way. */
export function buildEarned(overrides: Partial<EarnedBooking> = {}): EarnedBooking {
  return {
    ...noMoney,
    bookingId: ids.booking,
    bookingCode: 'LT482913',
    toolName: 'Hammer drill',
    renterName: 'Rita Lopez',
    startDate: '2026-11-02',
    endDate: '2026-11-04',
    paidCents: 3_400,
    commissionCents: 340,
    earnedCents: 3_060,
    onTheWayCents: 3_060,
    waitsFor: 'rental',
    expectedAt: '2099-11-06T17:00:00.000Z',
    transferredAt: null,
    ...overrides,
  };
}

/** Builds the booking of `buildEarned` as it is after its transfer. */
export function buildPaid(overrides: Partial<EarnedBooking> = {}): EarnedBooking {
  return buildEarned({
    onTheWayCents: 0,
    transferredCents: 3_060,
    waitsFor: null,
    expectedAt: null,
    transferredAt: '2026-11-06T17:00:00.000Z',
    ...overrides,
  });
}

export function buildMonth(overrides: Partial<PayoutMonth> = {}): PayoutMonth {
  return {
    month: '2026-11',
    priceCents: 3_400,
    refundedCents: 0,
    commissionCents: 340,
    earnedCents: 3_060,
    writtenOffCents: 0,
    transferredCents: 3_060,
    ...overrides,
  };
}

type Summary = NonNullable<Payouts['summary']>;

/** A reply with the sums of the bookings. */
export function buildPayouts(
  bookings: EarnedBooking[],
  overrides: Partial<Summary> = {},
): Payouts & { summary: Summary } {
  const sums = { ...noMoney };
  for (const name of Object.keys(sums) as (keyof typeof sums)[])
    sums[name] = bookings.reduce((sum, booking) => sum + booking[name], 0);
  return {
    bookings,
    nextCursor: null,
    summary: { ...sums, waiting: [], next: null, months: [], ...overrides },
  };
}
