import { randomUUID } from 'node:crypto';
import { policyNames } from '@lendtools/contracts/cancellation';
import { waitFor } from '@lendtools/testing';
import fc from 'fast-check';
import { api, listTool, newPerson, type Person } from '../src/people.ts';
import {
  approvalOf,
  bookingsOf,
  buyAndCloseTheTab,
  daysAhead,
  line,
  request,
  requestShorterChange,
} from '../src/purchases.ts';
import type { Caller, World } from '../src/world.ts';
import { type Pools, tinyPng } from './values.ts';

/** The entities of the world, and further entities that calls may delete or cancel. */
export interface Stage extends World {
  spareTools: string[];
  spareCategories: string[];
  spareBookings: string[];
  spareRequests: string[];
  spareChanges: { bookingId: string; approvalId: string }[];
  /** The approvals of `spareRequests`, in the same order. */
  spareApprovals: string[];
  /** The last part of the picture's path. */
  toolImage: string;
  personImage: string;
}

const someDay = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map(daysAhead);

const imageName = (path: string): string => path.replace(/^.*(?:people|tools)-/, '');

const upload = async (path: string, field: string, token: string) => {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(tinyPng)]), 'dot.png');
  return (await api().put(path, { token, body: form })).body;
};

const addCategory = async (admin: Person): Promise<string> => {
  const body = { name: `Spare ${randomUUID().slice(0, 8)}` };
  const reply = await api().post('/api/add-rentals-main-category', { token: admin.token, body });
  return reply.body.category.id;
};

const book = async (renter: Person, toolIds: string[]) => {
  await buyAndCloseTheTab(
    renter,
    toolIds.map((id) => line(id, 20, 22)),
  );
  return waitFor('the bookings', async () => {
    const all: { id: string; rental_id: string }[] = await bookingsOf(renter);
    const spare = all.filter((one) => toolIds.includes(one.rental_id));
    return spare.length === toolIds.length && spare;
  });
};

export const prepareStage = async (world: World): Promise<Stage> => {
  const { owner, renter, admin } = world.people;
  const spareTools = await Promise.all(
    Array.from({ length: 16 }, (_, n) => {
      const cancellation = [undefined, ...policyNames][n % (policyNames.length + 1)];
      return listTool(owner, { quantity: 50, terms: JSON.stringify({ cancellation }) });
    }),
  );
  const [first] = spareTools as [string];
  const spareCategories = await Promise.all(Array.from({ length: 6 }, () => addCategory(admin)));
  const spareRequests: string[] = [];
  for (let n = 0; n < 3; n++) {
    const requested = await listTool(owner, { terms: JSON.stringify({ booking: 'request' }) });
    spareRequests.push(await request(renter, [line(requested, 30, 32)]));
  }
  const spareApprovals = await Promise.all(spareRequests.map((id) => approvalOf(renter, id)));
  const changing = await Promise.all([1, 2, 3].map(() => listTool(owner)));
  const booked = await book(renter, [...spareTools.slice(0, 4), ...changing]);
  const isChanging = (one: { rental_id: string }) => changing.includes(one.rental_id);
  const spareBookings = booked.filter((one) => !isChanging(one)).map(({ id }) => id);
  const spareChanges = await Promise.all(
    booked.filter(isChanging).map((one) => requestShorterChange(owner, renter, one)),
  );
  const [shownTool, shownPerson] = await Promise.all([
    upload(`/api/update-rental/${first}`, 'cover_image', owner.token),
    upload(`/api/update-account/${owner.id}`, 'image', owner.token),
  ]);
  // Use the calendar feed of a user who makes no calls: a call of the feed's owner could renew or stop it.
  const bystander = await newPerson();
  const calendar = await api().post(`/api/user/${bystander.id}/calendar-feed`, {
    token: bystander.token,
    body: { password: bystander.password },
  });
  return {
    ...world,
    calendarName: calendar.body.path.split('/').at(-1),
    spareTools,
    spareCategories,
    spareBookings,
    spareRequests,
    spareChanges,
    spareApprovals,
    toolImage: imageName(shownTool.rental.cover_image),
    personImage: imageName(shownPerson.user.image),
  };
};

/** Each of these calls gets its own booking and change to act on. */
const approvalOperations = ['acceptApproval', 'declineApproval', 'withdrawApproval'];

const idsByOperation = (stage: Stage): Record<string, string[]> => ({
  getTool: [stage.toolId, ...stage.spareTools],
  toolOwner: [stage.toolId, ...stage.spareTools],
  saveTool: [stage.toolId, ...stage.spareTools],
  unsaveTool: [stage.toolId, ...stage.spareTools],
  toolAvailability: [stage.toolId, ...stage.spareTools],
  // Only this account is blocked, because a block would hide the others from each other.
  blockPerson: [stage.people.disabled.id],
  unblockPerson: [stage.people.disabled.id],
  updateRental: [stage.toolId, ...stage.spareTools],
  deleteTool: stage.spareTools.slice(8),
  updateCategory: stage.spareCategories,
  deleteCategory: [stage.categoryId, ...stage.spareCategories.slice(3)],
  updateBooking: [stage.bookingId],
  cancelBooking: stage.spareBookings,
  cancelPreview: [stage.bookingId, ...stage.spareBookings, ...stage.spareRequests],
  changePreview: [stage.bookingId, ...stage.spareBookings],
  changeBooking: [stage.bookingId, ...stage.spareBookings],
  ...Object.fromEntries(
    approvalOperations.map((name, n) => [
      name,
      [stage.spareApprovals[n] as string, stage.spareChanges[n]?.approvalId as string],
    ]),
  ),
  undoAccept: [stage.spareApprovals[0] as string, stage.spareChanges[0]?.approvalId as string],
  undoReturn: [stage.bookingId],
  reviewRenter: [stage.bookingId],
  publicPerson: [stage.people.owner.id, stage.people.renter.id],
  personReviews: [stage.people.owner.id, stage.people.renter.id],
  reportProblem: [stage.bookingId, ...stage.spareBookings],
  settleProblem: [stage.problemId],
  takeReport: [stage.reportId],
  decideReport: [stage.reportId],
  refundBooking: stage.spareBookings,
  getBooking: [stage.bookingId, ...stage.spareBookings, ...stage.spareRequests],
  readNotice: [stage.noticeId],
});

const terms = fc.record(
  {
    booking: fc.constantFrom('instant', 'request'),
    cancellation: fc.constantFrom(...policyNames),
    staysListed: fc.boolean(),
    noticeHours: fc.constantFrom(0, 1, 720),
    buffer: fc.constantFrom(0, 1, 30),
    shortest: fc.constantFrom(1, 2),
    longest: fc.constantFrom(2, 7, 90),
    blocked: fc.array(fc.record({ from: someDay(0, 10), to: someDay(10, 20) }), { maxLength: 3 }),
    hours: fc.constantFrom({ monday: { from: '00:00', to: '23:59' }, sunday: null }, {}),
  },
  { requiredKeys: [] },
);

/** Generates meaningful values for a caller, such as ids that exist. */
export const poolsOf = (stage: Stage, operation: string, caller: Caller): Pools => {
  const { people } = stage;
  const me = people[caller === 'visitor' ? 'other' : caller];
  const unknown = fc.uuid({ version: 7 });
  const mostly = (...values: unknown[]) =>
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...values) }, unknown);
  const isSignUp = operation === 'createAccount';
  const newEmail = fc.nat(1e9).map((n) => `fuzz-${n}@lendtools.test`);
  return {
    // Admins may only change a user who is disabled already, because the run needs the other users.
    userId:
      operation === 'setUser'
        ? mostly(people.disabled.id)
        : mostly(me.id, me.id, me.id, people.owner.id),
    ownerId: mostly(people.owner.id),
    toolOwner_id: mostly(people.owner.id),
    id: mostly(...(idsByOperation(stage)[operation] ?? [stage.toolId])),
    rental_id: mostly(stage.toolId, ...stage.spareTools.slice(0, 8)),
    rentalBooking_id: mostly(stage.bookingId),
    bookingId: mostly(...(operation === 'sendMessage' ? stage.spareBookings : [stage.bookingId])),
    messageId: mostly(stage.messageId),
    threadId: mostly(stage.question.threadId),
    toolId: mostly(stage.toolId, ...stage.spareTools),
    paymentId: mostly(stage.paymentId),
    paymentIntentId: fc.constant(stage.paymentIntentId),
    cardId: fc.constantFrom('pm_none', 'pm_card_visa'),
    stripeId: fc.constantFrom(stage.paymentIntentId, 're_none', 'acct_none'),
    overdue: fc.constant('true'),
    number: mostly(stage.receiptNumber),
    month: fc.constantFrom('2026-11', '2026-12', '2999-12'),
    holdId: mostly(stage.holdId),
    categoryId: mostly(stage.categoryId, ...stage.spareCategories.slice(0, 3)),
    cursor: fc.constant(''),
    category: mostly(stage.categoryId),
    email: isSignUp ? newEmail : fc.oneof(fc.constantFrom(me.email, people.owner.email), newEmail),
    password: fc.constantFrom(me.password, 'pine-cone-and-moss'),
    newPassword: fc.constant('moss-and-pine-cone'),
    currentPassword: fc.constant('not my password'),
    phone: fc.constant(isSignUp ? '+1 512 555 0100' : me.phone),
    address: fc.constant(isSignUp ? '12 Congress Avenue' : me.address),
    state: fc.constant('Texas'),
    // Usually the users' own city, because a tool is listed near its owner.
    city: fc.constantFrom('Austin', 'Austin', 'Austin', 'Dallas'),
    code: fc.constantFrom('TX', 'ca', 'ZZ'),
    amountCents: fc.constantFrom(1, 50, 500),
    cents: fc.constantFrom(1, 50, 500),
    amount: fc.constantFrom(stage.holdAmount, 5_000, 50),
    price: fc.constantFrom(1, 12.5, 99_999.99),
    start_date: someDay(0, 10),
    end_date: someDay(10, 20),
    lat: fc.constant(30.27),
    lng: fc.constant(-97.74),
    bookingName: fc.constant(stage.toolName),
    terms,
    // The run needs the tool and its owner.
    decision: fc.constantFrom('dismiss', 'warn'),
    refundCents: fc.constantFrom(2_500, 1_250, 0),
    from: someDay(0, 10),
    to: someDay(10, 60),
    who: fc.constantFrom(people.admin.email, 'LendTools'),
    subject: mostly(people.disabled.id, stage.bookingId),
    ...(operation === 'toolImage' && { name: fc.constant(stage.toolImage) }),
    ...(operation === 'readCalendarFeed' && { name: fc.constant(stage.calendarName) }),
    ...(operation === 'personImage' && { name: fc.constant(stage.personImage) }),
    ...(operation === 'addRentalBooking' && {
      booking_code: fc.constant(stage.bookingCode),
      rental_id: fc.constant(stage.toolId),
    }),
  };
};
