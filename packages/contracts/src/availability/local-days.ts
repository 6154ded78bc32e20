import type { Midnights, Span } from '../availability.ts';
import { dayMs, laterDay, toInstantMs } from '../local-time.ts';

export const nextDay = (date: string): string => laterDay(date, 1);

export type LocalDays = ReturnType<typeof localDaysOf>;

/** Converts the days and times of a time zone to instants. */
export const localDaysOf = (timeZone: string, midnights: Midnights) => {
  /** Cached, because Intl is slow and each day is needed many times. */
  const midnight = (date: string): number => {
    const key = `${timeZone} ${date}`;
    const known = midnights.get(key) ?? toInstantMs(Date.parse(date), timeZone);
    midnights.set(key, known);
    return known;
  };
  /** Returns the span from the start of the first day to the end of the last. */
  const spanOf = (from: string, to = from): Span => ({
    fromMs: midnight(from),
    toMs: midnight(nextDay(to)),
  });
  /** On days without a clock change, adding to midnight avoids a slow Intl call. */
  const at = (date: string, timeMs: number): number => {
    const { fromMs, toMs } = spanOf(date);
    return toMs - fromMs === dayMs
      ? fromMs + timeMs
      : toInstantMs(Date.parse(date) + timeMs, timeZone);
  };
  return { spanOf, at };
};
