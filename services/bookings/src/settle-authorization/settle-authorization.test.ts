import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { normalTime } from '@lendtools/contracts/rental-period';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  internalSecret,
  startBookingsService,
} from '../../test/bookings-service.ts';

let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService();
});
afterAll(() => bookings.stop());

const statusesOf = async (who: { userId: string; token: string }, list: string) => {
  const { body } = await bookings.http.get(`/api/rentalBookings/${list}my-bookings?when=open`, who);
  return body.bookings.map((one: { booking_status: string }) => one.booking_status);
};

describe('PUT /internal/holds/:holdId/authorization', () => {
  it('turns the draft of an authorized hold into a request that both parties see, and publishes it once', async () => {
    const renter = await bookings.person();
    const owner = await bookings.person();
    const { toolId } = await bookings.toolOnRequest({ ownerId: owner.userId });
    const { body } = await bookings.askHold(renter, [bookings.line(toolId)]);
    const { hold } = body;
    const { id } = hold.lines[0];
    const checkout = await bookings.checkOut(renter, hold.id);
    const before = [await bookings.seen(renter, id), await bookings.seen(owner, id)];

    const authorization = { paymentId: randomUUID(), userId: renter.userId };
    const replies = [
      await bookings.reportAuthorization(hold, authorization),
      await bookings.reportAuthorization(hold, authorization),
    ];

    const { data } = await bookings.broker.expectEvent(
      'BookingRequested',
      (one) => one.bookingId === id,
    );
    expect(hold.onRequest).toBe(true);
    expect(checkout.body.onRequest).toBe(true);
    expect(before.map(({ status }) => status)).toEqual([404, 404]);
    expect(replies.map((reply) => reply.body)).toEqual([{ request: 'open' }, { request: 'open' }]);
    expect(data).toMatchObject({ renterId: renter.userId, paidCents: hold.amountCents });
    expect(Date.parse(data.answerBy) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect(await bookings.seen(owner, id)).toMatchObject({
      booking_status: 'Requested',
      authorization: 'UnAuthorized',
      address: null,
      allowedActions: ['accept', 'decline'],
      request: { answerBy: data.answerBy, acceptedAt: null, note: '' },
    });
    expect(await bookings.seen(renter, id)).toMatchObject({ allowedActions: ['withdraw'] });
    expect(await statusesOf(owner, '')).toEqual(['Requested']);
    expect(await statusesOf(renter, `${renter.userId}/`)).toEqual(['Requested']);
    const { rows } = await bookings.pool.query(
      `SELECT type FROM outbox_messages WHERE aggregate_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ type: 'BookingRequested' }]);
  });

  it('keeps the dates of a request from everybody, its renter included, past the hold’s expiry', async () => {
    const renter = await bookings.person();
    const { toolId, hold } = await bookings.requested(renter);
    await bookings.setExpiry(hold.id, 60);

    const other = await bookings.askHold(await bookings.person(), [bookings.line(toolId)]);
    const again = await bookings.askHold(renter, [bookings.line(toolId)]);

    const days = { from: inDays(10), to: inDays(10) };
    const asked = `/api/rentals/${toolId}/availability?from=${days.from}&to=${days.to}`;
    const { body } = await bookings.http.get(asked, renter);
    expect(other.body.code).toBe('TOOL_ALREADY_BOOKED');
    expect(again.body.detail).toContain('You have already booked');
    expect(body.availability.days).toMatchObject([{ free: 0, why: 'held' }]);
    expect(await bookings.holdStatus(hold.id)).toBe('requested');
    const released = await bookings.http.delete(
      `/api/user/${renter.userId}/holds/${hold.id}`,
      renter,
    );
    expect(released.body.code).toBe('HOLD_PAID');
    expect((await bookings.checkOut(renter, hold.id)).body.code).toBe('HOLD_PAID');
  });

  it('replies `ended` for a hold that has ended, is unknown, is not on request or costs a different amount', async () => {
    const renter = await bookings.person();
    const { toolId } = await bookings.toolOnRequest();
    const { hold } = (await bookings.askHold(renter, [bookings.line(toolId)])).body;
    const instant = await bookings.held(renter);
    const authorization = { paymentId: randomUUID(), userId: renter.userId };

    const wrong = await bookings.reportAuthorization({ ...hold, amountCents: 1 }, authorization);
    const notAsked = await bookings.reportAuthorization(instant, authorization);
    await bookings.http.delete(`/api/user/${renter.userId}/holds/${hold.id}`, renter);
    const late = await bookings.reportAuthorization(hold, authorization);
    const unknown = await bookings.reportAuthorization(
      { ...hold, id: randomUUID() },
      authorization,
    );

    for (const reply of [wrong, notAsked, late, unknown])
      expect(reply.body).toEqual({ request: 'ended' });
    expect((await bookings.seen(renter, hold.lines[0].id)).status).toBe(404);
  });

  it('lets the renter find an ended hold at once, instead of waiting', async () => {
    const renter = await bookings.person();
    const { toolId } = await bookings.toolOnRequest();
    const { hold } = (await bookings.askHold(renter, [bookings.line(toolId)])).body;
    await bookings.http.delete(`/api/user/${renter.userId}/holds/${hold.id}`, renter);
    await bookings.reportAuthorization(hold, { paymentId: randomUUID(), userId: renter.userId });

    const reply = await bookings.http.post(`/api/user/${renter.userId}/add-rental-booking`, {
      token: renter.token,
      body: bookings.line(toolId, { booking_code: hold.lines[0].booking_code }),
    });

    expect(reply.body.code).toBe('HOLD_EXPIRED');
  });

  it('ends a request whose authorization was canceled, and frees its dates', async () => {
    const renter = await bookings.person();
    const { id, hold, owner, toolId, authorization } = await bookings.requested(renter);

    for (const _ of [1, 2])
      await bookings.reportAuthorization(hold, { ...authorization, status: 'canceled' });

    const { data } = await bookings.broker.expectEvent(
      'BookingRequestEnded',
      (one) => one.bookingId === id,
    );
    expect(data.outcome).toBe('failed');
    expect(await bookings.seen(owner, id)).toMatchObject({
      booking_status: 'Failed',
      allowedActions: [],
    });
    expect((await bookings.askHold(renter, [bookings.line(toolId)])).status).toBe(201);
  });

  it('ends the hold of a tool that was removed', async () => {
    const renter = await bookings.person();
    const tool = await bookings.toolOnRequest();
    const { hold } = (await bookings.askHold(renter, [bookings.line(tool.toolId)])).body;
    const removed = { id: tool.toolId, version: 2 };
    await bookings.broker.sendNew('ToolRemoved', tool, removed);
    await waitFor('the removal', async () => {
      const { rows } = await bookings.pool.query('SELECT removed_at FROM tools WHERE id = $1', [
        tool.toolId,
      ]);
      return rows[0].removed_at !== null;
    });

    const authorization = { paymentId: randomUUID(), userId: renter.userId };
    const reply = await bookings.reportAuthorization(hold, authorization);

    expect(reply.body).toEqual({ request: 'ended' });
    expect(await bookings.holdStatus(hold.id)).toBe('ended');
  });

  it('accepts the state of an authorization only with the internal secret', async () => {
    const renter = await bookings.person();
    const hold = await bookings.held(renter);
    const body = { paymentId: randomUUID(), ...renter, amountCents: 1, status: 'authorized' };

    for (const token of [renter.token, `${internalSecret}!`, undefined]) {
      const asked = { body, ...(token && { token }) };
      const reply = await bookings.http.put(`/internal/holds/${hold.id}/authorization`, asked);
      expect(reply.status).toBe(401);
    }
  });
});

describe('a cart with a tool on request', () => {
  it('rejects a cart at the line of a tool on request if it has other lines, and holds nothing', async () => {
    const renter = await bookings.person();
    const [instant, asked] = [await bookings.tool(), await bookings.toolOnRequest()];

    const lines = [bookings.line(instant.toolId), bookings.line(asked.toolId)];
    const reply = await bookings.askHold(renter, lines);

    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'TOOL_ON_REQUEST', errors: [{ path: 'lines[1]' }] },
    });
    expect(reply.body.detail).toContain('by itself');
    const { rowCount } = await bookings.pool.query('SELECT FROM holds WHERE user_id = $1', [
      renter.userId,
    ]);
    expect(rowCount).toBe(0);
  });

  it('rejects a cart with a tool on request if it starts too soon for the owner to answer', async () => {
    const renter = await bookings.person();
    const { toolId } = await bookings.toolOnRequest({ rentalCircle: 'hourly' });
    const clock = (ms: number) => normalTime(new Date(Date.now() + ms).toISOString().slice(11, 16));
    const [soon, end] = [30 * 60_000, 150 * 60_000];
    const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
    const times = { start_time: clock(soon), end_time: clock(end) };
    const dates = { start_date: day(soon), end_date: day(end) };

    const reply = await bookings.askHold(renter, [bookings.line(toolId, { ...dates, ...times })]);

    expect(reply.body.code).toBe('DATES_TOO_SOON');
  });

  it('rejects a booking of a tool on request by a client that pays first', async () => {
    const renter = await bookings.person();
    const { toolId } = await bookings.toolOnRequest();
    await bookings.succeed(bookings.paymentOf(renter, 5_000, null));

    const reply = await bookings.http.post(`/api/user/${renter.userId}/add-rental-booking`, {
      token: renter.token,
      body: bookings.line(toolId),
    });

    expect(reply).toMatchObject({ status: 409, body: { code: 'TOOL_ON_REQUEST' } });
  });
});
