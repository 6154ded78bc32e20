import type { ChangePreview, Terms } from '@lendtools/contracts';
import { shareOf } from '@lendtools/contracts/cancellation';
import { dayMs } from '@lendtools/contracts/local-time';
import {
  type AskedPeriod,
  checkPeriod,
  normalTime,
  readPeriod,
} from '@lendtools/contracts/rental-period';
import { rentalPrice } from '@lendtools/contracts/rental-price';
import type { BookingRow } from '../booking-repository.ts';
import {
  bookingHasBegun,
  changeTooLarge,
  differenceTooSmall,
  nothingChanged,
  periodInvalid,
} from '../errors.ts';
import { answerByOf, percentNow, transit } from './booking.ts';
import type { RentalPeriod } from './period.ts';
import { largestAmountCents, smallestAmountCents } from './price.ts';

export interface AskedChange extends AskedPeriod {
  quantity: number;
}

export interface TimesAndPrice extends AskedChange {
  paidCents: number;
}

export interface PricedChange extends RentalPeriod {
  quantity: number;
  discountCents: number;
  totalCents: number;
  /** What is to be paid, and what is refunded; at least one of the two is 0. */
  dueCents: number;
  refundCents: number;
  /** The part of a price reduction that stays with the owner. */
  keptCents: number;
  /** The percentage that a cancellation would refund now. A change refunds the same percentage of a price reduction. */
  percent: number;
}

type Booked = Pick<
  BookingRow,
  | 'status'
  | 'circle'
  | 'timeZone'
  | 'startDate'
  | 'startTime'
  | 'endDate'
  | 'endTime'
  | 'startsAt'
  | 'endsAt'
  | 'bookedAt'
  | 'quantity'
  | 'period'
  | 'priceCents'
  | 'discountCents'
  | 'totalCents'
  | 'discounts'
  | 'cancellationPolicy'
  | 'mostPercent'
  | 'userId'
  | 'ownerId'
>;

/**
 * Prices other dates or another quantity at the tool price that the booking was made at. Once the rental has started
 * only its end can change, even after that end if the tool is not back. A started rental refunds nothing, as with a
 * cancellation.
 * @throws AppError BOOKING_NOT_ACTIVE, BOOKING_STARTED, PERIOD_INVALID, AMOUNT_INVALID
 */
export const priceChange = (
  booking: Booked,
  asked: AskedChange,
  { now, leftCents }: { now: Date; leftCents: number },
): PricedChange => {
  transit(booking.status, 'change', 'renter');
  const period = periodOf(booking, asked, now);
  const isSame = +period.startsAt === +booking.startsAt && +period.endsAt === +booking.endsAt;
  if (isSame && asked.quantity === booking.quantity) throw nothingChanged();
  const price = rentalPrice(booking.priceCents, {
    circle: booking.circle,
    period: period.period,
    quantity: asked.quantity,
    discounts: booking.discounts ?? storedDiscount(booking),
  });
  const differenceCents = price.totalCents - booking.totalCents;
  if (differenceCents > 0 && differenceCents < smallestAmountCents)
    throw differenceTooSmall(differenceCents);
  // The same limit as for a purchase, applied to the whole price and not only to the difference.
  if (differenceCents > 0 && price.totalCents > largestAmountCents)
    throw changeTooLarge(asked.quantity > booking.quantity ? 'quantity' : 'end_date');
  const percent = percentNow(booking, now);
  const lessCents = Math.max(0, -differenceCents);
  const refundCents = refundOfChange(booking, { ...price, percent }, leftCents);
  return {
    ...period,
    quantity: asked.quantity,
    discountCents: price.discountCents,
    totalCents: price.totalCents,
    dueCents: Math.max(0, differenceCents),
    refundCents,
    keptCents: lessCents - shareOf(lessCents, percent),
    percent,
  };
};

/** The refund of a change that costs less: the policy's share of the reduction, at most what is left of the payments. */
export const refundOfChange = (
  booking: Pick<Booked, 'totalCents'>,
  { totalCents, percent }: Pick<PricedChange, 'totalCents' | 'percent'>,
  leftCents: number,
): number => Math.min(shareOf(Math.max(0, booking.totalCents - totalCents), percent), leftCents);

/** Bookings older than `discounts` store only the discount they got. It applies to any length. */
const storedDiscount = ({ priceCents, period, quantity, discountCents }: Booked) => {
  const percent = Math.round((discountCents * 100) / (priceCents * period * quantity));
  return discountCents > 0 ? [{ days: 0, percent }] : [];
};

const periodOf = (booking: Booked, asked: AskedChange, now: Date): RentalPeriod => {
  const { circle, timeZone, startsAt } = booking;
  const found = readPeriod(asked, { circle, timeZone });
  if ('problem' in found) throw periodInvalid(found.problem, found.field);
  const keepsStart =
    asked.startDate === booking.startDate && normalTime(asked.startTime) === booking.startTime;
  if (startsAt <= now && !(keepsStart && asked.quantity === booking.quantity))
    throw bookingHasBegun();
  if (found.endsAtMs <= now.getTime())
    throw periodInvalid('The returning time has already passed.', 'end_time');
  // An unchanged start may lie in the past.
  const nowMs = keepsStart ? Math.min(+now, +startsAt, found.startsAtMs) : now.getTime();
  const refused = checkPeriod(asked, found, { timeZone, nowMs });
  if (refused) throw periodInvalid(refused.problem, refused.field);
  return {
    startDate: asked.startDate,
    startTime: normalTime(asked.startTime),
    endDate: asked.endDate,
    endTime: normalTime(asked.endTime),
    startsAt: keepsStart ? startsAt : new Date(found.startsAtMs),
    endsAt: new Date(found.endsAtMs),
    period: found.period,
  };
};

type Wanted = Pick<PricedChange, 'startsAt' | 'endsAt' | 'quantity'>;

const isEndOnly = (booking: Pick<Booked, 'startsAt' | 'quantity'>, wanted: Wanted): boolean =>
  +wanted.startsAt === +booking.startsAt && wanted.quantity === booking.quantity;

/**
 * The deadline of a change. The end alone can change until the new end. Start and quantity can change until the rental
 * starts: otherwise the renter could use the tool, move the booking to later dates and cancel it.
 */
export const changeableUntil = (
  booking: Pick<Booked, 'startsAt' | 'quantity'>,
  wanted: Wanted,
): Date => (isEndOnly(booking, wanted) ? wanted.endsAt : booking.startsAt);

/** Whether it is too late to make a change, even if it was requested in time. */
export const isTooLate = (
  booking: Pick<Booked, 'startsAt' | 'quantity'>,
  wanted: Wanted,
  now: Date,
): boolean => changeableUntil(booking, wanted) <= now;

/**
 * The owner's deadline to answer a change request: a day, at most until the booking or the changed rental starts. Once
 * the booking has started, only its end can change, and the deadline is at most the new end.
 */
export const answerByOfChange = (
  booking: Booked,
  change: RentalPeriod & { quantity: number },
  { terms, now }: { terms: Terms | null; now: Date },
): Date => {
  const { startsAt } = booking;
  if (startsAt <= now && isEndOnly(booking, change))
    return new Date(Math.min(+now + dayMs, +change.endsAt));
  const answerBy = answerByOf({ ...booking, ...change }, terms, now);
  return new Date(Math.min(+answerBy, +startsAt));
};

/** @param answerBy null if the change needs no acceptance by the owner */
export const previewOf = (
  { totalCents: paidCents, cancellationPolicy: policy }: Booked,
  change: PricedChange,
  answerBy: Date | null,
): ChangePreview => {
  const { totalCents, period, discountCents, dueCents, refundCents, keptCents, percent } = change;
  return {
    paidCents,
    totalCents,
    period,
    discountCents,
    dueCents,
    refundCents,
    keptCents,
    policy,
    percent,
    answerBy: answerBy?.toISOString() ?? null,
  };
};
