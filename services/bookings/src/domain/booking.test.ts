import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { CancellationPolicy } from '@lendtools/contracts/cancellation';
import { type Actor, actorOf } from './actor.ts';
import type { Approval } from './approval.ts';
import {
  acceptReturn,
  allocate,
  allowedActions,
  type BookingStatus,
  cancel,
  completesAt,
  endRequest,
  previewCancel,
  releasesAt,
  reviewRenter,
  reviewTool,
  sharesAfterChange,
  spreadRefund,
  type Transition,
  transit,
  transitions,
  waitOf,
} from './booking.ts';

const statuses: BookingStatus[] = [
  'held',
  'requested',
  'confirmed',
  'returned',
  'completed',
  'cancelled',
  'expired',
  'declined',
  'withdrawn',
  'lapsed',
  'failed',
];
const outcomes = ['declined', 'withdrawn', 'lapsed', 'failed'] as const;
const actors: Actor[] = ['renter', 'owner', 'admin', 'system'];
const allNames: Transition[] = [
  'confirm',
  'expire',
  'retake',
  'request',
  'acceptReturn',
  'undoReturn',
  'complete',
  'acceptLateReturn',
  'cancel',
  'change',
];

/** Spelled out instead of derived from `transitions`, so that an error in that table fails the test. */
const allowed = [
  'held confirm system → confirmed',
  'held expire system → expired',
  'expired retake system → held',
  'held request system → requested',
  'requested confirm system → confirmed',
  'confirmed acceptReturn owner → returned',
  'confirmed acceptReturn admin → returned',
  'returned undoReturn owner → confirmed',
  'returned undoReturn admin → confirmed',
  'confirmed complete system → completed',
  'returned complete system → completed',
  'completed acceptLateReturn owner → completed',
  'completed acceptLateReturn admin → completed',
  'confirmed cancel renter → cancelled',
  'confirmed cancel owner → cancelled',
  'confirmed cancel admin → cancelled',
  'confirmed cancel system → cancelled',
  'confirmed change renter → confirmed',
];

const cases = statuses.flatMap((from) =>
  allNames.flatMap((name) => actors.map((by) => [from, name, by] as const)),
);

describe('transit', () => {
  it.each(cases)('checks the transition of a booking %s → %s by %s', (from, name, by) => {
    const rule = allowed.find((line) => line.startsWith(`${from} ${name} ${by} `));

    if (rule) expect(transit(from, name, by)).toBe(rule.split(' → ')[1]);
    else
      expect(() => transit(from, name, by)).toThrow(
        expect.objectContaining({
          code: expect.stringMatching(/^(FORBIDDEN|BOOKING_NOT_ACTIVE)$/),
        }),
      );
  });

  it('forbids all but 18 of the 440 combinations of status, transition and actor', () => {
    expect(cases).toHaveLength(440);
    expect(allowed).toHaveLength(18);
  });
});

describe('endRequest', () => {
  it.each(outcomes)(
    'sets the status of a request to the outcome %s of its approval, and rejects a booking that is not a request',
    (outcome) => {
      expect(endRequest('requested', outcome)).toBe(outcome);
      for (const status of statuses.filter((one) => one !== 'requested'))
        expect(() => endRequest(status, outcome)).toThrow(
          expect.objectContaining({ code: 'BOOKING_NOT_ACTIVE' }),
        );
    },
  );
});

describe('docs/architecture.md', () => {
  it('draws exactly the transitions of a booking', () => {
    const text = readFileSync(new URL('../../../../docs/architecture.md', import.meta.url), 'utf8');
    const [diagram = ''] = text.split('stateDiagram-v2').slice(1);
    const drawn = [...diagram.matchAll(/^ {2}(\w+) --> (\w+): (\w+)$/gm)].map(
      ([, from, to, name]) => `${from} ${name} → ${to}`,
    );
    const table = Object.entries(transitions).flatMap(([name, { from, to }]) =>
      from.map((status) => `${status} ${name} → ${to}`),
    );
    const ends = outcomes.map((outcome) => `requested endRequest → ${outcome}`);

    expect(drawn.sort()).toEqual([...table, ...ends].sort());
  });
});

const rental = {
  status: 'confirmed' as BookingStatus,
  userId: 'ray',
  ownerId: 'olga',
  circle: 'daily' as const,
  startDate: '2026-03-10',
  startTime: '1.00 PM',
  startsAt: new Date('2026-03-10T13:00:00Z'),
  timeZone: 'UTC',
  totalCents: 5_000,
  bookedAt: new Date('2026-02-01T12:00:00Z'),
  cancellationPolicy: null as CancellationPolicy | null,
  mostPercent: 100,
  returnedAt: null as Date | null,
  reviewableFrom: new Date('2026-02-01T12:00:00Z'),
};
const before = new Date('2026-03-10T12:59:59Z');

describe('cancel', () => {
  const fresh = { now: before, isReviewed: false };
  const started = { now: rental.startsAt, isReviewed: false };
  const reviewed = { now: rental.startsAt, isReviewed: true };

  it('lets the renter and the system cancel until the start, and the owner and admins until the return', () => {
    expect(cancel(rental, 'renter', fresh)).toBe('cancelled');
    expect(() => cancel(rental, 'renter', started)).toThrow(
      expect.objectContaining({ code: 'BOOKING_STARTED' }),
    );
    expect(cancel(rental, 'owner', started)).toBe('cancelled');
    expect(cancel(rental, 'admin', started)).toBe('cancelled');
    expect(cancel(rental, 'system', fresh)).toBe('cancelled');
    expect(() => cancel(rental, 'system', started)).toThrow(
      expect.objectContaining({ code: 'BOOKING_STARTED' }),
    );
    expect(() => cancel({ ...rental, status: 'returned' }, 'owner', fresh)).toThrow(
      expect.objectContaining({ code: 'BOOKING_NOT_ACTIVE' }),
    );
  });

  it('lets only admins cancel a reviewed booking', () => {
    expect(() => cancel(rental, 'owner', reviewed)).toThrow(
      expect.objectContaining({ code: 'BOOKING_REVIEWED' }),
    );
    expect(cancel(rental, 'admin', reviewed)).toBe('cancelled');
  });

  it('orders what was refunded at Stripe last, and at most the unrefunded part of each allocation', () => {
    const allocations = [
      { paymentId: 'a', leftCents: 500, unrefundedCents: 2_000 },
      { paymentId: 'b', leftCents: 3_000, unrefundedCents: 3_000 },
    ];

    expect(spreadRefund(allocations, 4_000)).toEqual([
      { paymentId: 'a', refundCents: 1_000, expectedCents: 500 },
      { paymentId: 'b', refundCents: 3_000 },
    ]);
    expect(spreadRefund(allocations, 9_000)).toEqual([
      { paymentId: 'a', refundCents: 2_000, expectedCents: 500 },
      { paymentId: 'b', refundCents: 3_000 },
    ]);
    expect(spreadRefund(allocations, 500)).toEqual([{ paymentId: 'a', refundCents: 500 }]);
  });

  it('refunds at most what is left of each payment’s allocation', () => {
    const allocations = [
      { paymentId: 'a', leftCents: 2_000, unrefundedCents: 2_000 },
      { paymentId: 'b', leftCents: 3_000, unrefundedCents: 3_000 },
    ];

    expect(spreadRefund(allocations, 5_000)).toEqual([
      { paymentId: 'a', refundCents: 2_000 },
      { paymentId: 'b', refundCents: 3_000 },
    ]);
    expect(spreadRefund(allocations, 2_500)).toEqual([
      { paymentId: 'a', refundCents: 2_000 },
      { paymentId: 'b', refundCents: 500 },
    ]);
    expect(spreadRefund(allocations, 2_000)).toEqual([{ paymentId: 'a', refundCents: 2_000 }]);
  });
});

describe('previewCancel', () => {
  const moderate = { ...rental, cancellationPolicy: 'moderate' as const };
  const preview = (
    by: Actor,
    now: string,
    { booking = moderate as typeof rental, leftCents = 5_000 } = {},
  ) => previewCancel(booking, by, { now: new Date(now), leftCents });

  it('shows a renter the refund by the policy, how long it applies, and the refund after that', () => {
    expect(preview('renter', '2026-03-04T23:59:59Z')).toEqual({
      policy: 'moderate',
      percent: 100,
      refundCents: 5_000,
      keptCents: 0,
      until: '2026-03-05T00:00:00.000Z',
      next: { percent: 50, refundCents: 2_500 },
    });
    expect(preview('renter', '2026-03-05T00:00:00Z')).toEqual({
      policy: 'moderate',
      percent: 50,
      refundCents: 2_500,
      keptCents: 2_500,
      until: '2026-03-09T00:00:00.000Z',
      next: { percent: 0, refundCents: 0 },
    });
    expect(preview('renter', '2026-03-09T00:00:00Z')).toMatchObject({
      percent: 0,
      refundCents: 0,
      keptCents: 5_000,
      next: null,
      until: rental.startsAt.toISOString(),
    });
  });

  it('refunds everything if the owner or an admin cancels, or if there is no policy', () => {
    const all = { percent: 100, refundCents: 5_000, keptCents: 0, until: null, next: null };
    const late = '2026-03-10T14:00:00Z';

    expect(preview('owner', late)).toEqual({ policy: 'moderate', ...all });
    expect(preview('admin', late)).toEqual({ policy: 'moderate', ...all });
    expect(preview('renter', '2026-03-10T12:00:00Z', { booking: rental })).toEqual({
      policy: null,
      ...all,
      until: rental.startsAt.toISOString(),
    });
  });

  it('refunds at most what is left, and rounds half a cent up', () => {
    const half = '2026-03-08T12:00:00Z';
    const odd = { ...moderate, totalCents: 4_999 };

    expect(preview('renter', half, { leftCents: 1_000 })).toMatchObject({
      percent: 50,
      refundCents: 1_000,
      keptCents: 0,
    });
    expect(preview('owner', half, { leftCents: 1_000 }).refundCents).toBe(1_000);
    expect(preview('renter', half, { booking: odd, leftCents: 4_999 })).toMatchObject({
      refundCents: 2_500,
      keptCents: 2_499,
    });
  });
});

describe('actorOf', () => {
  it('distinguishes the owner, the renter, an admin and a stranger, and takes an admin who is a party for that party', () => {
    expect(actorOf(rental, { userId: 'olga', role: 'Admin' })).toBe('owner');
    expect(actorOf(rental, { userId: 'ray', role: 'Admin' })).toBe('renter');
    expect(actorOf(rental, { userId: 'ray', role: 'User' })).toBe('renter');
    expect(actorOf(rental, { userId: 'ada', role: 'Admin' })).toBe('admin');
    expect(actorOf(rental, { userId: 'eve', role: 'User' })).toBeUndefined();
  });
});

describe('a rental', () => {
  const after = (days: number) => new Date(rental.startsAt.getTime() + days * 86_400_000);
  const completed = { ...rental, status: 'completed' as const, completedAt: rental.startsAt };
  const open = { ...rental, completedAt: null };
  const [unseen, seen] = [{ isPublished: false }, { isPublished: true }];
  const code = (wanted: string) => expect.objectContaining({ code: wanted });

  it('can be reviewed by its renter from its start until 14 days after its completion', () => {
    expect(() => reviewTool(open, { now: before, ...unseen })).toThrow(code('BOOKING_NOT_STARTED'));
    expect(() => reviewTool(open, { now: rental.startsAt, ...unseen })).not.toThrow();
    expect(() => reviewTool(open, { now: after(99), ...unseen })).not.toThrow();
    expect(() => reviewTool(completed, { now: after(13.99), ...unseen })).not.toThrow();
    expect(() => reviewTool(completed, { now: after(14), ...unseen })).toThrow(
      code('REVIEW_CLOSED'),
    );
    const older = { ...completed, reviewableFrom: after(30) };
    expect(() => reviewTool(older, { now: after(43.99), ...unseen })).not.toThrow();
    expect(() => reviewTool(completed, { now: after(1), ...seen })).toThrow(code('REVIEW_CLOSED'));
    expect(() =>
      reviewTool({ ...open, status: 'cancelled' }, { now: after(1), ...unseen }),
    ).toThrow(code('BOOKING_NOT_ACTIVE'));
  });

  it('lets its owner review the renter for 14 days after its completion', () => {
    for (const status of ['confirmed', 'returned', 'cancelled', 'requested'] as const)
      expect(() => reviewRenter({ ...open, status }, { now: after(1), ...unseen })).toThrow(
        code('BOOKING_NOT_ACTIVE'),
      );
    expect(() => reviewRenter(completed, { now: rental.startsAt, ...unseen })).not.toThrow();
    expect(() => reviewRenter(completed, { now: after(14), ...unseen })).toThrow(
      code('REVIEW_CLOSED'),
    );
    expect(() => reviewRenter(completed, { now: after(1), ...seen })).toThrow(
      code('REVIEW_CLOSED'),
    );
  });

  it('can be returned only from its start on, and not by the renter', () => {
    expect(() => acceptReturn(rental, 'owner', before)).toThrow(/cancel/);
    expect(acceptReturn(rental, 'owner', rental.startsAt)).toBe('returned');
    expect(acceptReturn(rental, 'admin', rental.startsAt)).toBe('returned');
    expect(() => acceptReturn(rental, 'renter', rental.startsAt)).toThrow(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    );
  });
});

describe('completesAt', () => {
  const endsAt = new Date('2026-03-12T13:00:00Z');

  it('counts the hours until completion from the end of the rental if no return was confirmed', () => {
    expect(completesAt({ returnedAt: null, endsAt }, 48)).toEqual(new Date('2026-03-14T13:00:00Z'));
  });

  it.each([
    ['an early', '2026-03-11T08:00:00Z', '2026-03-13T08:00:00Z'],
    ['a late', '2026-03-13T08:00:00Z', '2026-03-15T08:00:00Z'],
  ])('counts the hours until completion from %s return', (_when, returnedAt, then) => {
    const booking = { returnedAt: new Date(returnedAt), endsAt };
    expect(completesAt(booking, 48)).toEqual(new Date(then));
  });
});

describe('sharesAfterChange', () => {
  const shares = [
    { paymentId: 'b', leftCents: 300 },
    { paymentId: 'a', leftCents: 100 },
  ];

  it('adds the share of the payment that is due', () => {
    expect(sharesAfterChange(shares, { dueCents: 50, refundCents: 0 })).toEqual([300, 100, 50]);
  });

  it('subtracts a refund from the payments in the order in which they are refunded', () => {
    expect(sharesAfterChange(shares, { dueCents: 0, refundCents: 150 })).toEqual([250, 0]);
  });
});

describe('releasesAt', () => {
  const at = new Date('2026-03-12T13:00:00Z');
  const over = { completedAt: null, cancelledAt: null, hasOpenProblem: false, leftCents: 100 };
  const completed = { ...over, status: 'completed' as const, completedAt: at };
  const cancelled = { ...over, status: 'cancelled' as const, cancelledAt: at };

  it('releases a completed booking at once, and a cancelled one after some hours', () => {
    expect(releasesAt(completed, 48)).toEqual(at);
    expect(releasesAt(cancelled, 48)).toEqual(new Date('2026-03-14T13:00:00Z'));
  });

  it('releases nothing of a cancellation that left the owner nothing, or while a problem is open', () => {
    expect(releasesAt({ ...cancelled, leftCents: 0 }, 48)).toBeNull();
    expect(releasesAt({ ...completed, hasOpenProblem: true }, 48)).toBeNull();
    expect(releasesAt({ ...cancelled, hasOpenProblem: true }, 48)).toBeNull();
  });

  it.each(statuses.filter((status) => status !== 'completed' && status !== 'cancelled'))(
    'releases nothing of a booking that is %s',
    (status) => {
      expect(releasesAt({ ...over, status }, 48)).toBeNull();
    },
  );
});

describe('waitOf', () => {
  const at = new Date('2026-03-12T13:00:00Z');
  const inForce = {
    status: 'confirmed' as const,
    endsAt: at,
    returnedAt: null,
    completedAt: null,
    cancelledAt: null,
    hasOpenProblem: false,
  };
  const later = new Date('2026-03-14T13:00:00Z');

  it.each([
    ['the rental', inForce, { waitsFor: 'rental', releaseAt: later }],
    ['a problem', { ...inForce, hasOpenProblem: true }, { waitsFor: 'problem', releaseAt: null }],
    [
      'the release of a cancellation',
      { ...inForce, status: 'cancelled' as const, cancelledAt: at },
      { waitsFor: 'release', releaseAt: later },
    ],
    [
      'a release that is due, once completed',
      { ...inForce, status: 'completed' as const, completedAt: at },
      { waitsFor: 'release', releaseAt: at },
    ],
  ])('waits for %s', (_, rental, expected) => {
    expect(waitOf(rental, 48)).toEqual(expected);
  });
});

describe('allowedActions', () => {
  const olga = { userId: 'olga', role: 'User' } as const;
  const ray = { userId: 'ray', role: 'User' } as const;
  const ada = { userId: 'ada', role: 'Admin' } as const;
  const confirmed = { ...rental, completedAt: null };
  const returned = { ...confirmed, status: 'returned' as const, returnedAt: rental.startsAt };
  const over = { status: 'completed' as const, completedAt: rental.startsAt };
  const completed = { ...rental, ...over };
  const completedBack = { ...returned, ...over };
  const request = { ...confirmed, status: 'requested' as const };
  const pending: Approval = {
    id: 'approval',
    bookingId: 'booking',
    changeId: null,
    holdId: 'hold',
    requestedAt: before,
    answerBy: rental.startsAt,
    remindAt: null,
    chargesAt: null,
    note: '',
    status: 'pending',
    acceptedAt: null,
    endedBy: null,
  };
  const waiting = { now: before, approval: pending };
  const delayed: Approval = { ...pending, chargesAt: rental.startsAt };
  const accepted: Approval = { ...pending, status: 'accepted', acceptedAt: before };
  const lapsed: Approval = { ...pending, status: 'lapsed', endedBy: 'system' };
  const change = { ...pending, changeId: 'change' };
  const facts = {
    now: rental.startsAt,
    hasReported: false,
    isReviewed: false,
    isReviewedSinceReturn: false,
    isReviewPublished: false,
    isRenterReviewPublished: false,
    isRemoved: false,
    leftCents: 5_000,
    approval: null,
  };

  it.each([
    ['the renter before the start', confirmed, ray, { now: before }, ['cancel', 'change']],
    ['the renter from the start on', confirmed, ray, {}, ['change', 'review', 'reportProblem']],
    [
      'the renter who has reported a problem',
      confirmed,
      ray,
      { hasReported: true },
      ['change', 'review'],
    ],
    [
      'a renter who is an admin',
      confirmed,
      { ...ray, role: 'Admin' },
      {},
      ['change', 'review', 'reportProblem'],
    ],
    [
      'an owner who is an admin, after the return',
      returned,
      { ...olga, role: 'Admin' },
      {},
      ['undoReturn', 'reportProblem'],
    ],
    ['the owner before the start', confirmed, olga, { now: before }, ['cancel']],
    [
      'the owner from the start on',
      confirmed,
      olga,
      {},
      ['cancel', 'acceptReturn', 'reportProblem'],
    ],
    [
      'the owner of a reviewed booking',
      confirmed,
      olga,
      { isReviewed: true },
      ['acceptReturn', 'reportProblem'],
    ],
    ['the owner, right after the return', returned, olga, {}, ['undoReturn', 'reportProblem']],
    [
      'the owner, reviewed since the return',
      returned,
      olga,
      { isReviewedSinceReturn: true },
      ['reportProblem'],
    ],
    [
      'the owner, two minutes after the return',
      returned,
      olga,
      { now: new Date(rental.startsAt.getTime() + 120_000) },
      ['reportProblem'],
    ],
    ['the renter of a returned booking', returned, ray, {}, ['review', 'reportProblem']],
    ['the owner of a completed booking', completed, olga, {}, ['acceptReturn', 'reviewRenter']],
    ['the owner of a completed and returned booking', completedBack, olga, {}, ['reviewRenter']],
    [
      'the owner whose review has appeared',
      completedBack,
      olga,
      { isRenterReviewPublished: true },
      [],
    ],
    ['the renter of a completed booking', completed, ray, {}, ['review']],
    ['the renter whose review has appeared', completed, ray, { isReviewPublished: true }, []],
    ['an admin, for a completed booking', completed, ada, {}, ['acceptReturn', 'refund']],
    ['an admin, for a paid booking', confirmed, ada, {}, ['cancel', 'acceptReturn', 'refund']],
    ['an admin, with nothing left to refund', returned, ada, { leftCents: 0, isRemoved: true }, []],
    [
      'the renter after a cancellation',
      { ...confirmed, status: 'cancelled' as const },
      ray,
      {},
      [],
    ],
    ['the owner of a request', request, olga, waiting, ['accept', 'decline']],
    ['the renter of a request', request, ray, waiting, ['withdraw']],
    [
      'an admin who is the renter of a request',
      request,
      { ...ray, role: 'Admin' },
      { ...waiting, leftCents: 0 },
      ['withdraw'],
    ],
    ['an admin, for a request', request, ada, { ...waiting, leftCents: 0 }, ['decline']],
    [
      'the owner of a request, who may still undo the acceptance',
      request,
      olga,
      { ...waiting, approval: delayed },
      ['undoAccept', 'decline'],
    ],
    [
      'the renter of a request whose acceptance may still be undone',
      request,
      ray,
      { ...waiting, approval: delayed },
      ['withdraw'],
    ],
    ['the owner of an accepted request', request, olga, { ...waiting, approval: accepted }, []],
    [
      'the renter of a lapsed request',
      { ...request, status: 'lapsed' as const },
      ray,
      { ...waiting, approval: lapsed },
      [],
    ],
    [
      'the owner, with an requested change',
      confirmed,
      olga,
      { now: before, approval: change },
      ['cancel', 'accept', 'decline'],
    ],
    [
      'the renter, with an requested change',
      confirmed,
      ray,
      { now: before, approval: change },
      ['cancel', 'withdraw'],
    ],
    [
      'an admin, with an requested change',
      confirmed,
      ada,
      { now: before, leftCents: 0, approval: change },
      ['cancel', 'decline'],
    ],
    [
      'the owner, with a requested change past its deadline',
      confirmed,
      olga,
      { approval: change },
      ['cancel', 'acceptReturn', 'reportProblem', 'decline'],
    ],
    [
      'the renter, once a change is accepted',
      confirmed,
      ray,
      { now: before, approval: { ...accepted, changeId: 'change' } },
      ['cancel'],
    ],
    ['a stranger', confirmed, { userId: 'eve', role: 'User' as const }, {}, []],
  ] as const)('lists the allowed actions of %s', (_who, booking, user, others, actions) => {
    expect(allowedActions(booking, user, { ...facts, ...others })).toEqual(actions);
  });
});

describe('allocate', () => {
  const payments = [
    { id: 'old', unassignedCents: 300 },
    { id: 'new', unassignedCents: 500 },
  ];

  it('uses up the oldest payment first, and takes only the missing part from the last', () => {
    expect(allocate(payments, 300)).toEqual([{ paymentId: 'old', amountCents: 300 }]);
    expect(allocate(payments, 450)).toEqual([
      { paymentId: 'old', amountCents: 300 },
      { paymentId: 'new', amountCents: 150 },
    ]);
  });

  it('returns undefined if the payments do not cover the price', () => {
    expect(allocate(payments, 801)).toBeUndefined();
    expect(allocate([], 1)).toBeUndefined();
  });
});
