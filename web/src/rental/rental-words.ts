import { laterDay } from '@lendtools/contracts/local-time';
import { timeInWords } from '@lendtools/contracts/rental-period';
import type { BookingTimes } from './booking-price.ts';
import { formatDay, localDay } from './format.ts';

/** For so many days a weekday needs no date. */
const weekdaysAhead = 6;

/**
 * Writes when a rental lasts: `Sat 9:00 AM to Sun 6:00 PM`, or with dates if it ends in more than six days. The times may
 * be empty.
 */
export function rentalInWords(rental: BookingTimes, today = localDay()): string {
  const { start_date, start_time, end_date, end_time } = rental;
  const isSoon = start_date >= today && end_date <= laterDay(today, weekdaysAhead);
  const moment = (date: string, time: string) => {
    const day = isSoon ? formatDay(date).slice(0, 3) : formatDay(date);
    return [day, timeInWords(time)].filter(Boolean).join(isSoon ? ' ' : ', ');
  };
  const start = moment(start_date, start_time);
  if (start_date !== end_date) return `${start} to ${moment(end_date, end_time)}`;
  return end_time ? `${start} to ${timeInWords(end_time)}` : start;
}
