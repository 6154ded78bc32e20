import { describe, expect, it } from '@jest/globals';
import { isHeldUp, type Reminder, remindAnswerAt, remindersAt, remindersOf } from './reminders.ts';

const chicago = 'America/Chicago';
const rental = (startsAt: string, endsAt: string, timeZone = chicago) => ({
  ...{ startsAt: new Date(startsAt), endsAt: new Date(endsAt), timeZone },
});
const dues = (reminders: Reminder[]) =>
  reminders.map(({ kind, dueAt }) => `${kind} ${dueAt.toISOString().slice(0, 16)}`);
const hourMs = 3_600_000;

describe('the reminders of a rental', () => {
  it('come at nine the day before, at nine on the last day, and at its end, by the tool’s clock', () => {
    const drill = rental('2026-06-10T15:00Z', '2026-06-12T19:30Z');

    expect(dues(remindersOf(drill))).toEqual([
      'pick-up 2026-06-09T14:00',
      'return-day 2026-06-12T14:00',
      'return-due 2026-06-12T19:30',
    ]);
  });

  it.each([
    // [zone, from midnight to midnight, around the day of the change, nine o'clock the day before, on the last day, after it]
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
    // By half an hour.
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
  ])('in %s are at nine when the clocks change after %s', (zone, start, end, ...times) => {
    const found = remindersOf(rental(start, end, zone));

    expect(found.map(({ kind }) => kind)).toEqual(['pick-up', 'return-day', 'return-due']);
    expect(found.map(({ dueAt }) => dueAt.toISOString().slice(8, 16))).toEqual(times);
  });

  it.each([
    ['at 7 AM, in the waking hours', '2026-06-12T12:00Z', '11T14:00', '12T12:00'],
    ['a minute before 7 AM', '2026-06-12T11:59Z', '11T14:00', '12T14:00'],
    ['at 10 AM, when there is time after nine', '2026-06-12T15:00Z', '12T14:00', '12T15:00'],
    ['a minute before 10 AM', '2026-06-12T14:59Z', '11T14:00', '12T14:59'],
    ['a minute before 10 PM', '2026-06-13T02:59Z', '12T14:00', '13T02:59'],
    ['at 10 PM', '2026-06-13T03:00Z', '12T14:00', '13T14:00'],
    ['with the day before', '2026-06-13T05:00Z', '12T14:00', '13T14:00'],
  ])('that ends %s wake nobody, and leave time for the way', (_, end, returnDay, returnDue) => {
    const [, ...found] = remindersOf(rental('2026-06-10T15:00Z', end));

    expect(found.map(({ dueAt }) => dueAt.toISOString().slice(8, 16))).toEqual([
      returnDay,
      returnDue,
    ]);
  });

  it.each([
    ['an afternoon', '2026-06-10T17:00Z', '2026-06-10T21:00Z'],
    ['a whole day', '2026-06-10T05:00Z', '2026-06-11T05:00Z'],
    ['7 AM to 7 AM', '2026-06-10T12:00Z', '2026-06-11T12:00Z'],
  ])('of %s do not ask for it back on the morning of the pick-up', (_, start, end) => {
    expect(remindersOf(rental(start, end)).map(({ kind }) => kind)).toEqual([
      'pick-up',
      'return-due',
    ]);
  });
});

describe('what is sent of a booking at a moment', () => {
  const drill = rental('2026-06-10T15:00Z', '2026-06-12T19:30Z');
  const booked = (bookedAt: string, remindAt = '1970-01-01T00:00Z') => ({
    ...{ ...drill, bookedAt: new Date(bookedAt), remindAt: new Date(remindAt) },
  });
  const at = (booking: ReturnType<typeof booked>, now: string) => {
    const { due, nextAt } = remindersAt(booking, new Date(now));
    return [due.map(({ kind }) => kind), nextAt?.toISOString().slice(0, 16) ?? null];
  };

  it('is nothing before the first reminder, which is looked for then', () => {
    expect(at(booked('2026-06-01T12:00Z'), '2026-06-01T12:00Z')).toEqual([[], '2026-06-09T14:00']);
  });

  it('is one reminder after the other', () => {
    const steps = ['2026-06-09T14:00Z', '2026-06-12T14:00Z', '2026-06-12T19:30Z'].map((now) =>
      at(booked('2026-06-01T12:00Z', now), now),
    );

    expect(steps).toEqual([
      [['pick-up'], '2026-06-12T14:00'],
      [['return-day'], '2026-06-12T19:30'],
      [['return-due'], null],
    ]);
  });

  it('leaves out what was due before it was booked', () => {
    const late = booked('2026-06-09T14:00Z');

    expect(at(late, '2026-06-09T14:00Z')).toEqual([[], '2026-06-12T14:00']);
    expect(at(booked('2026-06-09T13:59Z'), '2026-06-09T14:00Z')[0]).toEqual(['pick-up']);
  });

  it('leaves out what was sent already', () => {
    expect(at(booked('2026-06-01T12:00Z', '2026-06-12T14:00Z'), '2026-06-09T15:00Z')).toEqual([
      [],
      '2026-06-12T14:00',
    ]);
  });

  it.each([
    ['twelve hours', '2026-06-10T01:59Z', ['pick-up'], '2026-06-12T14:00'],
    ['a night', '2026-06-10T02:00Z', [], '2026-06-12T14:00'],
    ['three days', '2026-06-12T15:00Z', ['return-day'], '2026-06-12T19:30'],
    ['until after its end', '2026-06-12T22:29Z', ['return-due'], null],
    ['until three hours after its end', '2026-06-12T22:30Z', [], null],
    ['a week', '2026-06-17T00:00Z', [], null],
  ])('after a downtime of %s is only what is still of use', (_, now, kinds, next) => {
    expect(at(booked('2026-06-01T12:00Z', '2026-06-09T14:00Z'), now)).toEqual([kinds, next]);
  });

  it('is never of use after what it reminds of', () => {
    const [pickUp, returnDay, returnDue] = remindersOf(
      rental('2026-06-10T05:00Z', '2026-06-12T17:00Z'),
    );

    expect(pickUp?.usefulUntil).toEqual(new Date('2026-06-10T02:00Z'));
    expect(returnDay?.usefulUntil).toEqual(new Date('2026-06-12T17:00Z'));
    expect(returnDue?.usefulUntil).toEqual(new Date(Date.parse('2026-06-12T17:00Z') + 3 * hourMs));
  });
});

describe('a booking whose tool is not back', () => {
  const next = { startsAt: new Date('2026-06-12T19:00Z'), timeZone: chicago };
  const dueAt = (endsAt: string, endTime = '1.00 PM') => ({ endsAt: new Date(endsAt), endTime });

  it.each([
    ['as soon as it is overdue', dueAt('2026-06-12T18:00Z'), '2026-06-12T18:30Z', true],
    ['not a minute before', dueAt('2026-06-12T18:00Z'), '2026-06-12T18:29Z', false],
    ['not when it begins', dueAt('2026-06-12T18:00Z'), '2026-06-12T19:00Z', false],
    ['a day before it begins', dueAt('2026-06-01T18:00Z'), '2026-06-11T19:00Z', true],
    ['not earlier', dueAt('2026-06-01T18:00Z'), '2026-06-11T18:59Z', false],
    ['until ten in the evening', dueAt('2026-06-01T18:00Z'), '2026-06-12T02:59Z', true],
    ['not at night', dueAt('2026-06-01T18:00Z'), '2026-06-12T03:00Z', false],
    ['again from seven on', dueAt('2026-06-01T18:00Z'), '2026-06-12T12:00Z', true],
    [
      'from six on the last day, without a time',
      dueAt('2026-06-12T00:30Z', ''),
      '2026-06-12T18:30Z',
      true,
    ],
    ['not before, without a time', dueAt('2026-06-12T00:30Z', ''), '2026-06-12T18:29Z', false],
  ])('is told of it %s', (_, before, now, isTold) => {
    expect(isHeldUp(next, before, new Date(now))).toBe(isTold);
  });

  it('is told of it at night, too, in its last three hours', () => {
    const early = { startsAt: new Date('2026-06-12T10:00Z'), timeZone: chicago };
    const before = dueAt('2026-06-01T18:00Z');

    expect(isHeldUp(early, before, new Date('2026-06-12T06:59Z'))).toBe(false);
    expect(isHeldUp(early, before, new Date('2026-06-12T07:00Z'))).toBe(true);
  });
});

describe('the owner of a request', () => {
  it.each([
    // [zone, asked, to be answered by, reminded]
    ['six hours before', 'America/Chicago', '06-09T19:00Z', '06-10T19:00Z', '06-10T13:00Z'],
    ['from seven on', 'America/Chicago', '06-09T18:00Z', '06-10T18:00Z', '06-10T12:00Z'],
    [
      'before seven the evening before',
      'America/Chicago',
      '06-09T17:59Z',
      '06-10T17:59Z',
      '06-10T02:00Z',
    ],
    [
      'after ten the same evening',
      'America/Chicago',
      '06-09T10:00Z',
      '06-10T09:00Z',
      '06-10T02:00Z',
    ],
    ['until ten', 'America/Chicago', '06-09T08:59Z', '06-10T08:59Z', '06-10T02:59Z'],
    [
      'with hours of waking alone',
      'America/Chicago',
      '06-09T11:00Z',
      '06-09T19:00Z',
      '06-09T13:00Z',
    ],
    ['not of what was asked just now', 'America/Chicago', '06-09T11:01Z', '06-09T19:00Z', null],
    [
      'not in the night that it was asked in',
      'America/Chicago',
      '06-10T04:00Z',
      '06-10T17:00Z',
      null,
    ],
    [
      'in the night that is an hour short',
      'Europe/Berlin',
      '03-28T12:00Z',
      '03-29T10:30Z',
      '03-28T20:00Z',
    ],
    [
      'after the night that is an hour short',
      'Europe/Berlin',
      '03-28T12:00Z',
      '03-29T11:00Z',
      '03-29T05:00Z',
    ],
    [
      'in the night that is an hour long',
      'Europe/Berlin',
      '10-24T12:00Z',
      '10-25T11:59Z',
      '10-24T19:00Z',
    ],
    [
      'after the night that is an hour long',
      'Europe/Berlin',
      '10-24T12:00Z',
      '10-25T12:00Z',
      '10-25T06:00Z',
    ],
    ['where it is another day', 'Australia/Sydney', '10-03T03:00Z', '10-04T02:00Z', '10-03T20:00Z'],
  ])('is reminded %s, by the tool’s clock', (_when, timeZone, askedAt, answerBy, remindAt) => {
    const instant = (text: string) => new Date(`2026-${text}`);

    expect(remindAnswerAt({ answerBy: instant(answerBy), timeZone }, instant(askedAt))).toEqual(
      remindAt && instant(remindAt),
    );
  });
});
