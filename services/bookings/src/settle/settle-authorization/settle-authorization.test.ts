import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { normalTime } from '@lendtools/contracts/rental-period';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  internalSecret,
  startBookingsService,
} from '../../../test/bookings-service.ts';

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
  it('turns the draft of an authorized hold into a request that both parties see, and publishes the request once', async () => {
    const renter = await bookings.person();
    const owner = await bookings.person();
    const { toolId } = await bookings.toolOnRequest({ ownerId: owner.userId });
    const { body } = await bookings.postHold(renter, [bookings.line(toolId)]);
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
      'ApprovalRequested',
      (one) => one.bookingId === id,
    );
    expect(hold.onRequest).toBe(true);
    expect(checkout.body.onRequest).toBe(true);
    expect(before.map(({ status }) => status)).toEqual([404, 404]);
    expect(replies.map((reply) => reply.body)).toEqual([
      { approval: 'pending' },
      { approval: 'pending' },
    ]);
    expect(data).toMatchObject({ renterId: renter.userId, totalCents: hold.amountCents });
    expect(Date.parse(data.answerBy) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect(await bookings.seen(owner, id)).toMatchObject({
      booking_status: 'Requested',
      authorization: 'UnAuthorized',
      address: null,
      allowedActions: ['accept', 'decline'],
      approval: { answerBy: data.answerBy, status: 'pending', note: '', change: null },
    });
    expect(await bookings.seen(renter, id)).toMatchObject({ allowedActions: ['withdraw'] });
    expect(await statusesOf(owner, '')).toEqual(['Requested']);
    expect(await statusesOf(renter, `${renter.userId}/`)).toEqual(['Requested']);
    const { rows } = await bookings.pool.query(
      `SELECT type FROM outbox_messages WHERE aggregate_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ type: 'ApprovalRequested' }]);
  });

  it('keeps a request’s dates unavailable to everyone, including its renter, after the hold expires', async () => {
    const renter = await bookings.person();
    const { toolId, hold } = await bookings.requested(renter);
    await bookings.setExpiry(hold.id, 60);

    const other = await bookings.postHold(await bookings.person(), [bookings.line(toolId)]);
    const again = await bookings.postHold(renter, [bookings.line(toolId)]);

    const days = { from: inDays(10), to: inDays(10) };
    const requested = `/api/rentals/${toolId}/availability?from=${days.from}&to=${days.to}`;
    const { body } = await bookings.http.get(requested, renter);
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

  it('replies `ended` for a hold that has ended, is unknown, needs no approval or costs a different amount', async () => {
    const renter = await bookings.person();
    const { toolId } = await bookings.toolOnRequest();
    const { hold } = (await bookings.postHold(renter, [bookings.line(toolId)])).body;
    const instant = await bookings.held(renter);
    const authorization = { paymentId: randomUUID(), userId: renter.userId };

    const wrong = await bookings.reportAuthorization({ ...hold, amountCents: 1 }, authorization);
    const notRequested = await bookings.reportAuthorization(instant, authorization);
    await bookings.http.delete(`/api/user/${renter.userId}/holds/${hold.id}`, renter);
    const late = await bookings.reportAuthorization(hold, authorization);
    const unknown = await bookings.reportAuthorization(
      { ...hold, id: randomUUID() },
      authorization,
    );

    for (const reply of [wrong, notRequested, late, unknown])
      expect(reply.body).toEqual({ approval: 'ended' });
    expect((await bookings.seen(renter, hold.lines[0].id)).status).toBe(404);
  });

  it('reports an ended hold to the renter immediately, instead of waiting for a payment', async () => {
    const renter = await bookings.person();
    const { toolId } = await bookings.toolOnRequest();
    const { hold } = (await bookings.postHold(renter, [bookings.line(toolId)])).body;
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
      'ApprovalEnded',
      (one) => one.bookingId === id,
    );
    expect(data.outcome).toBe('failed');
    expect(await bookings.seen(owner, id)).toMatchObject({
      booking_status: 'Failed',
      allowedActions: [],
    });
    expect((await bookings.postHold(renter, [bookings.line(toolId)])).status).toBe(201);
  });

  it('ends the hold of a tool that was removed', async () => {
    const renter = await bookings.person();
    const tool = await bookings.toolOnRequest();
    const { hold } = (await bookings.postHold(renter, [bookings.line(tool.toolId)])).body;
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

    expect(reply.body).toEqual({ approval: 'ended' });
    expect(await bookings.holdStatus(hold.id)).toBe('ended');
  });

  it('accepts the state of an authorization only with the internal secret', async () => {
    const renter = await bookings.person();
    const hold = await bookings.held(renter);
    const body = { paymentId: randomUUID(), ...renter, amountCents: 1, status: 'authorized' };

    for (const token of [renter.token, `${internalSecret}!`, undefined]) {
      const requested = { body, ...(token && { token }) };
      const reply = await bookings.http.put(`/internal/holds/${hold.id}/authorization`, requested);
      expect(reply.status).toBe(401);
    }
  });
});

describe('a cart with a tool that needs approval', () => {
  it('is rejected if it has other lines too: the error names the line, and nothing is held', async () => {
    const renter = await bookings.person();
    const [instant, requested] = [await bookings.tool(), await bookings.toolOnRequest()];

    const lines = [bookings.line(instant.toolId), bookings.line(requested.toolId)];
    const reply = await bookings.postHold(renter, lines);

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

  it('is rejected if the rental starts too soon for the owner to answer', async () => {
    const renter = await bookings.person();
    const { toolId } = await bookings.toolOnRequest({ rentalCircle: 'hourly' });
    const clock = (ms: number) => normalTime(new Date(Date.now() + ms).toISOString().slice(11, 16));
    const [soon, end] = [30 * 60_000, 150 * 60_000];
    const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
    const times = { start_time: clock(soon), end_time: clock(end) };
    const dates = { start_date: day(soon), end_date: day(end) };

    const reply = await bookings.postHold(renter, [bookings.line(toolId, { ...dates, ...times })]);

    expect(reply.body.code).toBe('DATES_TOO_SOON');
  });

  it('cannot be booked by a client that pays first', async () => {
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
