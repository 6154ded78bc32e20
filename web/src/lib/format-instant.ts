import { onFirstUse } from './on-first-use.ts';

const clock = onFirstUse(
  () => new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' }),
);
const dayAndClock = onFirstUse(
  () =>
    new Intl.DateTimeFormat('en-US', {
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }),
);
const fullDay = onFirstUse(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }));

/** `2:14 PM` for today, `Nov 19, 2:14 PM` for before, on the reader's own clock. */
export function formatMoment(instant: string, now: Date = new Date()): string {
  const date = new Date(instant);
  return (date.toDateString() === now.toDateString() ? clock() : dayAndClock()).format(date);
}

/** `Nov 19, 2026`. */
export function formatDate(instant: string): string {
  return fullDay().format(new Date(instant));
}

/** The last characters of an id: enough to tell rows apart, and what support asks for. */
export function shortId(id: string): string {
  return id.slice(-6).toUpperCase();
}
