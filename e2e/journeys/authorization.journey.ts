import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Route, type RouteName, routes } from '@lendtools/contracts';
import { api } from '../src/people.ts';
import { line } from '../src/purchases.ts';
import { type Caller, callers, createWorld, pathFor, type World } from '../src/world.ts';

/**
 * Every route, asked by everybody about everybody's things. A 2xx that the policy does not grant fails, and so does
 * a refusal of who asked that the policy does grant.
 */
let world: World;
beforeAll(async () => {
  world = await createWorld();
}, 120_000);

/** A valid body for each route that takes one; an empty one would be refused before the policy is seen. */
const bodies: Partial<Record<RouteName, () => unknown>> = {
  login: () => ({ email: 'nobody@lendtools.test', password: 'wrong-password' }),
  userRequestPasswordToken: () => ({ email: 'nobody@lendtools.test' }),
  requestPasswordToken: () => ({ email: 'nobody@lendtools.test' }),
  resetPassword: () => ({ token: 'none', newPassword: 'a-long-enough-one' }),
  confirmEmail: () => ({ token: 'none' }),
  updateAccount: () => ({ first_name: 'Robin' }),
  setUser: () => ({}),
  addRental: () => ({ name: 'Saw', description: 'Sharp.', price: 5, categoryId: world.categoryId }),
  updateRental: () => ({ price: 13 }),
  addCategory: () => ({ name: `Category ${randomUUID()}` }),
  updateCategory: () => ({}),
  holdCart: () => ({ lines: [line(randomUUID())] }),
  addRentalBooking: () => line(randomUUID()),
  updateBooking: () => ({ returned_status: 'null' }),
  cancelBooking: () => ({}),
  addReview: () => ({ rentalBooking_id: world.bookingId, rating: 5, comment: 'Good.' }),
  createPaymentIntent: () => ({ amount: 5_000 }),
  confirmPayment: () => ({ paymentIntentId: world.paymentIntentId }),
  sendMessage: () => ({ message: 'Hello' }),
  sendReply: () => ({ message: 'Hello' }),
  sendNotification: () => ({ toolOwner_id: world.people.owner.id, bookingName: 'Cordless drill' }),
  sendMessagingNotification: () => ({ userId: world.people.owner.id }),
  addNotification: () => ({ message: 'Your tool has just been booked' }),
};

/** Whether the policy lets the caller in, when it asks about `whose` things. */
const isGranted = (name: RouteName, caller: Caller, whose: Caller): boolean => {
  const { who } = routes[name] as Route;
  if (who === 'anyone') return true;
  if (caller === 'visitor' || caller === 'disabled') return false;
  const isAdmin = caller === 'admin';
  const things: Partial<Record<RouteName, Caller[]>> = {
    updateRental: ['owner'],
    deleteTool: ['owner'],
    confirmPayment: ['renter'],
    getUserByEmail: [whose],
    updateBooking: ['owner'],
    sendReply: ['owner', 'renter'],
    addReview: ['renter'],
  };
  switch (who) {
    case 'user':
      return true;
    case 'admin':
      return isAdmin;
    case 'self':
      return caller === whose && (things[name] ?? [caller]).includes(caller);
    case 'self or admin':
      return caller === whose || isAdmin;
    case 'owner or admin':
      return (things[name] as Caller[]).includes(caller) || isAdmin;
    case 'party':
      return caller === 'owner' || caller === 'renter';
    case 'party or admin':
      return caller === 'owner' || caller === 'renter' || isAdmin;
  }
};

/** These take things away from the others' questions; their own services test who may. */
const destructive = new Set<RouteName>([
  'deleteTool',
  'cancelBooking',
  'logout',
  'readAllNotices',
  'deleteCategory',
]);

const ask = (name: RouteName, caller: Caller, whose: Exclude<Caller, 'visitor'>) => {
  const token = caller === 'visitor' ? undefined : world.people[caller].token;
  const verb = routes[name].method.toLowerCase() as 'get';
  const query = name === 'toolsNearYou' ? '?lat=30&lng=-97&radius=5' : '';
  return api()[verb](pathFor(world, name, whose) + query, { token, body: bodies[name]?.() });
};

/** What a caller got that it should not have got, or did not get that it should; nothing when all is well. */
const judge = async (
  name: RouteName,
  caller: Caller,
  whose: Exclude<Caller, 'visitor'>,
): Promise<string | undefined> => {
  const granted = isGranted(name, caller, whose);
  if (granted && destructive.has(name)) return undefined;
  const { status, body } = await ask(name, caller, whose);
  const asked = `${caller} about ${whose}: ${status} ${body.code ?? ''}`;
  if (!granted && status < 300) return `let in: ${asked}`;
  if (!granted && status >= 500) return `broke: ${asked}`;
  if (granted && (status === 401 || body.code === 'FORBIDDEN')) return `kept out: ${asked}`;
  return undefined;
};

/** Where anyone may write there is nothing to keep anybody out of. */
const judged = (Object.keys(routes) as RouteName[]).filter(
  (name) => routes[name].who !== 'anyone' || routes[name].method === 'GET',
);

describe('who may do what', () => {
  it.each(judged)('%s', async (name) => {
    const pairs = callers.flatMap((caller) =>
      (['owner', 'renter', 'other', 'admin'] as const).map((whose) => [caller, whose] as const),
    );

    const verdicts = await Promise.all(pairs.map(([caller, whose]) => judge(name, caller, whose)));

    expect(verdicts.filter(Boolean)).toEqual([]);
  });
});
