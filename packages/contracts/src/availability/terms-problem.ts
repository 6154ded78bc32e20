import type { Terms } from '../api/terms.ts';
import type { Rules, TermsProblem, Wanted } from '../availability.ts';
import { weekdayName, weekdayOf } from '../local-time.ts';
import { type Circle, type RequestedPeriod, readTime, timeInWords } from '../rental-period.ts';
import { newPartsOf, type Units } from './free-units.ts';
import { nextDay } from './local-days.ts';
import { hoursOn, noticeHoursOf, type OpeningHours } from './opening-hours.ts';

interface Calendar {
  rules: Pick<Rules, 'circle' | 'terms'>;
  hours: OpeningHours;
  units: Units;
  /** The rental that is being changed. */
  had: Wanted | undefined;
}

/** Why the rental is rejected; undefined if it is allowed. */
export const findTermsProblem = (
  wanted: Wanted,
  { rules: { circle, terms }, hours, units, had }: Calendar,
): TermsProblem | undefined => {
  const { startDate, startTime, endTime, quantity } = wanted;
  const endDate = returnDate(wanted, circle);
  const span = { fromMs: wanted.startsAtMs, toMs: wanted.endsAtMs };
  const free = units.freeUnits(span).length;
  const isNoMore = had !== undefined && quantity <= had.quantity;
  const keepsStart = had?.startsAtMs === wanted.startsAtMs;
  const keepsEnd = had?.endsAtMs === wanted.endsAtMs;
  // For an hourly rental within one day, report the problem at the fields for the times, not for the dates.
  const isHours = circle === 'hourly' && startDate === endDate;
  const [from, until] = isHours
    ? (['start_time', 'end_time'] as const)
    : (['start_date', 'end_date'] as const);

  if (!keepsStart && hours.isTooSoon(startDate, startTime)) {
    const field = hours.isTooSoon(startDate, '') ? 'start_date' : from;
    return { why: 'too-soon', field, problem: soonWords(terms), free };
  }
  if (units.isBlocked(span, isNoMore))
    return { why: 'blocked', field: 'start_date', problem: blockedWords, free: 0 };
  if (!keepsStart && !hours.isOpen(startDate, startTime)) {
    const field = startTime ? 'start_time' : 'start_date';
    return { why: 'closed', field, problem: closedWords(terms, startDate, 'picked up'), free };
  }
  if (!keepsEnd && !hours.isOpen(endDate, endTime || startTime)) {
    const field = endTime ? 'end_time' : 'end_date';
    return { why: 'closed', field, problem: closedWords(terms, endDate, 'brought back'), free };
  }
  const length = lengthProblem(wanted.period, { circle, terms }, had?.period);
  if (length) return { ...length, field: until, free };
  if (free >= quantity || (isNoMore && newPartsOf(span, had).length === 0)) return undefined;
  const why = units.whyTaken(span, quantity);
  return { why, field: from, problem: takenWords(free, isHours), free };
};

/** If both dates and both times are the same, a daily rental lasts that whole day and ends on the next date. */
const returnDate = (
  { startDate, startTime, endDate, endTime }: RequestedPeriod,
  circle: Circle,
) => {
  const isOneTime = startTime !== '' && readTime(endTime || startTime) === readTime(startTime);
  return circle === 'daily' && startDate === endDate && isOneTime ? nextDay(endDate) : endDate;
};

/** A change may keep a length that the owner no longer allows. @param before the length before the change */
const lengthProblem = (
  period: number,
  { circle, terms }: Calendar['rules'],
  before: number | undefined,
): { why: 'too-short' | 'too-long'; problem: string } | undefined => {
  const { shortest = 0, longest = Number.POSITIVE_INFINITY } = terms ?? {};
  if (period < Math.min(shortest, before ?? shortest)) {
    const problem = `It is rented for at least ${counted(shortest, circle)}.`;
    return { why: 'too-short', problem };
  }
  if (period > Math.max(longest, before ?? longest)) {
    const problem = `It is rented for at most ${counted(longest, circle)}.`;
    return { why: 'too-long', problem };
  }
  return undefined;
};

const counted = (count: number, circle: Circle): string =>
  `${count} ${circle === 'hourly' ? 'hour' : 'day'}${count === 1 ? '' : 's'}`;

const blockedWords = 'The owner does not lend it on some of these days. Please choose others.';

const takenWords = (free: number, isHours: boolean): string => {
  if (free > 0)
    return `Only ${free} ${free === 1 ? 'is' : 'are'} free ${isHours ? 'at this time' : 'for these dates'}.`;
  return isHours
    ? 'Somebody else has it during this time. Please choose another.'
    : 'Somebody else has it on some of these dates. Please choose others.';
};

const soonWords = (terms: Terms | null): string => {
  const hours = noticeHoursOf(terms);
  return hours > 0
    ? `The owner needs ${counted(hours, 'hourly')} of notice. Please choose a later start.`
    : 'The start date has already passed.';
};

const closedWords = (terms: Terms | null, date: string, what: string): string => {
  const hours = hoursOn(terms, date);
  const weekday = weekdayOf(date);
  const days = `${weekdayName(weekday)}s`;
  return hours
    ? `On ${days} it can be ${what} from ${timeInWords(hours.from)} to ${timeInWords(hours.to)}.`
    : `It can’t be ${what} on ${days}.`;
};
