import { describe, expect, it } from '@jest/globals';
import {
  type Actor,
  acceptReturn,
  actorOf,
  allocate,
  allowedActions,
  type BookingStatus,
  cancel,
  mayBeReviewed,
  refundFor,
  spreadRefund,
  type Transition,
  transit,
} from './booking.ts';

const statuses: BookingStatus[] = ['held', 'confirmed', 'returned', 'cancelled', 'expired'];
const actors: Actor[] = ['renter', 'owner', 'admin', 'system'];
const allNames: Transition[] = [
  'confirm',
  'expire',
  'retake',
  'acceptReturn',
  'undoReturn',
  'cancel',
];

/** Written out again, so that a slip in the table is not repeated by its test. */
const allowed = [
  'held confirm system → confirmed',
  'held expire system → expired',
  'expired retake system → held',
  'confirmed acceptReturn owner → returned',
  'confirmed acceptReturn admin → returned',
  'returned undoReturn owner → confirmed',
  'returned undoReturn admin → confirmed',
  'confirmed cancel renter → cancelled',
  'confirmed cancel owner → cancelled',
  'confirmed cancel admin → cancelled',
];

const cases = statuses.flatMap((from) =>
  allNames.flatMap((name) => actors.map((by) => [from, name, by] as const)),
);

describe('transit', () => {
  it.each(cases)('%s %s by %s', (from, name, by) => {
    const rule = allowed.find((line) => line.startsWith(`${from} ${name} ${by} `));

    if (rule) expect(transit(from, name, by)).toBe(rule.split(' → ')[1]);
    else
      expect(() => transit(from, name, by)).toThrow(
        expect.objectContaining({
          code: expect.stringMatching(/^(FORBIDDEN|BOOKING_NOT_ACTIVE)$/),
        }),
      );
  });

  it('forbids every one of the hundred and twenty but ten', () => {
    expect(cases).toHaveLength(120);
    expect(allowed).toHaveLength(10);
  });
});

const rental = {
  status: 'confirmed' as BookingStatus,
  userId: 'ray',
  ownerId: 'olga',
  circle: 'daily' as const,
  startDate: '2026-03-10',
  startsAt: new Date('2026-03-10T13:00:00Z'),
  timeZone: 'UTC',
  totalCents: 5_000,
};
const before = new Date('2026-03-10T12:59:59Z');

describe('cancel', () => {
  const fresh = { now: before, isReviewed: false };
  const started = { now: rental.startsAt, isReviewed: false };
  const reviewed = { now: rental.startsAt, isReviewed: true };

  it('lets a renter cancel until the start, the owner and an admin until the return', () => {
    expect(cancel(rental, 'renter', fresh)).toBe('cancelled');
    expect(() => cancel(rental, 'renter', started)).toThrow(
      expect.objectContaining({ code: 'BOOKING_STARTED' }),
    );
    expect(cancel(rental, 'owner', started)).toBe('cancelled');
    expect(cancel(rental, 'admin', started)).toBe('cancelled');
    expect(() => cancel({ ...rental, status: 'returned' }, 'owner', fresh)).toThrow(
      expect.objectContaining({ code: 'BOOKING_NOT_ACTIVE' }),
    );
  });

  it('leaves a reviewed one to admins', () => {
    expect(() => cancel(rental, 'owner', reviewed)).toThrow(
      expect.objectContaining({ code: 'BOOKING_REVIEWED' }),
    );
    expect(cancel(rental, 'admin', reviewed)).toBe('cancelled');
  });

  it('gives everything back, each payment no more than was drawn on it', () => {
    const allocations = [
      { paymentId: 'a', leftCents: 2_000 },
      { paymentId: 'b', leftCents: 3_000 },
    ];

    expect(spreadRefund(allocations, refundFor(rental))).toEqual([
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

describe('actorOf', () => {
  it('knows the owner, an admin, the renter and a stranger', () => {
    expect(actorOf(rental, { userId: 'olga', role: 'Admin' })).toBe('owner');
    expect(actorOf(rental, { userId: 'ray', role: 'Admin' })).toBe('admin');
    expect(actorOf(rental, { userId: 'ray', role: 'User' })).toBe('renter');
    expect(actorOf(rental, { userId: 'eve', role: 'User' })).toBeUndefined();
  });
});

describe('before its start a rental can be cancelled, and from then on', () => {
  it('reviewed', () => {
    expect(mayBeReviewed(rental, before)).toBe(false);
    expect(mayBeReviewed(rental, rental.startsAt)).toBe(true);
  });

  it('returned', () => {
    expect(() => acceptReturn(rental, 'owner', before)).toThrow(/cancel/);
    expect(acceptReturn(rental, 'owner', rental.startsAt)).toBe('returned');
    expect(acceptReturn(rental, 'admin', rental.startsAt)).toBe('returned');
    expect(() => acceptReturn(rental, 'renter', rental.startsAt)).toThrow(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    );
  });
});

describe('allowedActions', () => {
  const olga = { userId: 'olga', role: 'User' } as const;
  const ray = { userId: 'ray', role: 'User' } as const;
  const ada = { userId: 'ada', role: 'Admin' } as const;
  const confirmed = { ...rental, returnedAt: null };
  const returned = { ...rental, status: 'returned' as const, returnedAt: rental.startsAt };
  const facts = {
    now: rental.startsAt,
    isReviewed: false,
    isReviewedSinceReturn: false,
    isRemoved: false,
    leftCents: 5_000,
  };

  it.each([
    ['the renter before the start', confirmed, ray, { now: before }, ['cancel']],
    ['the renter from then on', confirmed, ray, {}, ['review']],
    [
      'a renter who is an admin',
      confirmed,
      { ...ray, role: 'Admin' },
      {},
      ['cancel', 'acceptReturn', 'review', 'refund'],
    ],
    ['the owner before the start', confirmed, olga, { now: before }, ['cancel']],
    ['the owner from then on', confirmed, olga, {}, ['cancel', 'acceptReturn']],
    ['the owner of a reviewed one', confirmed, olga, { isReviewed: true }, ['acceptReturn']],
    ['the owner, right after the return', returned, olga, {}, ['undoReturn']],
    ['the owner, once it was reviewed', returned, olga, { isReviewedSinceReturn: true }, []],
    [
      'the owner, two minutes later',
      returned,
      olga,
      { now: new Date(rental.startsAt.getTime() + 120_000) },
      [],
    ],
    ['the renter of one that is back', returned, ray, {}, ['review']],
    ['an admin', confirmed, ada, {}, ['cancel', 'acceptReturn', 'refund']],
    ['an admin, where nothing is left', returned, ada, { leftCents: 0, isRemoved: true }, []],
    ['anybody, once it is cancelled', { ...confirmed, status: 'cancelled' as const }, ray, {}, []],
    ['a stranger', confirmed, { userId: 'eve', role: 'User' as const }, {}, []],
  ] as const)('of %s', (_who, booking, user, others, actions) => {
    expect(allowedActions(booking, user, { ...facts, ...others })).toEqual(actions);
  });
});

describe('allocate', () => {
  const payments = [
    { id: 'old', unassignedCents: 300 },
    { id: 'new', unassignedCents: 500 },
  ];

  it('takes the oldest first, and of the last only what is missing', () => {
    expect(allocate(payments, 300)).toEqual([{ paymentId: 'old', amountCents: 300 }]);
    expect(allocate(payments, 450)).toEqual([
      { paymentId: 'old', amountCents: 300 },
      { paymentId: 'new', amountCents: 150 },
    ]);
  });

  it('is nothing when they do not cover the price', () => {
    expect(allocate(payments, 801)).toBeUndefined();
    expect(allocate([], 1)).toBeUndefined();
  });
});
