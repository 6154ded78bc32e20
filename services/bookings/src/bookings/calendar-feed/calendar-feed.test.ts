import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { currentPassword, httpClient } from '@lendtools/testing';
import ICAL from 'ical.js';
import {
  type BookingsService,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService();
});
afterAll(() => bookings.stop());

const eventsIn = (file: string) =>
  new ICAL.Component(ICAL.parse(file))
    .getAllSubcomponents('vevent')
    .map((each) => new ICAL.Event(each));

const feedOf = ({ userId }: Person) => `/api/user/${userId}/calendar-feed`;
const renew = async (person: Person): Promise<string> => {
  const { status, body } = await bookings.http.post(feedOf(person), {
    token: person.token,
    body: { password: currentPassword },
  });
  expect(status).toBe(201);
  return body.path;
};
/** Reads a calendar feed and joins its folded lines. */
const read = async (path: string) => {
  const { status, headers, body } = await bookings.http.get(path);
  return { status, headers, text: String(body).replaceAll('\r\n ', '') };
};

describe('a calendar feed', () => {
  it('lists rentals with the pick-up place, and lent tools with the name of the renter', async () => {
    const owner = await bookings.neighbor({ firstName: 'Sam' });
    const renter = await bookings.neighbor({ firstName: 'Rita' });
    const { toolId } = await bookings.tool({ ownerId: owner.userId, name: 'Tile saw' });
    const { id, code } = await bookings.booked(renter, toolId);

    const rents = await read(await renew(renter));
    const lends = await read(await renew(owner));

    expect(rents.status).toBe(200);
    expect(rents.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(rents.headers.get('cache-control')).toBe('private, no-cache');
    expect(rents.text).toContain(`UID:${id}@lendtools`);
    expect(rents.text).toContain('SUMMARY:Tile saw from Sam');
    expect(rents.text).toContain('LOCATION:1 Oak Street\\, Chicago\\, Illinois');
    expect(rents.text).toContain(`Booking code ${code}`);
    expect(lends.text).toContain('SUMMARY:Tile saw to Rita');
    expect(lends.text).not.toContain('LOCATION');
  });

  it('marks a cancelled booking, and omits its pick-up place', async () => {
    const owner = await bookings.neighbor({ firstName: 'Sam' });
    const renter = await bookings.neighbor();
    const { toolId } = await bookings.tool({ ownerId: owner.userId });
    const { id } = await bookings.booked(renter, toolId);
    const path = await renew(renter);
    await bookings.http.post(`/api/user/${renter.userId}/rentalBookings/cancel-booking/${id}`, {
      token: renter.token,
      body: {},
    });

    const { text } = await read(path);

    expect(text).toContain('STATUS:CANCELLED');
    expect(text).not.toContain('Oak Street');
  });

  it('omits the pick-up place of a completed booking between blocked people once the tool is back', async () => {
    const [owner, renter] = [await bookings.neighbor(), await bookings.neighbor()];
    const { toolId } = await bookings.tool({ ownerId: owner.userId });
    const { id } = await bookings.booked(renter, toolId);
    await bookings.pool.query(
      `UPDATE bookings SET status = 'completed', completed_at = now(), returned_at = now() WHERE id = $1`,
      [id],
    );
    const path = await renew(renter);
    const before = await read(path);
    await bookings.pool.query(
      'INSERT INTO blocks (blocker_id, blocked_id, version, blocked) VALUES ($1, $2, 1, true)',
      [owner.userId, renter.userId],
    );

    const after = await read(path);

    expect(before.text).toContain('Oak Street');
    expect(after.text).toContain(id);
    expect(after.text).not.toContain('Oak Street');
  });

  it('lists an open request as tentative and without the pick-up place, and omits a declined request', async () => {
    const owner = await bookings.neighbor({ firstName: 'Sam' });
    const renter = await bookings.neighbor({ firstName: 'Rita' });
    const { toolId } = await bookings.toolOnRequest({ ownerId: owner.userId });
    const { id, approvalId, payment } = await bookings.requested(renter, { toolId });
    const other = await bookings.requested(renter, { ownerId: owner.userId });
    const [rents, lends] = [await renew(renter), await renew(owner)];
    const statusesOf = async (path: string) =>
      eventsIn((await read(path)).text).map((event) => [
        event.uid.split('@')[0],
        event.component.getFirstPropertyValue('status'),
        event.location,
      ]);

    const tentative = [
      [id, 'TENTATIVE', null],
      [other.id, 'TENTATIVE', null],
    ].toSorted();
    expect((await statusesOf(rents)).toSorted()).toEqual(tentative);
    expect((await statusesOf(lends)).toSorted()).toEqual(tentative);

    await bookings.answer(owner, other.approvalId, 'decline');
    await bookings.answer(owner, approvalId, 'accept');
    await bookings.succeed(payment);
    await bookings.broker.expectEvent('BookingCreated', (data) => data.bookingId === id);

    expect(await statusesOf(rents)).toEqual([[id, 'CONFIRMED', '1 Oak Street, Chicago, Illinois']]);
    expect(await statusesOf(lends)).toEqual([[id, 'CONFIRMED', null]]);
  });

  it('lists 500 bookings: the upcoming ones, then the newest past ones', async () => {
    const renter = await bookings.neighbor();
    const { id } = await bookings.booked(renter, (await bookings.tool()).toolId);
    // These bookings ended 1 to 500 hours ago.
    await bookings.pool.query(
      `INSERT INTO bookings SELECT (jsonb_populate_record(b, jsonb_build_object('id', uuidv7(), 'status', 'returned',
         'starts_at', now() - (n + 1) * interval '1 hour', 'ends_at', now() - n * interval '1 hour'))).*
       FROM bookings b, generate_series(1, 500) n WHERE b.id = $1`,
      [id],
    );

    const [first, ...past] = eventsIn((await read(await renew(renter))).text);

    const hoursSince = (event: ICAL.Event) =>
      Math.floor((Date.now() - event.endDate.toJSDate().getTime()) / 3_600_000);
    expect(first?.uid).toBe(`${id}@lendtools`);
    expect(past.map(hoursSince)).toEqual(Array.from({ length: 499 }, (_, i) => i + 1));
  });

  it('omits holds, and other users’ bookings', async () => {
    const renter = await bookings.neighbor();
    await bookings.held(renter);
    await bookings.booked(await bookings.neighbor(), (await bookings.tool()).toolId);

    expect((await read(await renew(renter))).text).not.toContain('VEVENT');
  });

  it('keeps its address until the address is renewed or deleted', async () => {
    const person = await bookings.person();
    const first = await renew(person);
    const second = await renew(person);
    const { body } = await bookings.http.get(feedOf(person), person);

    expect(body.since).toMatch(/^20/);
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200]);

    await bookings.http.delete(feedOf(person), { token: person.token });

    expect((await read(second)).status).toBe(404);
    expect((await bookings.http.get(feedOf(person), person)).body).toEqual({ since: null });
  });

  it('gets an address, reported by an event, only with the current password', async () => {
    const person = await bookings.person();
    const create = (body: object) =>
      bookings.http.post(feedOf(person), { token: person.token, body });

    expect(await create({})).toMatchObject({ status: 400 });
    expect(await create({ password: 'guessed' })).toMatchObject({
      status: 403,
      body: { code: 'PASSWORD_WRONG' },
    });
    expect((await bookings.http.get(feedOf(person), person)).body).toEqual({ since: null });

    await renew(person);

    await bookings.broker.expectEvent(
      'CalendarFeedCreated',
      ({ userId }) => userId === person.userId,
    );
  });

  it('limits renewals of its address to ten a day', async () => {
    const person = await bookings.person();
    const limited = await bookings.start({ RATE_LIMIT_FACTOR: '1' });
    const http = httpClient(limited.url);
    const body = { password: currentPassword };

    const statuses = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await http.post(feedOf(person), { token: person.token, body })).status);
    await limited.stop();

    expect(statuses).toEqual([...Array(10).fill(201), 429]);
  });

  it('rejects a guessed address, and stores only a hash of the secret in its address', async () => {
    const path = await renew(await bookings.person());
    const secret = path.split('/').at(-1)?.replace('.ics', '') ?? '';

    const { rows } = await bookings.pool.query('SELECT * FROM calendar_feeds');

    expect(JSON.stringify(rows)).not.toContain(secret);
    expect((await read(`/api/calendars/${'A'.repeat(43)}.ics`)).status).toBe(404);
    expect((await read(`/api/calendars/${secret}`)).status).toBe(400);
  });
});
