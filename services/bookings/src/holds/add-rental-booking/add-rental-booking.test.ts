import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
  await stopReconciliation();
});
afterAll(() => service.stop());

/** Waits for the reconciliation at startup and prevents the next one, which would record the payments too. */
const stopReconciliation = () =>
  waitFor('the reconciliation to stop', async () => {
    const { rowCount } = await service.pool.query(
      `UPDATE reconciliations SET next_at = 'infinity'
       WHERE name = 'payments' AND reached_at > next_at - interval '5 minutes 1 second'`,
    );
    return rowCount;
  });

let lastCode = 100_000;
const newCode = (): string => `LT${++lastCode}`;

const add = (renter: Person, line: Record<string, unknown>, headers: Record<string, string> = {}) =>
  service.http.post(`/api/user/${renter.userId}/add-rental-booking`, {
    ...renter,
    body: line,
    headers,
  });

/** Adds a payment without a hold to the payments stub, without sending its event. */
const pay = (renter: Person, amountCents: number) => {
  const succeededAt = new Date(Date.now() + service.payments.length * 1_000).toISOString();
  const payment = { ...service.paymentOf(renter, amountCents, null), succeededAt };
  service.payments.push(payment);
  return payment;
};

const recorded = (paymentId: string) =>
  waitFor('the payment', async () => {
    const { rows } = await service.pool.query(
      'SELECT unassigned_cents AS unassigned, rejected_cents AS rejected FROM payments WHERE id = $1',
      [paymentId],
    );
    return rows[0];
  });

const countEvents = (type: string, renter: Person): number =>
  service.broker.received.filter(
    (event) => event.type === type && JSON.stringify(event.data).includes(renter.userId),
  ).length;

describe('POST /api/user/:userId/add-rental-booking with a hold', () => {
  it('returns the booking that the payment event made, also to a repeated request', async () => {
    const renter = await service.person();
    const tool = await service.tool();
    const { id, code } = await service.booked(renter, tool.toolId);
    const line = service.line(tool.toolId, { booking_code: code });

    const replies = [await add(renter, line), await add(renter, line)];

    for (const reply of replies)
      expect(reply).toMatchObject({
        status: 201,
        body: { rental: { id, authorization: 'Authorized' } },
      });
  });

  it('fetches the payment if its event has not arrived, and ignores the event when it arrives', async () => {
    const renter = await service.person();
    const tool = await service.tool();
    const { body } = await service.postHold(renter, [service.line(tool.toolId)]);
    const payment = service.paymentOf(renter, body.hold.amountCents, body.hold.id);
    service.payments.push(payment);
    const { id, booking_code } = body.hold.lines[0];

    const reply = await add(renter, service.line(tool.toolId, { booking_code }));
    await service.succeed(payment);
    await service.booked(renter, (await service.tool()).toolId);

    expect(reply).toMatchObject({ status: 201, body: { rental: { id } } });
    expect(countEvents('BookingCreated', renter)).toBe(2);
    expect(countEvents('BookingRejected', renter)).toBe(0);
  });

  it('rejects an unpaid hold with 402, and one that was paid too late with 409', async () => {
    const [renter, rival] = [await service.person(), await service.person()];
    const tool = await service.tool({ name: 'Saw' });
    const { body } = await service.postHold(renter, [service.line(tool.toolId)]);
    const line = service.line(tool.toolId, { booking_code: body.hold.lines[0].booking_code });

    const unpaid = await add(renter, line);
    await service.http.delete(`/api/user/${renter.userId}/holds/${body.hold.id}`, renter);
    await service.booked(rival, tool.toolId);
    service.payments.push(service.paymentOf(renter, body.hold.amountCents, body.hold.id));
    const tooLate = [await add(renter, line), await add(renter, line)];

    expect(unpaid).toMatchObject({ status: 402, body: { code: 'PAYMENT_REQUIRED' } });
    for (const reply of tooLate)
      expect(reply).toMatchObject({ status: 409, body: { code: 'TOOL_ALREADY_BOOKED' } });
    await service.broker.expectEvent('BookingRejected', (data) => data.userId === renter.userId);
    expect(countEvents('BookingRejected', renter)).toBe(1);
  });
});

describe('POST /api/user/:userId/add-rental-booking without a hold', () => {
  it('pays from the oldest payments first, and ignores the price in the request', async () => {
    const renter = await service.person();
    const tool = await service.tool({ priceCents: 1_000 });
    const [first, second] = [pay(renter, 1_500), pay(renter, 600)];
    const line = service.line(tool.toolId, {
      booking_code: newCode(),
      price: 0.01,
      paymentDue: 0.01,
    });

    const { status, body } = await add(renter, line);

    expect(status).toBe(201);
    expect(body.rental).toMatchObject({
      booking_code: line.booking_code,
      payment: 20,
      price: 10,
      booking_status: 'Booked',
      authorization: 'Authorized',
      userId: renter.userId,
    });
    expect((await recorded(first.paymentId)).unassigned).toBe(0);
    expect((await recorded(second.paymentId)).unassigned).toBe(100);
    await service.broker.expectEvent('BookingCreated', (data) => data.renterId === renter.userId);
  });

  it('records at most 20 payments per request, and the other payments with the next request', async () => {
    const renter = await service.person();
    const tool = await service.tool({ priceCents: 100_000 });
    for (let count = 0; count < 25; count++) pay(renter, 50);
    const line = service.line(tool.toolId, { booking_code: newCode() });
    const countRecorded = async () => {
      const { rows } = await service.pool.query(
        'SELECT count(*)::int AS count FROM payments WHERE user_id = $1',
        [renter.userId],
      );
      return rows[0].count;
    };

    const first = await add(renter, line);
    const recordedFirst = await countRecorded();
    await add(renter, line);

    expect(first.status).toBe(402);
    expect(recordedFirst).toBe(20);
    expect(await countRecorded()).toBe(25);
  });

  it('books two lines from one payment, each once despite concurrent duplicates', async () => {
    const renter = await service.person();
    const [a, b] = [await service.tool(), await service.tool()];
    await service.succeed(pay(renter, 5_000));
    const lines = [a, b].map((tool) => service.line(tool.toolId, { booking_code: newCode() }));

    const replies = await Promise.all([...lines, ...lines].map((line) => add(renter, line)));

    expect(replies.map((reply) => reply.status)).toEqual([201, 201, 201, 201]);
    expect(new Set(replies.map((reply) => reply.body.rental.id)).size).toBe(2);
    const { rows } = await service.pool.query('SELECT * FROM bookings WHERE user_id = $1', [
      renter.userId,
    ]);
    expect(rows).toHaveLength(2);
  });

  it('returns the same booking when a request with a code is retried, even if another renter’s booking has that code', async () => {
    const [renter, other] = [await service.person(), await service.person()];
    const tool = await service.tool({ units: 2 });
    const line = service.line(tool.toolId, { booking_code: newCode() });
    await service.postHold(other, [line]);
    pay(renter, 9_000);

    const replies = [await add(renter, line), await add(renter, line)];

    expect(replies[0]?.body.rental.booking_code).not.toBe(line.booking_code);
    expect(replies[1]?.body.rental.id).toBe(replies[0]?.body.rental.id);
  });

  it('rejects a booking if the payments are too small, used up or by another user', async () => {
    const [renter, other] = [await service.person(), await service.person()];
    const tool = await service.tool({ units: 5 });
    pay(other, 99_999);
    pay(renter, 2_499);
    const rejected = await add(renter, service.line(tool.toolId, { booking_code: newCode() }));
    pay(renter, 1);

    const booked = await add(renter, service.line(tool.toolId, { booking_code: newCode() }));
    const spent = await add(renter, service.line(tool.toolId, { booking_code: newCode() }));

    expect([rejected.status, booked.status, spent.status]).toEqual([402, 201, 402]);
  });

  it('rejects taken dates with 409 and allocates nothing', async () => {
    const renter = await service.person();
    const tool = await service.tool();
    await service.booked(await service.person(), tool.toolId);
    const payment = pay(renter, 2_500);

    const reply = await add(renter, service.line(tool.toolId, { booking_code: newCode() }));

    expect(reply).toMatchObject({ status: 409, body: { code: 'TOOL_ALREADY_BOOKED' } });
    expect((await recorded(payment.paymentId)).unassigned).toBe(2_500);
  });

  it('honors an Idempotency-Key for a line without a code, even after a 402', async () => {
    const renter = await service.person();
    const line = service.line((await service.tool({ units: 3 })).toolId);
    const key = { 'idempotency-key': 'one-purchase' };
    const unpaid = await add(renter, line, key);
    pay(renter, 9_999);

    const replies = [await add(renter, line, key), await add(renter, line, key)];

    expect(unpaid.status).toBe(402);
    expect(replies.map((reply) => reply.status)).toEqual([201, 201]);
    expect(replies[1]?.body.rental.id).toBe(replies[0]?.body.rental.id);
  });

  it('returns 503 instead of 402 while the payments service is unavailable', async () => {
    const replica = await service.start({ PAYMENTS_URL: 'http://127.0.0.1:1' });
    const renter = await service.person();
    const { toolId } = await service.tool();

    const reply = await fetch(`${replica.url}/api/user/${renter.userId}/add-rental-booking`, {
      method: 'POST',
      headers: { authorization: `Bearer ${renter.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(service.line(toolId)),
    });
    await replica.stop();

    expect(reply.status).toBe(503);
  });
});
