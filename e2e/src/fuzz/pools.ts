import { randomUUID } from 'node:crypto';
import { waitFor } from '@lendtools/testing';
import fc from 'fast-check';
import { api, listTool } from '../people.ts';
import { bookingsOf, buyAndCloseTheTab, daysAhead, line } from '../purchases.ts';
import type { Caller, World } from '../world.ts';
import { type Pools, tinyPng } from './values.ts';

/** The world and what may be used up: deleted, cancelled. */
export interface Stage extends World {
  spareTools: string[];
  spareCategories: string[];
  spareBookings: string[];
  /** As the pictures' paths end. */
  toolImage: string;
  personImage: string;
}

const imageName = (path: string): string => path.replace(/^.*(?:people|tools)-/, '');

const upload = async (path: string, field: string, token: string) => {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(tinyPng)]), 'dot.png');
  return (await api().put(path, { token, body: form })).body;
};

export const prepareStage = async (world: World): Promise<Stage> => {
  const { owner, renter, admin } = world.people;
  const spareTools = await Promise.all(
    Array.from({ length: 16 }, () => listTool(owner, { quantity: 50 })),
  );
  const [first, second] = spareTools as [string, string];
  const spareCategories = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const body = { name: `Spare ${randomUUID().slice(0, 8)}` };
      const reply = await api().post('/api/add-rentals-main-category', {
        token: admin.token,
        body,
      });
      return reply.body.category.id as string;
    }),
  );
  await buyAndCloseTheTab(renter, [line(first, 20, 22), line(second, 20, 22)]);
  const bookings = await waitFor('the bookings', async () => {
    const all: { id: string }[] = await bookingsOf(renter);
    return all.length >= 3 && all;
  });
  const spareBookings = bookings.map(({ id }) => id).filter((id) => id !== world.bookingId);
  const [shownTool, shownPerson] = await Promise.all([
    upload(`/api/update-rental/${first}`, 'cover_image', owner.token),
    upload(`/api/update-account/${owner.id}`, 'image', owner.token),
  ]);
  return {
    ...world,
    spareTools,
    spareCategories,
    spareBookings,
    toolImage: imageName(shownTool.rental.cover_image),
    personImage: imageName(shownPerson.user.image),
  };
};

const idsByOperation = (stage: Stage): Record<string, string[]> => ({
  getTool: [stage.toolId, ...stage.spareTools],
  toolOwner: [stage.toolId, ...stage.spareTools],
  saveTool: [stage.toolId, ...stage.spareTools],
  unsaveTool: [stage.toolId, ...stage.spareTools],
  toolAvailability: [stage.toolId, ...stage.spareTools],
  updateRental: [stage.toolId, ...stage.spareTools],
  deleteTool: stage.spareTools.slice(8),
  updateCategory: stage.spareCategories,
  deleteCategory: [stage.categoryId, ...stage.spareCategories.slice(3)],
  updateBooking: [stage.bookingId],
  cancelBooking: stage.spareBookings,
  refundBooking: stage.spareBookings,
  getBooking: [stage.bookingId, ...stage.spareBookings],
  readNotice: [stage.noticeId],
});

/** What the fields of a call may mean when this caller makes it. */
export const poolsOf = (stage: Stage, operation: string, caller: Caller): Pools => {
  const { people } = stage;
  const me = people[caller === 'visitor' ? 'other' : caller];
  const unknown = fc.uuid({ version: 7 });
  const mostly = (...values: unknown[]) =>
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...values) }, unknown);
  const isSignUp = operation === 'createAccount';
  const newEmail = fc.nat(1e9).map((n) => `fuzz-${n}@lendtools.test`);
  return {
    // An admin takes rights away from nobody who is still needed.
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
    paymentId: mostly(stage.paymentId),
    paymentIntentId: fc.constant(stage.paymentIntentId),
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
    city: fc.constantFrom('Austin', 'Dallas'),
    code: fc.constantFrom('TX', 'ca', 'ZZ'),
    amountCents: fc.constantFrom(1, 50, 500),
    amount: fc.constantFrom(stage.holdAmount, 5_000, 50),
    price: fc.constantFrom(1, 12.5, 99_999.99),
    start_date: fc.integer({ min: 0, max: 10 }).map(daysAhead),
    end_date: fc.integer({ min: 10, max: 20 }).map(daysAhead),
    lat: fc.constant(30.27),
    lng: fc.constant(-97.74),
    bookingName: fc.constant(stage.toolName),
    ...(operation === 'toolAvailability' && {
      from: fc.integer({ min: 0, max: 10 }).map(daysAhead),
      to: fc.integer({ min: 10, max: 60 }).map(daysAhead),
    }),
    ...(operation === 'toolImage' && { name: fc.constant(stage.toolImage) }),
    ...(operation === 'readCalendarFeed' && { name: fc.constant(stage.calendarName) }),
    ...(operation === 'personImage' && { name: fc.constant(stage.personImage) }),
    ...(operation === 'addRentalBooking' && {
      booking_code: fc.constant(stage.bookingCode),
      rental_id: fc.constant(stage.toolId),
    }),
  };
};
