import { dateFormat } from '../lib/lazy-format.ts';

const clock = dateFormat({ hour: 'numeric', minute: '2-digit' });
const dayAndClock = dateFormat({
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const fullDay = dateFormat({ dateStyle: 'medium' });

/** Formats an instant of today as `2:14 PM`, any other as `Nov 19, 2:14 PM`, in the reader's time zone. */
export function formatMoment(instant: string, now: Date = new Date()): string {
  const date = new Date(instant);
  return (date.toDateString() === now.toDateString() ? clock : dayAndClock)(date);
}

/** Formats like `formatMoment`, with a preposition: `at 2:14 PM`, or `on Nov 19, 2:14 PM`. */
export function momentInWords(instant: string, now: Date = new Date()): string {
  const isToday = new Date(instant).toDateString() === now.toDateString();
  return `${isToday ? 'at' : 'on'} ${formatMoment(instant, now)}`;
}

export function readersZone() {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Formats an instant as `Nov 19, 2026`. */
export function formatDate(instant: string): string {
  return fullDay(new Date(instant));
}

/** The last six characters of an id, for distinguishing rows and for support requests. */
export function shortId(id: string): string {
  return id.slice(-6).toUpperCase();
}
