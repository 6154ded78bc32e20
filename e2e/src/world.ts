import { randomInt, randomUUID } from 'node:crypto';
import { type RouteName, routes } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import {
  admin,
  anyCategory,
  api,
  listTool,
  newPerson,
  type Person,
  verifyEmail,
} from './people.ts';
import {
  askForLess,
  bookingsOf,
  buyAndCloseTheTab,
  createIntent,
  daysAhead,
  hold,
  intentIdOf,
  letItBegin,
  line,
  request,
} from './purchases.ts';

/** Who sends a request. `other` has an account but takes part in no booking; the account of `disabled` was disabled. */
export type Caller = 'visitor' | 'owner' | 'renter' | 'other' | 'admin' | 'disabled';
export const callers: Caller[] = ['visitor', 'owner', 'renter', 'other', 'admin', 'disabled'];

/**
 * One entity of each kind: a tool with a paid booking, its thread and notices, an unpaid hold, a request, a change, and a
 * user in each role.
 */
export interface World {
  people: Record<Exclude<Caller, 'visitor'>, Person>;
  toolId: string;
  toolName: string;
  categoryId: string;
  holdId: string;
  /** Cents. */
  holdAmount: number;
  bookingId: string;
  bookingCode: string;
  /** A tool on request, blocked on the first days of that request. */
  askedTool: string;
  /** A booking on request that the owner has not answered. */
  requestId: string;
  /** A change that the owner has to accept, and its booking. */
  change: { bookingId: string; changeId: string };
  problemId: string;
  messageId: string;
  noticeId: string;
  /** The last part of the URL of the owner's calendar feed. */
  calendarName: string;
  paymentId: string;
  paymentIntentId: string;
}

const disable = async (person: Person, by: Person): Promise<void> => {
  await api().put(`/api/users/${person.id}`, { token: by.token, body: { disabled: true } });
  await waitFor('the token to be rejected', async () => {
    const replies = await Promise.all([
      api().get(`/api/get-user-by-email/${person.email}`, { token: person.token }),
      api().get(`/api/user/${person.id}/rentals/my-rentals`, { token: person.token }),
      api().get(`/api/rentalBookings/${person.id}/my-bookings`, { token: person.token }),
      api().get(`/api/messaging/${randomUUID()}/my-messages`, { token: person.token }),
      api().get(`/api/user/${person.id}/notifications`, { token: person.token }),
      createIntent(person, { amount: 5_000 }),
    ]);
    return replies.every((reply) => reply.status === 401);
  });
};

/** @param words used in names, descriptions and messages that users of this world write */
export const createWorld = async (words = 'Hill'): Promise<World> => {
  // Phone numbers and addresses are unique, so that a leak can be attributed.
  const somebody = (first_name: string) => {
    const digits = randomInt(1e6, 1e7);
    const [phone, address] = [`+1 737 ${digits}`, `${digits} Elm Row`];
    return newPerson({ user_name: words, first_name, last_name: words, phone, address });
  };
  const [owner, renter, other, disabled, boss] = await Promise.all([
    somebody('Olive').then(async (person) => {
      await verifyEmail(person);
      return person;
    }),
    somebody('Rene'),
    somebody('Otto'),
    somebody('Dora'),
    admin(),
  ]);
  const toolName = `Drill ${words}`;
  const toolId = await listTool(owner, { name: toolName, description: words });
  const held = (await hold(renter, [line(toolId, 40, 42)])).body.hold;
  const changing = await listTool(owner);
  const { paymentId, clientSecret } = await buyAndCloseTheTab(renter, [
    line(toolId, 0, 2),
    line(changing, 20, 22),
  ]);
  const [booking, booked] = await waitFor('the bookings', async () => {
    const all: { id: string; rental_id: string; booking_code: string }[] = await bookingsOf(renter);
    const [one, other] = [toolId, changing].map((id) => all.find((it) => it.rental_id === id));
    return one && other && ([one, other] as const);
  });
  const change = await askForLess(owner, renter, booked);
  await letItBegin(booking.booking_code);
  const reported = await api().post(
    `/api/user/${renter.id}/rentalBookings/report-problem/${booking.id}`,
    { token: renter.token, body: { text: words } },
  );
  const askedTool = await listTool(owner, { terms: JSON.stringify({ booking: 'request' }) });
  const requestId = await request(renter, [line(askedTool, 50, 52)]);
  const blocked = [{ from: daysAhead(50), to: daysAhead(51) }];
  await api().put(`/api/update-rental/${askedTool}`, {
    token: owner.token,
    body: { terms: { booking: 'request', blocked } },
  });
  const sent = await waitFor('the thread', async () => {
    const reply = await api().post(`/api/rentalBookings/${booking.id}/send-message`, {
      token: renter.token,
      body: { message: words },
    });
    return reply.status === 201 && reply;
  });
  const notices = await waitFor("the owner's notices", async () => {
    const reply = await api().get(`/api/user/${owner.id}/notifications`, { token: owner.token });
    return reply.body.notifications?.length > 0 && reply.body.notifications;
  });
  const { body: calendar } = await api().post(`/api/user/${owner.id}/calendar-feed`, {
    token: owner.token,
    body: { password: owner.password },
  });
  await disable(disabled, boss);
  return {
    people: { owner, renter, other, disabled, admin: boss },
    toolId,
    toolName,
    categoryId: await anyCategory(),
    holdId: held.id,
    holdAmount: held.amountCents,
    bookingId: booking.id,
    bookingCode: booking.booking_code,
    askedTool,
    requestId,
    change,
    problemId: reported.body.rental.problems[0].id,
    messageId: sent.body.messaging.id,
    noticeId: notices[0].id,
    calendarName: calendar.path.split('/').at(-1),
    paymentId,
    paymentIntentId: intentIdOf(clientSecret),
  };
};

/** The query string with the route's required parameters. */
export const queryFor = (name: RouteName): string => {
  if (name === 'toolsNearYou') return '?lat=30.27&lng=-97.74&radius=50&limit=200';
  if (name === 'toolAvailability') return `?from=${daysAhead(0)}&to=${daysAhead(60)}`;
  // The world's booking has begun, so it can only be extended.
  if (name === 'changePreview') {
    const { booking_code: _, rental_id: __, ...dates } = line('', 0, 4);
    return `?${new URLSearchParams({ ...dates, quantity: '1' })}`;
  }
  return '';
};

/** The route's path with the user ids of `whose` and the world's other ids; random where the world has no such entity. */
export const pathFor = (
  world: World,
  name: RouteName,
  whose: Exclude<Caller, 'visitor'>,
): string => {
  const person = world.people[whose];
  const byRoute: Partial<Record<RouteName, string>> = {
    getTool: world.toolId,
    toolOwner: world.toolId,
    saveTool: world.toolId,
    unsaveTool: world.toolId,
    toolAvailability: world.toolId,
    updateRental: world.toolId,
    deleteTool: world.toolId,
    updateCategory: world.categoryId,
    deleteCategory: world.categoryId,
    updateBooking: world.bookingId,
    cancelBooking: world.bookingId,
    cancelPreview: world.bookingId,
    changePreview: world.bookingId,
    changeBooking: world.bookingId,
    refundBooking: world.bookingId,
    getBooking: world.bookingId,
    undoReturn: world.bookingId,
    reportProblem: world.bookingId,
    settleProblem: world.problemId,
    acceptRequest: world.requestId,
    declineRequest: world.requestId,
    withdrawRequest: world.requestId,
    acceptChange: world.change.bookingId,
    declineChange: world.change.bookingId,
    withdrawChange: world.change.bookingId,
    readNotice: world.noticeId,
  };
  const values: Record<string, string> = {
    userId: person.id,
    ownerId: person.id,
    email: person.email,
    id: byRoute[name] ?? randomUUID(),
    bookingId: world.bookingId,
    messageId: world.messageId,
    paymentId: world.paymentId,
    categoryId: world.categoryId,
    holdId: world.holdId,
    code: 'TX',
    zip: '78701',
    name: name === 'readCalendarFeed' ? world.calendarName : `${'0'.repeat(32)}-640.webp`,
  };
  return routes[name].path.replace(/:(\w+)/g, (_, param: string) => values[param] as string);
};
