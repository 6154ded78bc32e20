import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Reply, waitFor } from '@lendtools/testing';
import { tinyPng } from '../fuzz/values.ts';
import { mailedToken } from '../src/marketplace.ts';
import { api, formOf, listTool, newPerson, signUpFields } from '../src/people.ts';
import { intentIdOf, letItBegin, line, payByCard } from '../src/purchases.ts';
import { createWorld, type World } from '../src/world.ts';

/** Sends the documented payloads and checks the documented fields of replies, without using our schemas. */
let world: World;
let toolId: string;
beforeAll(async () => {
  world = await createWorld();
  toolId = await listTool(world.people.owner);
});

/** A reply must have these field names; a list must have at least one item. */
type Shape = { [name: string]: Shape } | [Shape];
const named = (names: string, more: Record<string, Shape> = {}): Record<string, Shape> => ({
  ...Object.fromEntries(names.split(' ').map((name) => [name, {}])),
  ...more,
});

const user = named(
  'id role user_name first_name last_name email phone country state city address image',
);
const tool = named(
  'id name description price rental_circle item_status rating categoryId userId cover_image image image1 image2 image3 image4',
  {
    category: named('name'),
    user: named('id first_name last_name country state city address'),
  },
);
const category = named('id name image');
const booking = named(
  'id booking_code name description price rating payment booking_status authorization period returned_status rental_circle country state city address start_date start_time end_date end_time pickup_date rental_id image cover_image quantity googleMap toolOwnerId',
  { user: named('first_name last_name') },
);
const message = named('id message', { user: named('first_name last_name') });
const reply = named('message', { user: named('id first_name last_name') });
const review = named('comment rating', {
  rentalBookings: named('id'),
  user: named('first_name last_name city image'),
});

const missingIn = (value: unknown, shape: Shape, path = 'reply'): string[] => {
  if (Array.isArray(shape)) {
    if (!Array.isArray(value) || value.length === 0) return [`${path}[]`];
    return value.flatMap((item) => missingIn(item, shape[0], `${path}[]`));
  }
  return Object.entries(shape).flatMap(([name, inner]) => {
    const holds = typeof value === 'object' && value !== null && name in value;
    if (!holds) return [`${path}.${name}`];
    return missingIn((value as Record<string, unknown>)[name], inner, `${path}.${name}`);
  });
};

interface Call {
  as?: keyof World['people'];
  /** Path parameters to use instead of the test data's ids. */
  ids?: () => Record<string, string>;
  /** Replaces the documented path, for example where the API now serves data that was on another site. */
  path?: string;
  payload?: () => object | Promise<object>;
  gives?: Shape;
}

// biome-ignore lint/suspicious/noExplicitAny: the replies of different calls have different types.
const said: Record<string, any> = {};

const picture = () => new Blob([new Uint8Array(tinyPng)], { type: 'image/png' });

const toolFields = () => ({
  name: 'Saw',
  description: 'Sharp.',
  price: 12.5,
  item_status: 'Available',
  rental_circle: 'daily',
  categoryId: world.categoryId,
});
const toolPictures = () =>
  Object.fromEntries(
    ['cover_image', 'image1', 'image2', 'image3', 'image4'].map((name) => [name, picture()]),
  );

const bookingFields = () => ({
  name: 'Saw',
  description: 'Sharp.',
  price: 12.5,
  rating: 0,
  payment: 25,
  period: 2,
  booking_status: '',
  authorization: 'UnAuthorized',
  returned_status: 'null',
  rental_circle: 'daily',
  country: 'United States',
  state: 'Texas',
  city: 'Austin',
  address: '5 Elm Row',
  pickup_date: '',
  image: 'null',
  googleMap: '',
  ...line(toolId, 0, 2),
  toolOwnerId: world.people.owner.id,
});

const login = async () => {
  const { email, password } = await newPerson();
  return api().post('/api/login', { body: { email, password } });
};
const refreshTokenOf = ({ headers }: Reply) =>
  /refresh_token=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1];

const booked = () => said['POST /api/user/{userId}/add-rental-booking'].rental;
const addedCategory = () => ({
  id: said['POST /api/add-rentals-main-category'].category.id,
});
const intent = () => said['POST /api/payment/create-payment-intent'];
const nearAustin = 'lat=30.27&lng=-97.74&radius=20';

/** The order matters: each call uses data that earlier calls created. */
const calls: [string, Call][] = [
  ['POST /api/create-account', { payload: () => formOf({ ...signUpFields(), image: picture() }) }],
  [
    'POST /api/login',
    {
      payload: () => {
        const { email, password } = world.people.owner;
        return { email, password };
      },
      gives: { user: { ...user, token: {} }, token: {} },
    },
  ],
  ['GET /api/get-user-by-email/{email}', { as: 'owner', gives: { user } }],
  [
    'PUT /api/update-account/{userId}',
    {
      as: 'other',
      payload: () => {
        const { id, email, password } = world.people.other;
        const fields = signUpFields({ email, password });
        return formOf({ ...fields, image: picture(), userId: id });
      },
      gives: { message: {}, user },
    },
  ],
  [
    'POST /api/user-request-password-token',
    { payload: () => ({ email: world.people.other.email }), gives: { message: {} } },
  ],
  [
    'POST /api/request-password-token',
    { payload: () => ({ email: world.people.other.email }), gives: { message: {} } },
  ],
  [
    'POST /api/reset-password',
    {
      payload: async () => {
        const { id, email } = await newPerson();
        await api().post('/api/request-password-token', { body: { email } });
        return {
          token: await mailedToken(email, 'reset-password'),
          newPassword: 'moss-and-pine',
          userId: id,
        };
      },
    },
  ],
  [
    'POST logout',
    {
      path: '/api/logout',
      payload: async () => ({ refreshToken: refreshTokenOf(await login()) }),
    },
  ],
  [
    'GET external country/state/city datasets',
    { path: '/api/places/states', gives: { states: [named('name')] } },
  ],
  [
    'GET external country/state/city datasets',
    { path: '/api/places/states/TX/cities', gives: { cities: [named('name')] } },
  ],

  [
    'GET /api/get-tools-near-you',
    { path: `/api/get-tools-near-you?${nearAustin}`, gives: { nearby: [tool] } },
  ],
  ['GET /api/all-rentals', { gives: { rentals: [tool] } }],
  ['GET /api/rentals/{categoryId}/get-tools', { gives: { rentals: [tool] } }],
  ['GET /api/get-tool/{id}', { ids: () => ({ id: toolId }), gives: { tool: [tool] } }],
  ['GET /api/all-rental-categories', { gives: { allCategories: [category] } }],
  [
    'POST /api/add-rentals-main-category',
    { as: 'admin', payload: () => formOf({ name: `Category ${randomUUID()}`, image: picture() }) },
  ],
  [
    'PUT /api/update-rental-category/{id}',
    {
      as: 'admin',
      ids: addedCategory,
      payload: () => formOf({ name: `Category ${randomUUID()}`, image: picture() }),
    },
  ],
  [
    'DELETE /api/category/delete-category/{id}',
    { as: 'admin', ids: addedCategory, gives: { message: {} } },
  ],
  [
    'POST /api/user/{userId}/add-rental',
    { as: 'owner', payload: () => formOf({ ...toolFields(), ...toolPictures() }) },
  ],
  [
    'PUT /api/update-rental/{id}',
    {
      as: 'owner',
      ids: () => ({ id: toolId }),
      payload: () => ({
        ...toolFields(),
        rating: 0,
        userId: world.people.owner.id,
        cover_image: 'null',
      }),
    },
  ],
  [
    'PUT /api/update-rental/{id}',
    {
      as: 'owner',
      ids: () => ({ id: toolId }),
      payload: () => formOf({ ...toolFields(), ...toolPictures() }),
    },
  ],
  ['GET /api/user/{userId}/rentals/my-rentals', { as: 'owner', gives: { rentals: [tool] } }],
  [
    'DELETE /api/rentals/delete-tool/{id}',
    {
      as: 'owner',
      ids: () => ({ id: said['POST /api/user/{userId}/add-rental'].rental.id }),
      gives: { message: {} },
    },
  ],

  [
    'POST /api/payment/create-payment-intent',
    {
      as: 'renter',
      payload: () => ({ amount: 2_500, userId: world.people.renter.id }),
      gives: named('clientSecret paymentId'),
    },
  ],
  [
    'PUT /api/payment/confirm-payment/{paymentId}',
    {
      as: 'renter',
      payload: async () => {
        await payByCard(intent().clientSecret);
        const paymentIntentId = intentIdOf(intent().clientSecret);
        return { paymentIntentId, amount: 2_500, userId: world.people.renter.id };
      },
    },
  ],
  [
    'POST /api/user/{userId}/add-rental-booking',
    { as: 'renter', payload: bookingFields, gives: { rental: booking } },
  ],
  [
    'PUT /api/user/{userId}/rentalBookings/update-booking/{id}',
    {
      as: 'owner',
      ids: () => ({ id: booked().id }),
      payload: async () => {
        await letItBegin(booked().booking_code);
        return { ...booked(), authorization: 'Authorized', returned_status: 'Returned' };
      },
    },
  ],
  ['GET /api/all-users', { as: 'admin', gives: { users: [user], total: {} } }],
  ['GET /api/all-bookings', { as: 'admin', gives: { bookings: [booking], total: {} } }],
  ['GET /api/rentalBookings/my-bookings', { as: 'owner', gives: { bookings: [booking] } }],
  [
    'GET /api/rentalBookings/{userId}/my-bookings',
    { as: 'renter', gives: { bookings: [booking] } },
  ],

  ['GET /api/messaging/{bookingId}/my-messages', { as: 'owner', gives: { messaging: [message] } }],
  [
    'POST /api/rentalBookings/{bookingId}/send-message',
    {
      as: 'renter',
      ids: () => ({ bookingId: booked().id }),
      payload: () => ({ message: 'Thank you', userId: world.people.renter.id }),
    },
  ],
  [
    'POST /api/user/{userId}/messaging/{messageId}/send-reply',
    { as: 'owner', payload: () => ({ message: 'Nine is fine' }) },
  ],
  ['GET /api/replies/{messageId}/my-replies', { as: 'renter', gives: { replies: [reply] } }],
  [
    'POST /api/user/{userId}/reviews/add-review',
    {
      as: 'renter',
      payload: () => ({
        rentalBooking_id: world.bookingId,
        userId: world.people.renter.id,
        rating: 4,
        rental_id: world.toolId,
        comment: 'Strong.',
      }),
      gives: { message: {} },
    },
  ],
  // Until the owner has written as well, only the author gets the review.
  ['GET /api/rentalBookings/get-review', { as: 'renter', gives: { reviews: [review] } }],
  [
    'POST /api/send-messaging-notification',
    { as: 'renter', payload: () => ({ userId: world.people.owner.id }) },
  ],
  [
    'POST /api/send-notification',
    {
      as: 'renter',
      payload: () => ({ toolOwner_id: world.people.owner.id, bookingName: world.toolName }),
    },
  ],
  [
    'POST /api/user/{ownerId}/notifications/add-notification',
    {
      as: 'renter',
      payload: () => ({
        message: 'Your tool has just been booked',
        userId: world.people.owner.id,
      }),
    },
  ],
];

const ask = async (call: string, { as, ids, path, payload }: Call): Promise<Reply> => {
  const [method = '', documented = ''] = call.split(' ');
  const person = as && world.people[as];
  const values: Record<string, unknown> = {
    ...world,
    paymentId: intent()?.paymentId,
    userId: person?.id,
    email: person?.email,
    ownerId: world.people.owner.id,
    ...ids?.(),
  };
  const requested = (path ?? documented).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  const body = await payload?.();
  const verb = method.toLowerCase() as 'get';
  return api()[verb](requested, { token: person?.token, body });
};

describe('the documented API', () => {
  it.each(calls)(
    'accepts the documented payload of %s, and returns the documented fields',
    async (name, call) => {
      // Retry after a 404: the service may not have consumed another service's event yet.
      const answer = await waitFor('a reply other than 404', async () => {
        const got = await ask(name, call);
        return got.status !== 404 && got;
      });

      said[name] = answer.body;
      expect(answer.status).toBeLessThan(300);
      expect(missingIn(answer.body, call.gives ?? {})).toEqual([]);
      expect(JSON.stringify(answer.body)).not.toContain('"password"');
    },
  );

  it('has 38 calls, each of which is tested', () => {
    expect(new Set(calls.map(([name]) => name)).size).toBe(38);
  });
});
