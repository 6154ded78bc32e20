import type { Earnings } from '@lendtools/contracts/commission';
import { formatOfZones } from '@lendtools/contracts/local-time';
import { timeInWords } from '@lendtools/contracts/rental-period';

const dayOf = formatOfZones({ dateStyle: 'full' });
const shortDayOf = formatOfZones({ weekday: 'short', month: 'short', day: 'numeric' });
const momentOf = formatOfZones({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** Created on first use, because a process's first format loads 7 MB of ICU data. */
let money: Intl.NumberFormat | undefined;

/** 4800 cents as `$48.00`. */
export const dollarsInWords = (cents: number): string => {
  money ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  return money.format(cents / 100);
};

/** `$34.00 − $3.40 = $30.60`: what is paid, the operator's commission, and what the owner gets. */
export const earningsInWords = ({ grossCents, feeCents }: Earnings): string =>
  `${dollarsInWords(grossCents)} − ${dollarsInWords(feeCents)} = ${dollarsInWords(grossCents - feeCents)}`;

export const listInWords = (names: string[]): string => new Intl.ListFormat('en-US').format(names);

/** `Monday, June 1, 2026, 7:00 AM` in the tool's local time; the time may be empty. */
export const momentInWords = (date: string, time: string): string =>
  [dayOf('UTC').format(new Date(`${date}T00:00:00Z`)), timeInWords(time)]
    .filter(Boolean)
    .join(', ');

/** `Mon, Jun 1`. */
export const dayInWords = (date: string): string =>
  shortDayOf('UTC').format(new Date(`${date}T00:00:00Z`));

/** `Mon, Jun 1, 7:00 AM`. */
export const shortMomentInWords = (date: string, time: string): string =>
  [dayInWords(date), timeInWords(time)].filter(Boolean).join(', ');

/** `Mon, Jun 1, 7:00 AM EDT`. */
export const instantInWords = (instant: string, timeZone: string): string =>
  momentOf(timeZone).format(new Date(instant));

export const countInWords = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : 's'}`;

export const periodInWords = (rental: { period: number; rentalCircle: 'hourly' | 'daily' }) =>
  countInWords(rental.period, rental.rentalCircle === 'hourly' ? 'hour' : 'day');

export const excerpt = (text: string, length = 120): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
};

const longestName = 30;
/** Letters of any script, up to three words: `María-José`, `O’Brien`, `J. R.`. */
const plainName = /^\p{L}[\p{L}\p{M}'’-]*\.?(?: \p{L}[\p{L}\p{M}'’-]*\.?){0,2}$/u;

/** Returns the name if it is plain, otherwise '': anyone can sign up with someone else's address and an ad in place of a name. */
export const nameInEmail = (name: string): string => {
  const typed = name.trim().replace(/\s+/g, ' ');
  return typed.length <= longestName && plainName.test(typed) ? typed : '';
};
