import type { ChangePreview, Terms } from '@lendtools/contracts';
import { type CancellationPolicy, shareOf } from '@lendtools/contracts/cancellation';
import { dayMs } from '@lendtools/contracts/local-time';
import {
  type Circle,
  checkPeriod,
  normalTime,
  type RequestedPeriod,
  readPeriod,
} from '@lendtools/contracts/rental-period';
import { rentalPrice } from '@lendtools/contracts/rental-price';
import { answerByOf } from './approval.ts';
import { type BookingStatus, percentNow, transit } from './booking.ts';
import {
  bookingHasBegun,
  changeTooLarge,
  differenceTooSmall,
  nothingChanged,
  periodInvalid,
} from './errors.ts';
import type { RentalPeriod } from './period.ts';
import { largestAmountCents, smallestAmountCents } from './price.ts';

export interface WantedRental extends RequestedPeriod {
  quantity: number;
}

export interface TimesAndPrice extends WantedRental {
  totalCents: number;
}

export interface PricedChange extends RentalPeriod {
  quantity: number;
  discountCents: number;
  totalCents: number;
  /** `dueCents` is to be paid, `refundCents` is to be refunded. At least one of them is 0. */
  dueCents: number;
  refundCents: number;
  /** The part of a price reduction that stays with the owner. */
  keptCents: number;
  /** The percentage that a cancellation would refund now. A change refunds the same percentage of a price reduction. */
  percent: number;
}

interface BookedRental extends RentalPeriod {
  status: BookingStatus;
  userId: string;
  ownerId: string;
  circle: Circle;
  timeZone: string;
  bookedAt: Date | null;
  quantity: number;
  priceCents: number;
  discountCents: number;
  totalCents: number;
  discounts: NonNullable<Terms['discounts']>;
  cancellationPolicy: CancellationPolicy | null;
  mostPercent: number;
}

/**
 * Prices a change at the tool's price when it was booked. After the start, only the end can change and nothing is
 * refunded.
 * @throws AppError BOOKING_NOT_ACTIVE, BOOKING_STARTED, PERIOD_INVALID, AMOUNT_INVALID
 */
export const priceChange = (
  booking: BookedRental,
  wanted: WantedRental,
  { now, leftCents }: { now: Date; leftCents: number },
): PricedChange => {
  transit(booking.status, 'change', 'renter');
  const period = periodOf(booking, wanted, now);
  const isSame = +period.startsAt === +booking.startsAt && +period.endsAt === +booking.endsAt;
  if (isSame && wanted.quantity === booking.quantity) throw nothingChanged();
  const price = rentalPrice(booking.priceCents, {
    circle: booking.circle,
    period: period.period,
    quantity: wanted.quantity,
    discounts: booking.discounts,
  });
  const differenceCents = price.totalCents - booking.totalCents;
  if (differenceCents > 0 && differenceCents < smallestAmountCents)
    throw differenceTooSmall(differenceCents);
  // Compare the whole price, not only the difference, with the largest amount of a purchase.
  if (differenceCents > 0 && price.totalCents > largestAmountCents)
    throw changeTooLarge(wanted.quantity > booking.quantity ? 'quantity' : 'end_date');
  const percent = percentNow(booking, now);
  const lessCents = Math.max(0, -differenceCents);
  const refundCents = refundOfChange(booking, { ...price, percent }, leftCents);
  return {
    ...period,
    quantity: wanted.quantity,
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
  booking: Pick<BookedRental, 'totalCents'>,
  { totalCents, percent }: Pick<PricedChange, 'totalCents' | 'percent'>,
  leftCents: number,
): number => Math.min(shareOf(Math.max(0, booking.totalCents - totalCents), percent), leftCents);

const periodOf = (booking: BookedRental, wanted: WantedRental, now: Date): RentalPeriod => {
  const { circle, timeZone, startsAt } = booking;
  const found = readPeriod(wanted, { circle, timeZone });
  if ('problem' in found) throw periodInvalid(found.problem, found.field);
  const keepsStart =
    wanted.startDate === booking.startDate && normalTime(wanted.startTime) === booking.startTime;
  if (startsAt <= now && !(keepsStart && wanted.quantity === booking.quantity))
    throw bookingHasBegun();
  if (found.endsAtMs <= now.getTime())
    throw periodInvalid('The returning time has already passed.', 'end_time');
  // Accept a start in the past if the change keeps it.
  const nowMs = keepsStart ? Math.min(+now, +startsAt, found.startsAtMs) : now.getTime();
  const invalid = checkPeriod(wanted, found, { timeZone, nowMs });
  if (invalid) throw periodInvalid(invalid.problem, invalid.field);
  return {
    startDate: wanted.startDate,
    startTime: normalTime(wanted.startTime),
    endDate: wanted.endDate,
    endTime: normalTime(wanted.endTime),
    startsAt: keepsStart ? startsAt : new Date(found.startsAtMs),
    endsAt: new Date(found.endsAtMs),
    period: found.period,
  };
};

type Wanted = Pick<PricedChange, 'startsAt' | 'endsAt' | 'quantity'>;

const isEndOnly = (booking: Pick<BookedRental, 'startsAt' | 'quantity'>, wanted: Wanted): boolean =>
  +wanted.startsAt === +booking.startsAt && wanted.quantity === booking.quantity;

/**
 * The deadline of a change: the start or, if only the end changes, the new end. With a later deadline, a renter could
 * use the tool, then move the dates into the future and cancel.
 */
export const changeableUntil = (
  booking: Pick<BookedRental, 'startsAt' | 'quantity'>,
  wanted: Wanted,
): Date => (isEndOnly(booking, wanted) ? wanted.endsAt : booking.startsAt);

export const isTooLate = (
  booking: Pick<BookedRental, 'startsAt' | 'quantity'>,
  wanted: Wanted,
  now: Date,
): boolean => changeableUntil(booking, wanted) <= now;

/** The owner's deadline: in a day or, if earlier, at the old or new start (in a started rental, at the new end). */
export const answerByOfChange = (
  booking: BookedRental,
  change: RentalPeriod & { quantity: number },
  { terms, now }: { terms: Terms | null; now: Date },
): Date => {
  const { startsAt } = booking;
  if (startsAt <= now && isEndOnly(booking, change))
    return new Date(Math.min(+now + dayMs, +change.endsAt));
  const answerBy = answerByOf({ ...booking, ...change }, terms, now);
  return new Date(Math.min(+answerBy, +startsAt));
};

/** @param answerBy the owner's deadline; null if the change does not need the owner's acceptance */
export const previewOf = (
  { totalCents: totalBeforeCents, cancellationPolicy: policy }: BookedRental,
  change: PricedChange,
  answerBy: Date | null,
): ChangePreview => {
  const { totalCents, period, discountCents, dueCents, refundCents, keptCents, percent } = change;
  return {
    totalBeforeCents,
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
