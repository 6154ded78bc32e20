import { expect, it } from '@jest/globals';
import { buildBooking } from '../../test/bookings.ts';
import { calendarFile } from './calendar-file.ts';

it('is an iCalendar file, at the instants of the tool’s own clock', () => {
  const lines = calendarFile([buildBooking()]).split('\r\n');

  expect(lines).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//LendTools//Bookings//EN',
    'BEGIN:VEVENT',
    `UID:${buildBooking().id}@lendtools`,
    'DTSTAMP:20261101T080000Z',
    'DTSTART:20261102T170000Z',
    'DTEND:20261104T170000Z',
    'SUMMARY:Hammer drill from Sam',
    'LOCATION:12 Elm Street\\, Portland\\, Oregon',
    'DESCRIPTION:Booking code LT482913\\, rented on LendTools.',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

it('folds what is longer than 75 bytes, and lets no name end its line', () => {
  const name = `Drill\nEND:VCALENDAR ${'ä'.repeat(60)}`;

  const file = calendarFile([buildBooking({ name })]);

  const lines = file.split('\r\n');
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  expect(file.replaceAll('\r\n ', '')).toContain(`SUMMARY:Drill\\nEND:VCALENDAR ${'ä'.repeat(60)}`);
});
