import { randomInt, randomUUID } from 'node:crypto';
import { type RouteName, routes } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import {
  admin,
  anyCategory,
  api,
  listTool,
  newAdmin,
  newPerson,
  type Person,
  verifyEmail,
} from './people.ts';
import {
  approvalOf,
  bookingsOf,
  buyAndCloseTheTab,
  createIntent,
  daysAhead,
  hold,
  intentIdOf,
  letItBegin,
  line,
  request,
  requestShorterChange,
} from './purchases.ts';

/** `other` has an account but takes part in no booking. `support` and `finance` are admins with fewer rights than `admin`. */
export type Caller =
  | 'visitor'
  | 'owner'
  | 'renter'
  | 'other'
  | 'admin'
  | 'disabled'
  | 'support'
  | 'finance';
export const callers: Caller[] = ['visitor', 'owner', 'renter', 'other', 'admin', 'disabled'];
export const limitedAdmins = ['support', 'finance'] as const;

/** One entity of each kind, such as a tool with a paid booking, and a user in each role. */
export interface World {
  people: Record<Exclude<Caller, 'visitor'>, Person>;
  toolId: string;
  toolName: string;
  categoryId: string;
  holdId: string;
  holdAmount: number;
  bookingId: string;
  bookingCode: string;
  requestId: string;
  approvalId: string;
  change: { bookingId: string; approvalId: string };
  problemId: string;
  /** A report of the renter about the tool. */
  reportId: string;
  messageId: string;
  /** A question of the renter about the tool. */
  question: { messageId: string; threadId: string };
  noticeId: string;
  /** The last part of the URL of the owner's calendar feed. */
  calendarName: string;
  paymentId: string;
  paymentIntentId: string;
  receiptNumber: string;
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

/** Creates the users. Phone numbers and addresses are unique, so that a leak can be attributed to its user. */
const createPeople = async (words: string): Promise<World['people']> => {
  const named = (first_name: string) => {
    const digits = randomInt(1e6, 1e7);
    const [phone, address] = [`+1 737 ${digits}`, `${digits} Elm Row`];
    return { user_name: words, first_name, last_name: words, phone, address };
  };
  const somebody = (first_name: string) => newPerson(named(first_name));
  const [owner, renter, other, disabled, boss, support, finance] = await Promise.all([
    somebody('Olive').then(async (person) => {
      await verifyEmail(person);
      return person;
    }),
    somebody('Rene'),
    somebody('Otto'),
    somebody('Dora'),
    admin(),
    newAdmin('Support', named('Sue')),
    newAdmin('Finance', named('Fay')),
  ]);
  return { owner, renter, other, disabled, admin: boss, support, finance };
};

/** Requests a tool for dates of which the owner then blocks some. */
const requestBlockedDays = async (owner: Person, renter: Person) => {
  const requestedTool = await listTool(owner, { terms: JSON.stringify({ booking: 'request' }) });
  const requestId = await request(renter, [line(requestedTool, 50, 52)]);
  const blocked = [{ from: daysAhead(50), to: daysAhead(51) }];
  await api().put(`/api/update-rental/${requestedTool}`, {
    token: owner.token,
    body: { terms: { booking: 'request', blocked } },
  });
  return { requestId, approvalId: await approvalOf(renter, requestId) };
};

/** Starts the thread of a booking, as soon as the messaging service has consumed the event about it. */
const sendMessage = (renter: Person, bookingId: string, message: string): Promise<string> =>
  waitFor('the thread', async () => {
    const { token } = renter;
    const path = `/api/rentalBookings/${bookingId}/send-message`;
    const { status, body } = await api().post(path, { token, body: { message } });
    return status === 201 && body.messaging.id;
  });

const openQuestion = async (
  { id, token }: Person,
  toolId: string,
  message: string,
): Promise<World['question']> => {
  const path = `/api/user/${id}/rentals/${toolId}/send-question`;
  const { body } = await api().post(path, { token, body: { message } });
  return { messageId: body.messaging.id, threadId: body.messaging.bookingId };
};

const report = async (
  reporter: Person,
  { toolId, ownerId }: { toolId: string; ownerId: string },
  text: string,
): Promise<string> => {
  const { body: sent } = await api().post('/api/reports', {
    token: reporter.token,
    body: { about: 'tool', id: toolId, reason: 'other', text },
  });
  const { token } = await admin();
  const { body } = await api().get(`/api/admin/reports?authorId=${ownerId}`, { token });
  return body.reports.find(({ number }: { number: string }) => number === sent.number).id;
};

/** The number of a payment's receipt, which can be read once bookings has recorded the payment. */
export const receiptOf = ({ id, token }: Person, paymentId: string): Promise<string> =>
  waitFor('the receipt', async () => {
    const { status, body } = await api().get(`/api/user/${id}/receipts/${paymentId}`, { token });
    return status === 200 && body.receipt.number;
  });

/** @param words appear in names, descriptions and messages that users of this world write */
export const createWorld = async (words = 'Hill'): Promise<World> => {
  const people = await createPeople(words);
  const { owner, renter } = people;
  const toolName = `Drill ${words}`;
  const toolId = await listTool(owner, { name: toolName, description: words });
  // Wait until the bookings service has consumed the event about the tool; this takes longer while RabbitMQ restarts.
  const held = await waitFor('the hold', async () => {
    const reply = await hold(renter, [line(toolId, 40, 42)]);
    return reply.status === 201 && reply.body.hold;
  });
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
  const change = await requestShorterChange(owner, renter, booked);
  await letItBegin(booking.booking_code);
  const reported = await api().post(
    `/api/user/${renter.id}/rentalBookings/report-problem/${booking.id}`,
    { token: renter.token, body: { text: words } },
  );
  const requested = await requestBlockedDays(owner, renter);
  const messageId = await sendMessage(renter, booking.id, words);
  const question = await openQuestion(renter, toolId, words);
  const notices = await waitFor("the owner's notices", async () => {
    const reply = await api().get(`/api/user/${owner.id}/notifications`, { token: owner.token });
    return reply.body.notifications?.length > 0 && reply.body.notifications;
  });
  const { body: calendar } = await api().post(`/api/user/${owner.id}/calendar-feed`, {
    token: owner.token,
    body: { password: owner.password },
  });
  const receiptNumber = await receiptOf(renter, paymentId);
  await disable(people.disabled, people.admin);
  return {
    people,
    toolId,
    toolName,
    categoryId: await anyCategory(),
    holdId: held.id,
    holdAmount: held.amountCents,
    bookingId: booking.id,
    bookingCode: booking.booking_code,
    ...requested,
    change,
    problemId: reported.body.rental.problems[0].id,
    reportId: await report(renter, { toolId, ownerId: owner.id }, words),
    messageId,
    question,
    noticeId: notices[0].id,
    calendarName: calendar.path.split('/').at(-1),
    paymentId,
    paymentIntentId: intentIdOf(clientSecret),
    receiptNumber,
  };
};

export const queryFor = (name: RouteName): string => {
  if (name === 'toolsNearYou') return '?lat=30.27&lng=-97.74&radius=50&limit=200';
  if (name === 'priceRange') return `?category=${randomUUID()}&rental_circle=daily`;
  if (name === 'unsubscribe') return '?token=none';
  if (name === 'toolAvailability') return `?from=${daysAhead(0)}&to=${daysAhead(60)}`;
  if (name === 'personReviews') return '?as=renter';
  // The rental of the world's booking has begun, so a change can only extend it.
  if (name === 'changePreview') {
    const { booking_code: _, rental_id: __, ...dates } = line('', 0, 4);
    return `?${new URLSearchParams({ ...dates, quantity: '1' })}`;
  }
  return '';
};

const isAboutPerson = new Set<RouteName>(['publicPerson', 'personReviews']);

/** Fills in the ids of the world's entities, or random ids where the world has no such entity. */
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
    blockPerson: world.people.disabled.id,
    unblockPerson: world.people.disabled.id,
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
    reviewRenter: world.bookingId,
    settleProblem: world.problemId,
    takeReport: world.reportId,
    decideReport: world.reportId,
    acceptApproval: world.approvalId,
    undoAccept: world.approvalId,
    declineApproval: world.change.approvalId,
    withdrawApproval: world.change.approvalId,
    readNotice: world.noticeId,
    waiveInquiry: 'du_none',
  };
  const values: Record<string, string> = {
    // A receipt is found only under its renter's address.
    userId: name === 'receipt' || name === 'receiptFile' ? world.people.renter.id : person.id,
    ownerId: person.id,
    email: person.email,
    id: byRoute[name] ?? (isAboutPerson.has(name) ? person.id : randomUUID()),
    bookingId: world.bookingId,
    messageId: name === 'answerQuestion' ? world.question.messageId : world.messageId,
    threadId: world.question.threadId,
    toolId: world.toolId,
    paymentId: world.paymentId,
    cardId: 'pm_none',
    categoryId: world.categoryId,
    holdId: world.holdId,
    code: 'TX',
    number: world.receiptNumber,
    stripeId: world.paymentIntentId,
    month: '2026-11',
    zip: '78701',
    name: name === 'readCalendarFeed' ? world.calendarName : `${'0'.repeat(32)}-640.webp`,
  };
  return routes[name].path.replace(/:(\w+)/g, (_, param: string) => values[param] as string);
};
