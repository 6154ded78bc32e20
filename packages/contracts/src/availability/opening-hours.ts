import type { Terms } from '../api/terms.ts';
import type { Span } from '../availability.ts';
import { weekdayOf } from '../local-time.ts';
import { hourMs, readTime } from '../rental-period.ts';
import type { LocalDays } from './local-days.ts';

/** Undefined if the tool is open all day, null if it is closed. */
export const hoursOn = (terms: Terms | null, date: string) => terms?.hours?.[weekdayOf(date)];

/** If the owner has to accept requests, the notice is at least an hour, so that there is time to answer. */
export const noticeHoursOf = (terms: Terms | null): number =>
  Math.max(terms?.noticeHours ?? 0, terms?.booking === 'request' ? 1 : 0);

/** Milliseconds since the start of the day. */
const clockMs = (clock: string): number => readTime(clock) ?? 0;

export type OpeningHours = ReturnType<typeof openingHoursOf>;

/** Decides when a tool may be picked up and brought back, by its owner's hours and notice. */
export const openingHoursOf = (
  terms: Terms | null,
  { spanOf, at }: LocalDays,
  { today, nowMs }: { today: string; nowMs: number },
) => {
  const noticeMs = noticeHoursOf(terms) * hourMs;

  /** Without a time, returns whether the owner is open at all on that day. */
  const isOpen = (date: string, time: string): boolean => {
    const hours = hoursOn(terms, date);
    const given = readTime(time);
    if (!hours || given === undefined) return hours !== null;
    const ms = at(date, given);
    return ms >= at(date, clockMs(hours.from)) && ms <= at(date, clockMs(hours.to));
  };

  /** The latest pick-up. Without a time it is closing time or the end of the day. */
  const lastStartMs = (date: string, time: string): number => {
    const hours = hoursOn(terms, date);
    const latest = readTime(time) ?? (hours ? clockMs(hours.to) : undefined);
    return latest === undefined ? spanOf(date).toMs : at(date, latest);
  };

  const isTooSoon = (date: string, time: string): boolean => {
    if (date < today) return true;
    return noticeMs > 0 && lastStartMs(date, time) < nowMs + noticeMs;
  };

  /** The opening hours of a day that are left after the notice. */
  const hoursLeftOn = (date: string): Span | undefined => {
    const hours = hoursOn(terms, date);
    if (hours === null) return undefined;
    const open = hours
      ? { fromMs: at(date, clockMs(hours.from)), toMs: at(date, clockMs(hours.to)) }
      : spanOf(date);
    const fromMs = Math.max(open.fromMs, nowMs + noticeMs);
    return fromMs < open.toMs ? { fromMs, toMs: open.toMs } : undefined;
  };

  return { isOpen, lastStartMs, isTooSoon, hoursLeftOn };
};
