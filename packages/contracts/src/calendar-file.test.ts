import { expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { type CalendarEntry, calendarFile } from './calendar-file.ts';

const entry = (overrides: Partial<CalendarEntry> = {}): CalendarEntry => ({
  id: '0197a3f0-1111-7000-8000-000000000001',
  toolName: 'Hammer drill',
  bookingCode: 'LT482913',
  startsAt: '2026-11-02T17:00:00.000Z',
  endsAt: '2026-11-04T17:00:00.000Z',
  changedAt: '2026-11-01T08:00:00.000Z',
  other: 'Sam',
  as: 'renter',
  place: '12 Elm Street, Portland, Oregon',
  ...overrides,
});

const eventsIn = (file: string) =>
  new ICAL.Component(ICAL.parse(file))
    .getAllSubcomponents('vevent')
    .map((each) => new ICAL.Event(each));

it('writes an event from which a calendar reads the right start and end', () => {
  const [event] = eventsIn(calendarFile([entry()]));

  expect(event?.uid).toBe('0197a3f0-1111-7000-8000-000000000001@lendtools');
  expect([event?.startDate.toJSDate(), event?.endDate.toJSDate()]).toEqual([
    new Date('2026-11-02T17:00:00Z'),
    new Date('2026-11-04T17:00:00Z'),
  ]);
  expect([event?.summary, event?.location, event?.description]).toEqual([
    'Hammer drill from Sam',
    '12 Elm Street, Portland, Oregon',
    'Booking code LT482913, rented on LendTools.',
  ]);
});

it('names the renter in the owner’s event, and updates that event when the booking is cancelled', () => {
  const lent = entry({ as: 'owner', other: 'Maya', place: undefined });
  const [before] = eventsIn(calendarFile([lent], { isFeed: true }));
  const [after] = eventsIn(calendarFile([{ ...lent, isCancelled: true }], { isFeed: true }));

  expect([before?.summary, before?.location]).toEqual(['Hammer drill to Maya', null]);
  expect(after?.uid).toBe(before?.uid);
  expect(after?.sequence).toBeGreaterThan(before?.sequence ?? 0);
  expect(after?.summary).toBe('Cancelled: Hammer drill to Maya');
  expect(after?.component.getFirstPropertyValue('status')).toBe('CANCELLED');
});

it('marks as tentative a request that the owner has not accepted', () => {
  const [event] = eventsIn(calendarFile([entry({ isRequest: true })], { isFeed: true }));

  expect(event?.component.getFirstPropertyValue('status')).toBe('TENTATIVE');
  expect(event?.summary).toBe('Requested: Hammer drill from Sam');
});

it('writes emailed files with an organizer: one adds the event, another cancels it with a higher SEQUENCE', () => {
  const organizer = 'https://lendtools.example';
  const sent = (more: Partial<CalendarEntry>) => {
    const calendar = new ICAL.Component(ICAL.parse(calendarFile([entry(more)], { organizer })));
    const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined);
    return { method: calendar.getFirstPropertyValue('method'), event };
  };

  const [booked, cancelled] = [sent({}), sent({ isCancelled: true })];

  expect([booked.method, cancelled.method]).toEqual(['PUBLISH', 'CANCEL']);
  expect(cancelled.event.uid).toBe(booked.event.uid);
  expect(cancelled.event.sequence).toBe(booked.event.sequence + 1);
  for (const { event } of [booked, cancelled]) expect(event.organizer).toBe(organizer);
});

it('writes a valid calendar file when there are no bookings', () => {
  const parsed = new ICAL.Component(ICAL.parse(calendarFile([], { isFeed: true })));

  expect(parsed.getAllSubcomponents().map(({ name }) => name)).toEqual(['vtimezone']);
});

it('folds lines at 75 bytes and escapes line breaks in a tool name', () => {
  const name = `Drill\r\nEND:VCALENDAR\u0007, "50%"; \\n ${'ä'.repeat(60)}`;

  const file = calendarFile([entry({ toolName: name })]);

  const lines = file.split('\r\n');
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  expect(eventsIn(file)[0]?.summary).toBe(
    `Drill\nEND:VCALENDAR, "50%"; \\n ${'ä'.repeat(60)} from Sam`,
  );
});
