import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  booking,
  hold,
  notice,
  type Route,
  type RouteName,
  review,
  routes,
  threadMessage,
  tool,
  user,
} from '@lendtools/contracts';
import type { Reply } from '@lendtools/testing';
import { findLeaks } from '../src/leaks.ts';
import { api, type Person, signUpFields } from '../src/people.ts';
import { daysAhead, line } from '../src/purchases.ts';
import { callers, createWorld, pathFor, queryFor, type World } from '../src/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

/** Fields that an attacker would try to set, with valid values. */
const dangerous = (): Record<string, unknown> => {
  const ids = ['id', 'userId', 'toolOwnerId', 'ownerId', 'owner_id', 'rental_id', 'paymentId'];
  return {
    ...Object.fromEntries(ids.map((name) => [name, world.people.other.id])),
    user: { id: world.people.other.id, first_name: 'Poison' },
    role: 'Admin',
    disabled: true,
    emailVerified: true,
    price: 0.01,
    payment: 0.01,
    paymentDue: 0.01,
    amount: 1,
    refund: 1_000_000,
    rating: 5,
    reviewCount: 99,
    authorization: 'Authorized',
    booking_status: 'Cancelled',
    returned_status: 'Returned',
    item_status: 'Unavailable',
    status: 'succeeded',
    email: 'poison@lendtools.test',
    createdAt: '2001-01-01T00:00:00.000Z',
    readAt: '2001-01-01T00:00:00.000Z',
  };
};

/** Returns every field of every entity, and some internal names, each with a value that no client may set. */
const poison = (): Record<string, unknown> => {
  const schemas = [user, tool, booking, hold, review, notice, threadMessage];
  const names = schemas.flatMap((schema) => Object.keys(schema.shape));
  const more = ['version', 'passwordHash', 'password_hash', 'sessionId', 'isAdmin', 'currency'];
  return {
    ...Object.fromEntries([...names, ...more].map((name) => [name, 'poison'])),
    ...dangerous(),
  };
};

/** Adds to the body all fields that the route does not accept. */
const poisoned = (
  name: RouteName,
  body: Record<string, unknown>,
  fields = poison(),
): Record<string, unknown> => {
  const taken = Object.keys((routes[name] as Route).body?.shape ?? {});
  const others = Object.entries(fields).filter(([field]) => !taken.includes(field));
  return { ...Object.fromEntries(others), ...body };
};

/** Builds a form with only the dangerous fields, because the number of a form's fields is limited. */
const poisonedForm = (name: RouteName, body: Record<string, unknown>): FormData => {
  const form = new FormData();
  for (const [field, value] of Object.entries(poisoned(name, body, dangerous()))) {
    form.set(field, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return form;
};

type Role = 'owner' | 'renter' | 'other' | 'admin';

const write = (name: RouteName, as: Role, body: object, path?: string): Promise<Reply> => {
  const { method } = routes[name];
  const verb = method.toLowerCase() as 'put';
  return api()[verb](path ?? pathFor(world, name, as), {
    token: world.people[as].token,
    body: body instanceof FormData ? body : poisoned(name, body as Record<string, unknown>),
  });
};

/** Reads all entities that the writes might change, each as a user who may see all of its fields. */
const look = async (): Promise<Record<string, unknown>> => {
  const { owner, renter, other, admin } = world.people;
  const get = async (path: string, { token }: Person) => (await api().get(path, { token })).body;
  const [ownerUser, renterUser, otherUser, shown, booked, reviews, notices, thread, rented] =
    await Promise.all([
      get(`/api/users/${owner.id}`, admin),
      get(`/api/users/${renter.id}`, admin),
      get(`/api/users/${other.id}`, admin),
      get(`/api/get-tool/${world.toolId}`, owner),
      get(`/api/rentalBookings/${world.bookingId}/details`, admin),
      get(`/api/rentalBookings/get-review?rental_id=${world.toolId}`, admin),
      get(`/api/user/${owner.id}/notifications`, owner),
      get(`/api/messaging/${world.bookingId}/my-messages`, owner),
      get(`/api/rentalBookings/${other.id}/my-bookings`, other),
    ]);
  return {
    owner: ownerUser.user,
    renter: renterUser.user,
    other: otherUser.user,
    tool: shown.tool[0],
    booking: booked.booking,
    reviews: reviews.reviews,
    // New notices may still arrive, so compare only the notice that `world` names.
    notice: notices.notifications.find(({ id }: { id: string }) => id === world.noticeId),
    thread: thread.messaging,
    othersBookings: rented.bookings,
  };
};

const changesBetween = (before: unknown, after: unknown, path = ''): string[] => {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(before) || !isObject(after)) return [path];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    changesBetween(before[key], after[key], path ? `${path}.${key}` : key),
  );
};

const changesBy = async (writing: () => Promise<Reply>): Promise<[number, ...string[]]> => {
  const before = await look();
  const { status } = await writing();
  return [status, ...changesBetween(before, await look())];
};

const renterReview = { care: 5, punctuality: 5, communication: 5, comment: 'Good.' };

describe('a write that sends every field of every entity', () => {
  it.each<[RouteName, Role, object, [number, ...string[]]]>([
    [
      'updateAccount',
      'renter',
      { user_name: 'Changed' },
      [200, 'renter.user_name', 'renter.revision'],
    ],
    [
      'updateRental',
      'owner',
      { description: 'Changed.' },
      [200, 'tool.description', 'tool.item_status', 'tool.revision'],
    ],
    ['updateRental', 'renter', { description: 'Stolen.' }, [403]],
    ['updateBooking', 'owner', { returned_status: 'null' }, [200]],
    ['updateBooking', 'renter', { returned_status: 'Returned' }, [403]],
    ['cancelBooking', 'other', {}, [404]],
    ['changeBooking', 'owner', line('', 0, 4), [403]],
    ['acceptApproval', 'renter', {}, [403]],
    ['acceptApproval', 'other', {}, [404]],
    ['undoAccept', 'renter', {}, [403]],
    ['undoAccept', 'other', {}, [404]],
    ['declineApproval', 'other', {}, [404]],
    ['withdrawApproval', 'owner', {}, [403]],
    ['withdrawApproval', 'other', {}, [404]],
    ['reportProblem', 'other', { text: 'Mine.' }, [404]],
    ['reviewRenter', 'other', renterReview, [404]],
    ['reviewRenter', 'renter', renterReview, [404]],
    ['reviewRenter', 'owner', renterReview, [409]],
    ['replyToReview', 'owner', { text: 'Thanks.' }, [404]],
    ['settleProblem', 'owner', { note: 'Mine.' }, [403]],
    ['decideReport', 'owner', { decision: 'dismiss', reason: 'Mine.' }, [403]],
    ['decideReport', 'admin', { decision: 'dismiss', reason: 'Nothing.' }, [200]],
    ['takeReport', 'owner', { taken: true }, [403]],
    ['refundBooking', 'owner', { amountCents: 100, reason: 'Mine.' }, [403]],
    ['setUser', 'admin', {}, [200]],
    ['readNotice', 'owner', {}, [200, 'notice.readAt']],
    ['readNotice', 'renter', {}, [404]],
    ['setPreferences', 'owner', { emails: { payouts: true } }, [200]],
    ['sendMessage', 'renter', { message: 'Again' }, [409]],
    ['sendReply', 'owner', { message: 'Again' }, [201]],
    ['sendQuestion', 'owner', { message: 'Mine' }, [409]],
    ['sendQuestion', 'renter', { message: 'Again' }, [409]],
    ['answerQuestion', 'owner', { kind: 'decline', message: 'Sorry' }, [201]],
    ['answerQuestion', 'renter', { kind: 'decline', message: 'Mine' }, [404]],
    ['resetPassword', 'renter', { newPassword: 'moss-and-pine', currentPassword: 'wrong' }, [403]],
    ['sendNotification', 'renter', { toolOwner_id: randomUUID(), bookingName: 'x' }, [404]],
    ['createPaymentIntent', 'renter', { amount: 5_000 }, [201]],
    ['createPaymentIntent', 'renter', { amount: 5_000, cardId: 'pm_others' }, [404]],
    ['createPayoutLink', 'other', {}, [201]],
    ['holdPayouts', 'owner', { isHeld: true }, [403]],
    // The path has the caller's id, and admins cannot change their own payouts.
    ['holdPayouts', 'admin', { isHeld: false }, [403]],
    ['writeOffDebt', 'owner', { cents: 1, reason: 'Mine.' }, [403]],
    ['writeOffDebt', 'admin', { cents: 1, reason: 'Nothing is owed.' }, [403]],
    ['retryTransfer', 'owner', {}, [403]],
    ['waiveInquiry', 'owner', {}, [403]],
  ])('changes only the fields of its route (%s as %s)', async (name, as, body, expected) => {
    const changes = await changesBy(() => write(name, as, body));

    expect(changes).toEqual(expected);
  });

  it.each(['updateAccount', 'updateRental'] as const)(
    'changes only the fields of its route when sent as a form (%s)',
    async (name) => {
      const field = name === 'updateAccount' ? 'first_name' : 'description';
      const form = poisonedForm(name, { [field]: 'By form' });

      const [status, ...changes] = await changesBy(() => write(name, 'owner', form));

      expect(status).toBe(200);
      // The owner's name may also change in the tool and the booking, because both copy it from an event.
      const isRight =
        /^(owner\.(first_name|revision)|tool\.(user\.first_name|description|item_status|revision)|booking\.toolOwner\.first_name)$/;
      expect(changes.filter((change) => !isRight.test(change))).toEqual([]);
    },
  );
});

describe('a creation that sends every field of every entity', () => {
  it('creates an ordinary account', async () => {
    const bodies = [
      poisoned('createAccount', signUpFields()),
      poisonedForm('createAccount', signUpFields()),
    ];

    for (const sent of bodies) {
      const { user: made } = (await api().post('/api/create-account', { body: sent })).body;
      expect(made).toMatchObject({ role: 'User', disabled: false, image: 'null' });
      expect(made.id).not.toBe(world.people.other.id);
      expect(Date.parse(made.createdAt)).toBeGreaterThan(Date.now() - 60_000);
    }
  });

  it('creates an available, unrated tool that belongs to the caller', async () => {
    const body = { name: 'Saw', description: 'Sharp.', price: 5, categoryId: world.categoryId };

    for (const sent of [body, poisonedForm('addRental', body)]) {
      const { rental } = (await write('addRental', 'owner', sent)).body;
      expect(rental).toMatchObject({
        userId: world.people.owner.id,
        user: { id: world.people.owner.id },
        item_status: 'Available',
        rating: 0,
        reviewCount: 0,
        price: 5,
      });
      expect(Date.parse(rental.createdAt)).toBeGreaterThan(Date.now() - 60_000);
    }
  });

  it("creates a hold with the server's price, and lets only the renter confirm its payment", async () => {
    const made = await write('addRental', 'owner', {
      name: 'Drill',
      description: 'Strong.',
      price: 12.5,
      categoryId: world.categoryId,
    });
    const { booking_code: _, ...wanted } = line(made.body.rental.id, 10, 12);
    const held = await write('holdCart', 'renter', {
      lines: [{ ...poison(), booking_code: '', ...wanted }],
    });

    expect(held.body.hold).toMatchObject({
      amountCents: 2_500,
      lines: [{ price: 12.5, paymentDue: 25 }],
    });
    const cheap = await write('createPaymentIntent', 'renter', {
      holdId: held.body.hold.id,
      amount: 50,
    });
    expect(cheap).toMatchObject({ status: 409, body: { code: 'PRICE_CHANGED', amount: 2_500 } });
    const intent = await write('createPaymentIntent', 'renter', {
      holdId: held.body.hold.id,
      amount: 2_500,
    });
    const path = `/api/payment/confirm-payment/${intent.body.paymentId}`;
    const requested = { paymentIntentId: intent.body.clientSecret.split('_secret_')[0] };
    expect((await write('confirmPayment', 'renter', requested, path)).body.code).toBe(
      'PAYMENT_NOT_SUCCEEDED',
    );
    expect((await write('confirmPayment', 'other', requested, path)).body.code).toBe(
      'PAYMENT_NOT_FOUND',
    );
  });

  it('creates no booking without a payment', async () => {
    const unpaid = {
      ...line(world.toolId, 30, 31),
      start_date: daysAhead(30),
      authorization: 'Authorized',
    };

    const reply = await write('addRentalBooking', 'other', unpaid);

    expect(reply.status).toBeGreaterThanOrEqual(402);
    expect(reply.status).toBeLessThan(410);
  });

  it('creates a message reply with its sender and the current time', async () => {
    const { reply } = (await write('sendReply', 'renter', { message: 'Mine' })).body;

    expect(reply).toMatchObject({ message: 'Mine', user: { id: world.people.renter.id } });
    expect(Date.parse(reply.createdAt)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('creates a review of the rented tool for the booking’s renter, and none for another user', async () => {
    const requested = { rentalBooking_id: world.bookingId, rating: 3, comment: 'Fine.' };

    const [reviewed, stolen] = [
      await write('addReview', 'renter', requested),
      await write('addReview', 'other', requested),
    ];

    expect(reviewed.body.review).toMatchObject({
      rating: 3,
      rental_id: world.toolId,
      user: { first_name: world.people.renter.firstName },
    });
    expect(stolen.status).toBe(404);
  });
});

describe('the API', () => {
  it('shows the commission on a booking to its owner and to admins, and not to the renter', async () => {
    const path = `/api/rentalBookings/${world.bookingId}/details`;
    const seenBy = async (role: Role) =>
      (await api().get(path, { token: world.people[role].token })).body.booking.earnings;

    const toOwner = await seenBy('owner');
    expect(toOwner.fee).toBeGreaterThan(0);
    expect(await seenBy('admin')).toEqual(toOwner);
    expect(await seenBy('renter')).toBeNull();
  });

  const readings = (Object.keys(routes) as RouteName[]).filter(
    (name) => routes[name].method === 'GET',
  );

  it.each(readings)('reveals no private data of other users in replies to %s', async (name) => {
    const asPeople = ['owner', 'renter', 'other', 'admin'] as const;
    const pairs = callers.flatMap((caller) => asPeople.map((whose) => ({ caller, whose })));

    const leaks = await Promise.all(
      pairs.map(async ({ caller, whose }) => {
        const token = caller === 'visitor' ? undefined : world.people[caller].token;
        const path = pathFor(world, name, whose) + queryFor(name);
        const reply = await api().get(path, { token });
        const text = JSON.stringify([reply.body, Object.fromEntries(reply.headers)]);
        const found = findLeaks(text, { world, caller, requested: path, grantsToken: false });
        return found.map((leak) => `${caller} about ${whose} reads ${leak}`);
      }),
    );

    expect(leaks.flat()).toEqual([]);
  });
});
