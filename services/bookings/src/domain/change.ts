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

/** What a booking is to be. */
export interface AskedChange extends AskedPeriod {
  quantity: number;
}

/** What it was, with its price. */
export interface TimesAndPrice extends AskedChange {
  paidCents: number;
}

export interface PricedChange extends RentalPeriod {
  quantity: number;
  discountCents: number;
  totalCents: number;
  /** One of the two is 0: what is to be paid, or goes back. */
  dueCents: number;
  refundCents: number;
  /** Of what it costs less, what stays with the owner. */
  keptCents: number;
  /** The share that a cancellation would refund now, and a change of what it costs less. */
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
 * Other dates or another quantity of a booking, at the price that it was made at. Once it has begun only its end changes,
 * also when that is over and the tool is not back; nothing comes back then, as of a cancellation.
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
    ...{ circle: booking.circle, period: period.period, quantity: asked.quantity },
    discounts: booking.discounts ?? shareOfBefore(booking),
  });
  const differenceCents = price.totalCents - booking.totalCents;
  if (differenceCents > 0 && differenceCents < smallestAmountCents)
    throw differenceTooSmall(differenceCents);
  // As for a purchase. The difference, which a card must be able to pay, is less than the whole.
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

/** A change that costs less refunds its share, as far as that much is left of the payments. */
export const refundOfChange = (
  booking: Pick<Booked, 'totalCents'>,
  { totalCents, percent }: Pick<PricedChange, 'totalCents' | 'percent'>,
  leftCents: number,
): number => Math.min(shareOf(Math.max(0, booking.totalCents - totalCents), percent), leftCents);

/** A booking of before knows no more of its discounts than the one that it had: that stays, whatever its length. */
const shareOfBefore = ({ priceCents, period, quantity, discountCents }: Booked) => {
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
  // A start that stays may have passed.
  const nowMs = keepsStart ? Math.min(+now, +startsAt, found.startsAtMs) : now.getTime();
  const refused = checkPeriod(asked, found, { timeZone, nowMs });
  if (refused) throw periodInvalid(refused.problem, refused.field);
  return {
    ...{ startDate: asked.startDate, startTime: normalTime(asked.startTime) },
    ...{ endDate: asked.endDate, endTime: normalTime(asked.endTime) },
    startsAt: keepsStart ? startsAt : new Date(found.startsAtMs),
    endsAt: new Date(found.endsAtMs),
    period: found.period,
  };
};

type Wanted = Pick<PricedChange, 'startsAt' | 'endsAt' | 'quantity'>;

const isEndOnly = (booking: Pick<Booked, 'startsAt' | 'quantity'>, wanted: Wanted): boolean =>
  +wanted.startsAt === +booking.startsAt && wanted.quantity === booking.quantity;

/**
 * Until when a change can be made: the start and the quantity until the rental starts, or the renter could use the tool, pay
 * for later dates and cancel those; the end alone until the new end.
 */
export const changeableUntil = (
  booking: Pick<Booked, 'startsAt' | 'quantity'>,
  wanted: Wanted,
): Date => (isEndOnly(booking, wanted) ? wanted.endsAt : booking.startsAt);

/** Whether it is too late to make a change, however early it was requested. */
export const isTooLate = (
  booking: Pick<Booked, 'startsAt' | 'quantity'>,
  wanted: Wanted,
  now: Date,
): boolean => changeableUntil(booking, wanted) <= now;

/**
 * A day to answer, at most until the booking or what it is to be begins: then nothing but its end can change any more, which
 * may be answered until that is over.
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

/** @param answerBy null where nobody is asked */
export const previewOf = (
  { totalCents: paidCents, cancellationPolicy: policy }: Booked,
  change: PricedChange,
  answerBy: Date | null,
): ChangePreview => {
  const { totalCents, period, discountCents, dueCents, refundCents, keptCents, percent } = change;
  return {
    ...{ paidCents, totalCents, period, discountCents },
    ...{ dueCents, refundCents, keptCents, policy, percent },
    answerBy: answerBy?.toISOString() ?? null,
  };
};
