import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Reply } from '@lendtools/testing';
import { api, listTool, newPerson, type Person, signUpFields } from '../src/people.ts';
import { createIntent, intentIdOf, line, payByCard } from '../src/purchases.ts';
import { createWorld, type World } from '../src/world.ts';

/** Checks the documented messages of the API. Tests of the web pages check those that the browser produces. */
let world: World;
let toolId: string;
let hourlyToolId: string;
beforeAll(async () => {
  world = await createWorld();
  const { owner } = world.people;
  [toolId, hourlyToolId] = await Promise.all([
    listTool(owner),
    listTool(owner, { rental_circle: 'hourly' }),
  ]);
});

const signUp = (overrides: Parameters<typeof signUpFields>[0]) =>
  api().post('/api/create-account', { body: signUpFields(overrides) });

const addTool = ({ id, token }: Person, overrides: object) =>
  api().post(`/api/user/${id}/add-rental`, {
    token,
    body: {
      name: 'Saw',
      description: 'Sharp.',
      price: 5,
      categoryId: world.categoryId,
      ...overrides,
    },
  });

const addCategory = async (token: string): Promise<string> => {
  const body = { name: `Spare ${Date.now()}` };
  return (await api().post('/api/add-rentals-main-category', { token, body })).body.category.id;
};

const book = (token: string | undefined, overrides: object) =>
  api().post(`/api/user/${world.people.renter.id}/add-rental-booking`, {
    token,
    body: { ...line(toolId), ...overrides },
  });

const resetPassword = (body: object, token?: string) =>
  api().post('/api/reset-password', { token, body: { newPassword: 'moss-and-pine', ...body } });

const payWith = async (renter: Person, card: string): Promise<Reply> => {
  const { clientSecret, paymentId } = (await createIntent(renter, { amount: 5_000 })).body;
  await payByCard(clientSecret, card).catch(() => {});
  return api().put(`/api/payment/confirm-payment/${paymentId}`, {
    token: renter.token,
    body: { paymentIntentId: intentIdOf(clientSecret), amount: 5_000, userId: renter.id },
  });
};

const says = (message: string) => ({ message });
const saysFirst = (msg: string) => ({ errors: [{ msg }] });

describe('the messages of the error catalog', () => {
  it.each<[string, (people: World['people']) => Promise<Reply>, number, object]>([
    [
      'login failure: the server message',
      ({ owner: { email } }) => api().post('/api/login', { body: { email, password: 'wrong' } }),
      401,
      says('The email or the password is wrong.'),
    ],
    [
      'sign-up failure: the server message',
      ({ owner: { email } }) => signUp({ email }),
      409,
      says('There is already an account with this email.'),
    ],
    [
      'sign-up failure: the first entry of the errors list',
      () => signUp({ phone: 'none' }),
      400,
      saysFirst('Please enter a valid phone number, such as (503) 555-0100'),
    ],
    [
      'add-tool failure: the first entry of the errors list',
      ({ owner }) => addTool(owner, { price: 0 }),
      400,
      saysFirst('The price must be more than $0'),
    ],
    [
      'delete category: success',
      async ({ admin: { token } }) =>
        api().delete(`/api/category/delete-category/${await addCategory(token)}`, { token }),
      200,
      says('Category deleted successfully'),
    ],
    [
      'delete category: the server error',
      ({ admin: { token } }) =>
        api().delete(`/api/category/delete-category/${world.categoryId}`, { token }),
      409,
      says('Some tools are in this category. It can be deleted once they are moved or gone.'),
    ],
    [
      'delete tool: success',
      async ({ owner }) => {
        const { token } = owner;
        return api().delete(`/api/rentals/delete-tool/${await listTool(owner)}`, { token });
      },
      200,
      says('Tool deleted successfully'),
    ],
    [
      'delete tool: the server error',
      ({ owner: { token } }) => api().delete(`/api/rentals/delete-tool/${world.toolId}`, { token }),
      409,
      says(
        'Somebody has booked this tool or is about to. You can delete it once every booking is returned or cancelled.',
      ),
    ],
    [
      'booking creation failure: unauthorized',
      () => book(undefined, {}),
      401,
      { title: 'Unauthorized', code: 'UNAUTHORIZED' },
    ],
    [
      'booking creation failure: no start date',
      ({ renter }) => book(renter.token, { start_date: '' }),
      400,
      saysFirst('Please select your start date'),
    ],
    [
      'booking creation failure: no returning date',
      ({ renter }) => book(renter.token, { end_date: undefined }),
      400,
      saysFirst('Please select your returning date'),
    ],
    [
      'booking creation failure: no start time',
      ({ renter }) => book(renter.token, { rental_id: hourlyToolId, start_time: '' }),
      400,
      saysFirst('Please select your start time'),
    ],
    [
      'booking creation failure: no returning time',
      ({ renter }) => book(renter.token, { rental_id: hourlyToolId, end_time: '' }),
      400,
      saysFirst('Please select your returning time'),
    ],
    [
      'password reset failure: by mailed link',
      () => resetPassword({ token: 'none' }),
      400,
      says('Error resetting password'),
    ],
    [
      'password reset failure: signed in',
      ({ other: { token } }) => resetPassword({ currentPassword: 'wrong' }, token),
      403,
      says('Error resetting password'),
    ],
    [
      "card error: the provider's message",
      ({ renter }) => payWith(renter, 'pm_card_chargeDeclined'),
      402,
      says('Your card was declined.'),
    ],
    [
      'profile update: its message',
      ({ other: { id, token } }) =>
        api().put(`/api/update-account/${id}`, { token, body: { user_name: 'otto' } }),
      200,
      says('Your account is updated.'),
    ],
    [
      'profile update: the server message',
      async ({ other: { id, token }, owner: { email } }) =>
        api().put(`/api/update-account/${id}`, { token, body: { email, password: 'wrong' } }),
      403,
      says('The current password is wrong.'),
    ],
    [
      'password request: its message',
      async () =>
        api().post('/api/request-password-token', { body: { email: (await newPerson()).email } }),
      200,
      says('If there is an account with this email, a link to reset the password is on its way.'),
    ],
    [
      'unauthorized on the user poll',
      ({ disabled: { email, token } }) => api().get(`/api/get-user-by-email/${email}`, { token }),
      401,
      { title: 'Unauthorized', code: 'UNAUTHORIZED' },
    ],
  ])('returns the documented message (%s)', async (_, ask, status, body) => {
    const reply = await ask(world.people);

    expect(reply).toMatchObject({ status, body });
  });
});
