import { describe, expect, it } from '@jest/globals';
import { type Reminder, remindApprovalAt, remindersAt, remindersOf, warnAt } from './reminders.ts';

const chicago = 'America/Chicago';
const rental = (startsAt: string, endsAt: string, timeZone = chicago) => ({
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
  timeZone,
});
const dues = (reminders: Reminder[]) =>
  reminders.map(({ kind, dueAt }) => `${kind} ${dueAt.toISOString().slice(0, 16)}`);
const hourMs = 3_600_000;

describe('the reminders of a rental', () => {
  it('are due at 9 AM the day before, at 9 AM on the last day, and at the end, in the tool’s time zone', () => {
    const drill = rental('2026-06-10T15:00Z', '2026-06-12T19:30Z');

    expect(dues(remindersOf(drill))).toEqual([
      'pick-up 2026-06-09T14:00',
      'return-day 2026-06-12T14:00',
      'return-due 2026-06-12T19:30',
    ]);
  });

  it.each([
    // Columns: zone; start and end (midnights around a clock change); 9 AM on the day before, last day and day after
    [
      'America/Chicago',
      '2026-03-08T06:00Z',
      '2026-03-10T05:00Z',
      '07T15:00',
      '09T14:00',
      '10T14:00',
    ],
    [
      'America/Chicago',
      '2026-11-01T05:00Z',
      '2026-11-03T06:00Z',
      '31T14:00',
      '02T15:00',
      '03T15:00',
    ],
    ['Europe/Berlin', '2026-03-28T23:00Z', '2026-03-30T22:00Z', '28T08:00', '30T07:00', '31T07:00'],
    ['Europe/Berlin', '2026-10-24T22:00Z', '2026-10-26T23:00Z', '24T07:00', '26T08:00', '27T08:00'],
    [
      'Australia/Sydney',
      '2026-10-03T14:00Z',
      '2026-10-05T13:00Z',
      '02T23:00',
      '04T22:00',
      '05T22:00',
    ],
    [
      'Australia/Sydney',
      '2026-04-04T13:00Z',
      '2026-04-06T14:00Z',
      '03T22:00',
      '05T23:00',
      '06T23:00',
    ],
    // The clocks change by half an hour.
    [
      'Australia/Lord_Howe',
      '2026-10-03T13:30Z',
      '2026-10-05T13:00Z',
      '02T22:30',
      '04T22:00',
      '05T22:00',
    ],
    [
      'Australia/Lord_Howe',
      '2026-04-04T13:00Z',
      '2026-04-06T13:30Z',
      '03T22:00',
      '05T22:30',
      '06T22:30',
    ],
  ])('are due at 9 AM in %s when the clocks change after %s', (zone, start, end, ...times) => {
    const found = remindersOf(rental(start, end, zone));

    expect(found.map(({ kind }) => kind)).toEqual(['pick-up', 'return-day', 'return-due']);
    expect(found.map(({ dueAt }) => dueAt.toISOString().slice(8, 16))).toEqual(times);
  });

  it.each([
    ['at 7 AM', '2026-06-12T12:00Z', '11T14:00', '12T12:00'],
    ['a minute before 7 AM', '2026-06-12T11:59Z', '11T14:00', '12T14:00'],
    ['at 10 AM', '2026-06-12T15:00Z', '12T14:00', '12T15:00'],
    ['a minute before 10 AM', '2026-06-12T14:59Z', '11T14:00', '12T14:59'],
    ['a minute before 10 PM', '2026-06-13T02:59Z', '12T14:00', '13T02:59'],
    ['at 10 PM', '2026-06-13T03:00Z', '12T14:00', '13T14:00'],
    ['at midnight', '2026-06-13T05:00Z', '12T14:00', '13T14:00'],
  ])(
    'leave an hour to return the tool of a rental that ends %s, and never come at night',
    (_, end, returnDay, returnDue) => {
      const [, ...found] = remindersOf(rental('2026-06-10T15:00Z', end));

      expect(found.map(({ dueAt }) => dueAt.toISOString().slice(8, 16))).toEqual([
        returnDay,
        returnDue,
      ]);
    },
  );

  it.each([
    ['an afternoon', '2026-06-10T17:00Z', '2026-06-10T21:00Z'],
    ['a whole day', '2026-06-10T05:00Z', '2026-06-11T05:00Z'],
    ['7 AM to 7 AM', '2026-06-10T12:00Z', '2026-06-11T12:00Z'],
  ])('include no return reminder on the morning of the pick-up for %s', (_, start, end) => {
    expect(remindersOf(rental(start, end)).map(({ kind }) => kind)).toEqual([
      'pick-up',
      'return-due',
    ]);
  });
});

describe('remindersAt', () => {
  const drill = rental('2026-06-10T15:00Z', '2026-06-12T19:30Z');
  const booked = (bookedAt: string, remindAt = '1970-01-01T00:00Z') => ({
    ...drill,
    bookedAt: new Date(bookedAt),
    remindAt: new Date(remindAt),
  });
  const at = (booking: ReturnType<typeof booked>, now: string) => {
    const { due, nextAt } = remindersAt(booking, new Date(now));
    return [due.map(({ kind }) => kind), nextAt?.toISOString().slice(0, 16) ?? null];
  };

  it('sends no reminder before the first one is due, and schedules the next check for that time', () => {
    expect(at(booked('2026-06-01T12:00Z'), '2026-06-01T12:00Z')).toEqual([[], '2026-06-09T14:00']);
  });

  it('sends the reminders of a rental one after the other', () => {
    const steps = ['2026-06-09T14:00Z', '2026-06-12T14:00Z', '2026-06-12T19:30Z'].map((now) =>
      at(booked('2026-06-01T12:00Z', now), now),
    );

    expect(steps).toEqual([
      [['pick-up'], '2026-06-12T14:00'],
      [['return-day'], '2026-06-12T19:30'],
      [['return-due'], null],
    ]);
  });

  it('skips reminders that were due before the booking was made', () => {
    const late = booked('2026-06-09T14:00Z');

    expect(at(late, '2026-06-09T14:00Z')).toEqual([[], '2026-06-12T14:00']);
    expect(at(booked('2026-06-09T13:59Z'), '2026-06-09T14:00Z')[0]).toEqual(['pick-up']);
  });

  it('skips reminders that were sent already', () => {
    expect(at(booked('2026-06-01T12:00Z', '2026-06-12T14:00Z'), '2026-06-09T15:00Z')).toEqual([
      [],
      '2026-06-12T14:00',
    ]);
  });

  it.each([
    ['twelve hours', '2026-06-10T01:59Z', ['pick-up'], '2026-06-12T14:00'],
    ['a night', '2026-06-10T02:00Z', [], '2026-06-12T14:00'],
    ['three days', '2026-06-12T15:00Z', ['return-day'], '2026-06-12T19:30'],
    ['three days until after the end', '2026-06-12T22:29Z', ['return-due'], null],
    ['three days until three hours after the end', '2026-06-12T22:30Z', [], null],
    ['a week', '2026-06-17T00:00Z', [], null],
  ])('sends only reminders that are still useful after a downtime of %s', (_, now, kinds, next) => {
    expect(at(booked('2026-06-01T12:00Z', '2026-06-09T14:00Z'), now)).toEqual([kinds, next]);
  });

  it('sends delayed reminders at most until the pick-up or return, and the reminder of the end at most three hours late', () => {
    const [pickUp, returnDay, returnDue] = remindersOf(
      rental('2026-06-10T05:00Z', '2026-06-12T17:00Z'),
    );

    expect(pickUp?.usefulUntil).toEqual(new Date('2026-06-10T02:00Z'));
    expect(returnDay?.usefulUntil).toEqual(new Date('2026-06-12T17:00Z'));
    expect(returnDue?.usefulUntil).toEqual(new Date(Date.parse('2026-06-12T17:00Z') + 3 * hourMs));
  });
});

describe('warnAt', () => {
  const next = { startsAt: new Date('2026-06-12T19:00Z'), timeZone: chicago };
  const dueAt = (endsAt: string, endTime = '1.00 PM') => ({ endsAt: new Date(endsAt), endTime });

  it.each([
    [true, 'as soon as it is overdue', dueAt('2026-06-12T18:00Z'), '2026-06-12T18:30Z'],
    [false, 'a minute before it is overdue', dueAt('2026-06-12T18:00Z'), '2026-06-12T18:29Z'],
    [false, 'when the next rental starts', dueAt('2026-06-12T18:00Z'), '2026-06-12T19:00Z'],
    [true, 'a day before the next rental', dueAt('2026-06-01T18:00Z'), '2026-06-11T19:00Z'],
    [false, 'more than a day before it', dueAt('2026-06-01T18:00Z'), '2026-06-11T18:59Z'],
    [true, 'until 10 PM', dueAt('2026-06-01T18:00Z'), '2026-06-12T02:59Z'],
    [false, 'from 10 PM on', dueAt('2026-06-01T18:00Z'), '2026-06-12T03:00Z'],
    [true, 'from 7 AM on', dueAt('2026-06-01T18:00Z'), '2026-06-12T12:00Z'],
    [
      true,
      'once it is overdue without an end time',
      dueAt('2026-06-12T00:30Z', ''),
      '2026-06-12T18:30Z',
    ],
    [false, 'a minute before that', dueAt('2026-06-12T00:30Z', ''), '2026-06-12T18:29Z'],
  ])('decides (%p) whether to warn now of a tool that is not back, %s', (warns, _, before, now) => {
    expect(warnAt(next, before, new Date(now))?.toISOString() === new Date(now).toISOString()).toBe(
      warns,
    );
  });

  it('warns even at night in the last three hours before the start', () => {
    const early = { startsAt: new Date('2026-06-12T10:00Z'), timeZone: chicago };
    const before = dueAt('2026-06-01T18:00Z');

    expect(warnAt(early, before, new Date('2026-06-12T06:59Z'))).toEqual(
      new Date('2026-06-12T07:00Z'),
    );
    expect(warnAt(early, before, new Date('2026-06-12T07:01Z'))).toEqual(
      new Date('2026-06-12T07:01Z'),
    );
  });

  it.each([
    [
      'when the tool becomes overdue',
      '2026-06-12T17:00Z',
      '2026-06-12T16:00Z',
      '2026-06-12T17:30Z',
    ],
    ['a day before the start', '2026-06-01T18:00Z', '2026-06-10T19:00Z', '2026-06-11T19:00Z'],
    ['at 7 AM after a night', '2026-06-01T18:00Z', '2026-06-12T03:00Z', '2026-06-12T12:00Z'],
  ])('waits until it is time to warn: %s', (_, endsAt, now, expected) => {
    expect(warnAt(next, dueAt(endsAt), new Date(now))).toEqual(new Date(expected));
  });

  it('never warns once the next rental would have started', () => {
    expect(warnAt(next, dueAt('2026-06-12T18:30Z'), new Date('2026-06-12T12:00Z'))).toBeNull();
  });
});

describe('remindApprovalAt', () => {
  it.each([
    // Columns: title, time zone, and the times of the request, the deadline and the reminder.
    ['6 hours before the deadline', chicago, '06-09T19:00Z', '06-10T19:00Z', '06-10T13:00Z'],
    ['from 7 AM on', chicago, '06-09T18:00Z', '06-10T18:00Z', '06-10T12:00Z'],
    [
      'the evening before instead of before 7 AM',
      'America/Chicago',
      '06-09T17:59Z',
      '06-10T17:59Z',
      '06-10T02:00Z',
    ],
    [
      'at 9 PM instead of after 10 PM',
      'America/Chicago',
      '06-09T10:00Z',
      '06-10T09:00Z',
      '06-10T02:00Z',
    ],
    ['until 10 PM', chicago, '06-09T08:59Z', '06-10T08:59Z', '06-10T02:59Z'],
    [
      'if the request is two hours old by then',
      'America/Chicago',
      '06-09T11:00Z',
      '06-09T19:00Z',
      '06-09T13:00Z',
    ],
    ['never if the request is younger then', chicago, '06-09T11:01Z', '06-09T19:00Z', null],
    [
      'never if the request was made that night',
      'America/Chicago',
      '06-10T04:00Z',
      '06-10T17:00Z',
      null,
    ],
    [
      'the evening before a night that is an hour short',
      'Europe/Berlin',
      '03-28T12:00Z',
      '03-29T10:30Z',
      '03-28T20:00Z',
    ],
    [
      'the morning after a night that is an hour short',
      'Europe/Berlin',
      '03-28T12:00Z',
      '03-29T11:00Z',
      '03-29T05:00Z',
    ],
    [
      'the evening before a night that is an hour longer',
      'Europe/Berlin',
      '10-24T12:00Z',
      '10-25T11:59Z',
      '10-24T19:00Z',
    ],
    [
      'the morning after a night that is an hour longer',
      'Europe/Berlin',
      '10-24T12:00Z',
      '10-25T12:00Z',
      '10-25T06:00Z',
    ],
    [
      'on another date than in UTC',
      'Australia/Sydney',
      '10-03T03:00Z',
      '10-04T02:00Z',
      '10-03T20:00Z',
    ],
  ])(
    'reminds the owner %s, in the tool’s time zone',
    (_when, timeZone, requestedAt, answerBy, remindAt) => {
      const instant = (text: string) => new Date(`2026-${text}`);

      expect(
        remindApprovalAt({ answerBy: instant(answerBy), timeZone }, instant(requestedAt)),
      ).toEqual(remindAt && instant(remindAt));
    },
  );
});
