import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { lendOnRequest, requestChange, answer } = changesAt(() => service);

const lend = async (units = 1) => {
  const owner = await service.neighbor({ firstName: 'Olga', lastName: 'Ivy' });
  const renter = await service.neighbor({
    firstName: 'Ray',
    lastName: 'Fox',
    address: '9 Elm Street',
  });
  const tool = await service.tool({ ownerId: owner.userId, units });
  return { owner, renter, tool };
};

describe('the lists of bookings', () => {
  it('show every field of a paid booking to its owner and its renter', async () => {
    const { owner, renter, tool } = await lend();
    const { id, code, payment } = await service.booked(renter, tool.toolId, {
      start_time: '7.00 AM',
    });

    const rented = await service.http.get(
      `/api/rentalBookings/${renter.userId}/my-bookings`,
      renter,
    );
    const lent = await service.http.get('/api/rentalBookings/my-bookings', owner);
    const details = await service.http.get(`/api/rentalBookings/${id}/details`, renter);

    expect(rented.body).toEqual({
      bookings: [
        {
          id,
          booking_code: code,
          name: 'Hammer drill',
          description: 'Goes through anything.',
          price: 12.5,
          rating: 0,
          payment: 25,
          discount: 0,
          booking_status: 'Booked',
          authorization: 'Authorized',
          period: 2,
          returned_status: 'null',
          reviews: { byOwner: false, byRenter: false, closesAt: null },
          rental_circle: 'daily',
          country: 'United States',
          state: 'Illinois',
          city: 'Chicago',
          address: '1 Oak Street',
          start_date: inDays(10),
          start_time: '7.00 AM',
          end_date: inDays(12),
          end_time: '',
          pickup_date: inDays(10),
          rental_id: tool.toolId,
          image: tool.coverImage,
          cover_image: tool.coverImage,
          quantity: 1,
          googleMap:
            'https://www.google.com/maps/search/?api=1&query=1%20Oak%20Street%2C%20Chicago%2C%20Illinois',
          toolOwnerId: owner.userId,
          userId: renter.userId,
          user: { id: renter.userId, first_name: 'Ray', last_name: 'Fox' },
          toolOwner: { id: owner.userId, first_name: 'Olga', last_name: 'Ivy' },
          timeZone: 'UTC',
          startsAt: `${inDays(10)}T07:00:00.000Z`,
          endsAt: `${inDays(12)}T07:00:00.000Z`,
          createdAt: expect.any(String),
          bookedAt: expect.any(String),
          cancellationPolicy: null,
          approval: null,
          hasOpenProblem: false,
          returnedAt: null,
          completedAt: null,
          refundPercentMost: null,
          changedAt: null,
          paid: 25,
          allowedActions: ['cancel', 'change'],
          cancellation: null,
          refunded: 0,
          refundable: 25,
          held: 0,
          earnings: null,
          settlement: null,
        },
      ],
      nextCursor: null,
    });
    const [booking] = rented.body.bookings;
    expect(lent.body.bookings).toEqual([{ ...booking, allowedActions: ['cancel'] }]);
    expect(details.body).toEqual({
      booking: {
        ...booking,
        unpaidChange: null,
        changes: [],
        problems: [],
        renterReview: null,
        paymentIds: [payment.paymentId],
        completesAt: `${inDays(14)}T07:00:00.000Z`,
      },
    });
  });

  it('keep the name and picture of a removed tool', async () => {
    const { renter, tool } = await lend();
    await service.booked(renter, tool.toolId);
    await service.broker.sendNew(
      'ToolRemoved',
      { toolId: tool.toolId, ownerId: tool.ownerId },
      { id: tool.toolId, version: 2 },
    );
    const gone = async () =>
      (await service.postHold(renter, [service.line(tool.toolId)])).body.code === 'TOOL_NOT_FOUND';
    await waitFor('the tool to be removed', gone);

    const { body } = await service.http.get(
      `/api/rentalBookings/${renter.userId}/my-bookings`,
      renter,
    );

    expect(body.bookings[0]).toMatchObject({ name: 'Hammer drill', cover_image: tool.coverImage });
  });

  it('show bookings newest first in pages, without drafts', async () => {
    const { owner, renter, tool } = await lend(3);
    const ids = [];
    for (let i = 0; i < 3; i++) ids.unshift((await service.booked(renter, tool.toolId)).id);
    await service.postHold(renter, [
      service.line((await service.tool({ ownerId: owner.userId })).toolId),
    ]);
    const page = (query: string) =>
      service.http.get(`/api/rentalBookings/my-bookings?limit=2${query}`, owner);

    const first = await page('');
    const second = await page(`&cursor=${first.body.nextCursor}`);

    const idsOf = (reply: typeof first) => reply.body.bookings.map((b: { id: string }) => b.id);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect(second.body.nextCursor).toBeNull();
    expect((await page('&cursor=nonsense')).status).toBe(400);
  });

  it('separate open bookings from those that are over', async () => {
    const { owner, renter, tool } = await lend(3);
    const begun = { start_date: inDays(0), end_date: inDays(2) };
    const open = (await service.booked(renter, tool.toolId)).id;
    const back = (await service.booked(renter, tool.toolId, begun)).id;
    const calledOff = (await service.booked(renter, tool.toolId)).id;
    const rentals = `/api/user/${owner.userId}/rentalBookings`;
    const body = { returned_status: 'Returned' };
    await service.http.put(`${rentals}/update-booking/${back}`, { ...owner, body });
    await service.http.post(`${rentals}/cancel-booking/${calledOff}`, { ...owner, body: {} });
    const idsOf = async (path: string, person: typeof owner) =>
      (await service.http.get(`/api/rentalBookings/${path}`, person)).body.bookings?.map(
        ({ id }: { id: string }) => id,
      );

    const mine = `${renter.userId}/my-bookings`;
    expect(await idsOf('my-bookings?when=open', owner)).toEqual([open]);
    expect(await idsOf('my-bookings?when=over', owner)).toEqual([calledOff, back]);
    expect(await idsOf(`${mine}?when=open`, renter)).toEqual([open]);
    expect(await idsOf(`${mine}?when=over`, renter)).toEqual([calledOff, back]);
    expect(await idsOf(`${mine}?limit=1&when=over&cursor=${calledOff}`, renter)).toEqual([back]);
    const rejected = await service.http.get('/api/rentalBookings/my-bookings?when=soon', owner);
    expect(rejected.status).toBe(400);
  });

  it('show only bookings that touch the given days, or may have other days', async () => {
    const { owner, renter, tool } = await lend(3);
    const on = async (from: number, to: number) =>
      (
        await service.booked(renter, tool.toolId, {
          start_date: inDays(from),
          end_date: inDays(to),
        })
      ).id;
    const [soon, later, late] = [await on(10, 12), await on(40, 42), await on(20, 22)];
    await service.pool.query(
      `UPDATE bookings SET starts_at = now() - interval '9 days', ends_at = now() - interval '8 days' WHERE id = $1`,
      [late],
    );
    const shown = async (from: number, to: number) =>
      (
        await service.http.get(
          `/api/rentalBookings/my-bookings?from=${inDays(from)}&to=${inDays(to)}`,
          owner,
        )
      ).body.bookings.map(({ id }: { id: string }) => id);

    expect(await shown(11, 24)).toEqual([late, soon]);
    expect(await shown(30, 40)).toEqual([late, later]);
    const halves = await Promise.all(
      [`from=${inDays(1)}`, `from=${inDays(9)}&to=${inDays(1)}`].map((query) =>
        service.http.get(`/api/rentalBookings/my-bookings?${query}`, owner),
      ),
    );
    expect(halves.map(({ status }) => status)).toEqual([400, 400]);
  });

  it('show a booking with an open change, whatever days are given', async () => {
    const { owner, renter, id } = await lendOnRequest();
    const path = `/api/rentalBookings/my-bookings?from=${inDays(60)}&to=${inDays(66)}`;
    expect((await service.http.get(path, owner)).body.bookings).toEqual([]);

    await requestChange(renter, id, days(12, 16));

    const { body } = await service.http.get(path, owner);
    expect(body.bookings.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  it('show a requested change to both parties, and later how it ended', async () => {
    const { owner, renter, id } = await lendOnRequest();
    await service.booked(renter, (await service.tool({ ownerId: owner.userId })).toolId);
    const { approvalId } = await requestChange(renter, id, days(12, 16));
    const { approval } = await service.seen(owner, id);
    const lists = async () => {
      const lent = await service.http.get('/api/rentalBookings/my-bookings', owner);
      const rented = await service.http.get(
        `/api/rentalBookings/${renter.userId}/my-bookings`,
        renter,
      );
      return [lent, rented].map(({ body }) =>
        body.bookings.toReversed().map((one: { approval?: unknown }) => one.approval ?? null),
      );
    };

    const requested = await lists();
    await answer(owner, approvalId, 'decline');
    const declined = await lists();

    const dates = { start_date: inDays(12), end_date: inDays(16) };
    expect(approval).toMatchObject({ id: approvalId, status: 'pending', change: dates });
    expect(requested).toEqual([
      [approval, null],
      [{ ...approval, renter: null }, null],
    ]);
    expect(declined).toMatchObject([
      [{ status: 'declined' }, null],
      [{ status: 'declined' }, null],
    ]);
  });

  it('show all bookings and their total, for admins only', async () => {
    const { renter, tool } = await lend();
    const { id } = await service.booked(renter, tool.toolId);
    const admin = await service.person('Admin');

    const all = await service.http.get('/api/all-bookings?limit=1', admin);
    const rejected = await service.http.get('/api/all-bookings', renter);

    expect(all.body.bookings.map((b: { id: string }) => b.id)).toEqual([id]);
    const { rows } = await service.pool.query(
      'SELECT count(*) FROM bookings WHERE booked_at IS NOT NULL',
    );
    expect(all.body.total).toBe(rows[0].count);
    expect(all.body.nextCursor).toBe(id);
    expect(rejected.status).toBe(403);
  });

  it('let admins search bookings by code, tool and people, and filter them by status and person', async () => {
    const { owner, renter, tool } = await lend(3);
    const other = await service.neighbor({ firstName: 'Zoë', lastName: 'Quill%' });
    const mine = await service.booked(renter, tool.toolId);
    const theirs = await service.booked(other, tool.toolId);
    const cancel = `/api/user/${other.userId}/rentalBookings/cancel-booking/${theirs.id}`;
    await service.http.post(cancel, { ...other, body: {} });
    const admin = await service.person('Admin');
    const found = async (query: Record<string, string>) => {
      const { body } = await service.http.get(
        `/api/all-bookings?${new URLSearchParams({ ...query, userId: owner.userId })}`,
        admin,
      );
      expect(body.total).toBe(body.bookings.length);
      return body.bookings.map(({ id }: { id: string }) => id);
    };

    expect(await found({})).toEqual([theirs.id, mine.id]);
    expect(await found({ q: mine.code.toLowerCase() })).toEqual([mine.id]);
    expect(await found({ q: 'hammer' })).toHaveLength(2);
    expect(await found({ q: 'zoë quill%' })).toEqual([theirs.id]);
    expect(await found({ q: '%' })).toEqual([theirs.id]);
    expect(await found({ status: 'Cancelled' })).toEqual([theirs.id]);
    expect(await found({ status: 'Booked', q: 'ray fox' })).toEqual([mine.id]);
    const rented = await service.http.get(`/api/all-bookings?userId=${other.userId}`, admin);
    expect(rented.body.bookings).toHaveLength(1);
    const rejected = await service.http.get('/api/all-bookings?status=Held', admin);
    expect(rejected.status).toBe(400);
  });

  it('show a booking and its details only to its parties and admins', async () => {
    const { renter, tool } = await lend();
    const { id } = await service.booked(renter, tool.toolId);
    const [stranger, admin] = [await service.person(), await service.person('Admin')];
    const details = `/api/rentalBookings/${id}/details`;

    expect((await service.http.get(details, stranger)).body.code).toBe('BOOKING_NOT_FOUND');
    expect((await service.http.get(details)).status).toBe(401);
    expect((await service.http.get(details, admin)).status).toBe(200);
    expect(
      (await service.http.get(`/api/rentalBookings/${randomUUID()}/details`, admin)).status,
    ).toBe(404);
    const foreign = `/api/rentalBookings/${renter.userId}/my-bookings`;
    expect((await service.http.get(foreign, stranger)).status).toBe(403);
  });
});
