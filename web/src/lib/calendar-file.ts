import type { Booking } from '@lendtools/contracts';
import { pickUpPlace } from './pick-up-place.ts';

/** RFC 5545 gives these a meaning of their own within a text. */
const escapeText = (text: string) =>
  text.replaceAll(/[\\;,]/g, (mark) => `\\${mark}`).replaceAll(/\r?\n/g, '\\n');

/** `2026-11-27T17:00:00.000Z` as `20261127T170000Z`. */
const stamp = (instant: string) => instant.replaceAll(/[-:]|\.\d+/g, '');

const longestLine = 75;

/** No line may be longer than 75 bytes; the next one then begins with a space. */
function fold(line: string): string {
  const bytes = new TextEncoder();
  let folded = '';
  let length = 0;
  for (const character of line) {
    const size = bytes.encode(character).length;
    if (length + size > longestLine) {
      folded += '\r\n ';
      length = 1;
    }
    folded += character;
    length += size;
  }
  return folded;
}

const eventOf = (booking: Booking): string[] => [
  'BEGIN:VEVENT',
  `UID:${booking.id}@lendtools`,
  `DTSTAMP:${stamp(booking.createdAt)}`,
  `DTSTART:${stamp(booking.startsAt)}`,
  `DTEND:${stamp(booking.endsAt)}`,
  `SUMMARY:${escapeText(`${booking.name} from ${booking.toolOwner.first_name}`)}`,
  `LOCATION:${escapeText(pickUpPlace(booking))}`,
  `DESCRIPTION:${escapeText(`Booking code ${booking.booking_code}, rented on LendTools.`)}`,
  'END:VEVENT',
];

/** The bookings as an iCalendar file, which every calendar can add. */
export function calendarFile(bookings: Booking[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//LendTools//Bookings//EN',
    ...bookings.flatMap(eventOf),
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}
