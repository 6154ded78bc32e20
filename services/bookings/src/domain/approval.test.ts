import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Actor } from './actor.ts';
import {
  type Approval,
  type ApprovalStatus,
  type ApprovalTransition,
  accept,
  answerByOf,
  approvalTransitions,
  chargeableUntil,
  endApproval,
  hasLapsed,
  isAcceptanceDelayed,
  lapse,
  moveApproval,
  undoAccept,
} from './approval.ts';

const statuses: ApprovalStatus[] = [
  'pending',
  'accepted',
  'done',
  'declined',
  'withdrawn',
  'lapsed',
  'failed',
  'obsolete',
];
const actors: Actor[] = ['renter', 'owner', 'admin', 'system'];
const allNames: ApprovalTransition[] = [
  'accept',
  'decline',
  'withdraw',
  'lapse',
  'fail',
  'complete',
  'drop',
];

/** Spelled out instead of derived from `approvalTransitions`, so that an error in that table fails the test. */
const allowed = [
  'pending accept owner → accepted',
  'pending decline owner → declined',
  'pending decline admin → declined',
  'pending withdraw renter → withdrawn',
  'pending lapse system → lapsed',
  'pending fail system → failed',
  'accepted fail system → failed',
  'pending complete system → done',
  'accepted complete system → done',
  'pending drop system → obsolete',
  'accepted drop system → obsolete',
];

const cases = statuses.flatMap((from) =>
  allNames.flatMap((name) => actors.map((by) => [from, name, by] as const)),
);

describe('moveApproval', () => {
  it.each(cases)('checks the transition of an approval %s → %s by %s', (status, name, by) => {
    const rule = allowed.find((line) => line.startsWith(`${status} ${name} ${by} `));
    const move = () => moveApproval({ status, changeId: null }, name, by);

    if (rule) expect(move()).toBe(rule.split(' → ')[1]);
    else
      expect(move).toThrow(
        expect.objectContaining({
          code: expect.stringMatching(/^(FORBIDDEN|BOOKING_NOT_ACTIVE)$/),
        }),
      );
  });

  it('forbids all but 11 of the 224 combinations of status, transition and actor', () => {
    expect(cases).toHaveLength(224);
    expect(allowed).toHaveLength(11);
  });

  it('explains why a completed approval can no longer be answered', () => {
    const decline = (changeId: string | null) => () =>
      moveApproval({ status: 'done', changeId }, 'decline', 'owner');

    expect(decline(null)).toThrow('This booking is paid already.');
    expect(decline('change')).toThrow('This change is not waiting for an answer any more.');
  });
});

describe('docs/architecture.md', () => {
  it('draws exactly the transitions of an approval', () => {
    const text = readFileSync(new URL('../../../../docs/architecture.md', import.meta.url), 'utf8');
    const [, diagram = ''] = text.split('stateDiagram-v2').slice(1);
    const drawn = [...diagram.matchAll(/^ {2}(\w+) --> (\w+): (\w+)$/gm)].map(
      ([, from, to, name]) => `${from} ${name} → ${to}`,
    );
    const table = Object.entries(approvalTransitions).flatMap(([name, { from, to }]) =>
      from.map((status) => `${status} ${name} → ${to}`),
    );

    expect(drawn.sort()).toEqual(table.sort());
  });
});

const rental = {
  circle: 'daily' as const,
  startDate: '2026-03-10',
  startTime: '1.00 PM',
  startsAt: new Date('2026-03-10T13:00:00Z'),
  timeZone: 'UTC',
};
const approval = {
  id: 'approval',
  bookingId: 'booking',
  changeId: null,
  holdId: 'hold',
  requestedAt: new Date('2026-03-09T15:00:00Z'),
  remindAt: null,
  note: '',
  status: 'pending',
  acceptedAt: null,
  endedBy: null,
};

describe('an approval', () => {
  const requested = new Date('2026-03-09T15:00:00Z');
  const hours = (count: number) => new Date(requested.getTime() + count * 3_600_000);
  const pending = { ...approval, answerBy: hours(22), chargesAt: null } as Approval;
  const accepted = { ...pending, status: 'accepted', acceptedAt: hours(1) } as Approval;

  it('gives the owner a day to answer, at most until the rental can start', () => {
    expect(answerByOf(rental, null, requested)).toEqual(rental.startsAt);
    expect(answerByOf({ ...rental, startTime: '' }, null, requested)).toEqual(hours(24));
    expect(answerByOf({ ...rental, startTime: '' }, null, hours(20))).toEqual(
      new Date('2026-03-11T00:00:00Z'),
    );
  });

  it('lets the owner answer a request without a start time until the closing time of its first day', () => {
    const terms = { hours: { tuesday: { from: '08:00', to: '17:00' } } };
    const closing = new Date('2026-03-10T17:00:00Z');

    expect(answerByOf({ ...rental, startTime: '' }, terms, hours(20))).toEqual(closing);
    expect(answerByOf(rental, terms, hours(20))).toEqual(rental.startsAt);
  });

  // In each case, the clocks change during the first day, which therefore has 23, 23½, 24½ or 25 hours.
  it.each([
    ['America/New_York', '2026-03-08', '2026-03-08T16:00Z', '2026-03-09T04:00Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T16:00Z', '2026-11-02T05:00Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-29T10:00Z', '2026-03-29T22:00Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-25T10:00Z', '2026-10-25T23:00Z'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-04T01:00Z', '2026-10-04T13:00Z'],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-05T01:00Z', '2026-04-05T13:30Z'],
  ])(
    'lets an owner in %s answer a request without a start time until the end of %s',
    (timeZone, startDate, requested, end) => {
      const request = { ...rental, startDate, startTime: '', timeZone };

      expect(answerByOf(request, null, new Date(requested))).toEqual(new Date(end));
      // If the request is made a day earlier, the owner has 24 hours to answer, even if the clocks change that night.
      const dayBefore = Date.parse(requested) - 20 * 3_600_000;
      expect(answerByOf(request, null, new Date(dayBefore))).toEqual(
        new Date(dayBefore + 24 * 3_600_000),
      );
    },
  );

  it('can’t be accepted after the deadline', () => {
    expect(accept(pending, 'owner', hours(21.9))).toBe('accepted');
    expect(() => accept(pending, 'owner', hours(22))).toThrow(/not answered in time/);
    expect([hasLapsed(pending, hours(21.9)), hasLapsed(pending, hours(22))]).toEqual([false, true]);
  });

  it('can’t be accepted, declined, withdrawn or lapsed once it is accepted', () => {
    expect(endApproval(pending, { transition: 'decline', by: 'owner' })).toBe('declined');
    expect(endApproval(pending, { transition: 'withdraw', by: 'renter' })).toBe('withdrawn');
    expect(() => accept(accepted, 'owner', hours(2))).toThrow(/accepted already/);
    expect(() => endApproval(accepted, { transition: 'decline', by: 'owner' })).toThrow(
      /accepted already/,
    );
    expect(() => endApproval(accepted, { transition: 'withdraw', by: 'renter' })).toThrow(
      /accepted already/,
    );
    expect(hasLapsed(accepted, hours(30))).toBe(false);
  });

  it('may be undone by its owner until the acceptance takes effect, and does not lapse meanwhile', () => {
    const delayed: Approval = { ...pending, chargesAt: hours(22.1) };

    expect(undoAccept(delayed, 'owner')).toBeUndefined();
    expect(hasLapsed(delayed, hours(22))).toBe(false);
    expect(() => undoAccept(delayed, 'renter')).toThrow(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    );
    expect(() => undoAccept(accepted, 'owner')).toThrow(/accepted already/);
    // A replica of 1.0 does not clear `chargesAt` when it ends an approval.
    expect(isAcceptanceDelayed({ ...accepted, chargesAt: hours(22.1) })).toBe(false);
  });

  it('fails instead of lapsing once it is accepted', () => {
    expect(endApproval(pending, lapse)).toBe('lapsed');
    expect(endApproval(accepted, lapse)).toBe('failed');
  });

  it('may be charged for eight days after the acceptance, at most until `tooLateAt`', () => {
    expect(chargeableUntil(hours(1), hours(300))).toEqual(hours(1 + 8 * 24));
    expect(chargeableUntil(hours(1), hours(100))).toEqual(hours(100));
  });
});
