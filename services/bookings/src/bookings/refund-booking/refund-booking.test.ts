import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
let admin: Person;
beforeAll(async () => {
  service = await startBookingsService();
  admin = await service.person('Admin');
});
afterAll(() => service.stop());

/** Books a drill for two days at $25.00 in all. */
const lend = async (overrides: Record<string, unknown> = {}) => {
  const [owner, renter] = [await service.person(), await service.person()];
  const { toolId } = await service.tool({ ownerId: owner.userId });
  return { owner, renter, toolId, ...(await service.booked(renter, toolId, overrides)) };
};

const refund = (user: Person, id: string, amountCents: unknown, key?: string) =>
  service.http.post(`/api/rentalBookings/refund-booking/${id}`, {
    token: user.token,
    body: { amountCents, reason: 'The drill was broken.' },
    ...(key && { headers: { 'idempotency-key': key } }),
  });

const details = async (user: Person, id: string) =>
  (await service.http.get(`/api/rentalBookings/${id}/details`, user)).body.booking;

const cancel = (user: Person, id: string) =>
  service.http.post(`/api/user/${user.userId}/rentalBookings/cancel-booking/${id}`, {
    ...user,
    body: {},
  });

/** Makes a payment without a hold. $25.00 of it pays for a booking, and the remaining cents for none. */
const partlyAllocated = async (amountCents: number) => {
  const renter = await service.person();
  const payment = service.paymentOf(renter, amountCents, null);
  service.payments.push(payment);
  const { body } = await service.http.post(`/api/user/${renter.userId}/add-rental-booking`, {
    ...renter,
    body: service.line((await service.tool()).toolId),
  });
  return { renter, payment, bookingId: body.rental.id as string };
};

/** Ends a payment's grace period, and waits until the cents that pay for no booking are refunded. */
const refundUnassigned = async ({ paymentId }: { paymentId: string }) => {
  await service.pool.query(
    `UPDATE payments SET recorded_at = now() - interval '15 minutes' WHERE id = $1`,
    [paymentId],
  );
  await waitFor('the rest to be refunded', async () => {
    const { rows } = await service.pool.query(
      'SELECT unassigned_cents FROM payments WHERE id = $1',
      [paymentId],
    );
    return rows[0].unassigned_cents === 0;
  });
};

/** The amounts refunded from the part of a payment that pays for no booking. */
const rejectedOf = async ({ paymentId }: { paymentId: string }): Promise<number[]> => {
  const { rows } = await service.pool.query(
    'SELECT refund_cents FROM refund_orders WHERE payment_id = $1 AND booking_id IS NULL',
    [paymentId],
  );
  return rows.map((row) => row.refund_cents);
};

const grantsOf = (bookingId: string) =>
  service.broker.received.filter(
    (event) => event.type === 'BookingRefundGranted' && event.data.bookingId === bookingId,
  );

describe('POST /api/rentalBookings/refund-booking/:id', () => {
  it('refunds a part of a booking, publishes the refund, and records who made it, when and why', async () => {
    const { id, payment, renter, owner, code, toolId } = await lend();

    const { status, body } = await refund(admin, id, 1_000);

    expect(status).toBe(201);
    expect(body).toMatchObject({
      message: '$10.00 goes back to the card.',
      rental: {
        id,
        booking_status: 'Booked',
        refunded: 10,
        settlement: {
          refundable: 15,
          refundedAtStripe: 0,
          disputed: 0,
          dispute: null,
          refunds: [{ amount: 10, reason: 'The drill was broken.', by: { id: admin.userId } }],
        },
      },
    });
    const event = await service.broker.expectEvent(
      'BookingRefundGranted',
      (data) => data.bookingId === id,
    );
    expect(event).toMatchObject({ aggregateId: id, version: 3 });
    expect(event.data).toEqual({
      bookingId: id,
      toolId,
      toolName: 'Hammer drill',
      bookingCode: code,
      ownerId: owner.userId,
      renterId: renter.userId,
      adminId: admin.userId,
      grantId: expect.any(String),
      reason: 'The drill was broken.',
      refunds: [{ paymentId: payment.paymentId, refundCents: 1_000 }],
    });
  });

  it('is recorded in the transaction that refunds, with its amount and reason', async () => {
    const { id } = await lend();
    const finance = await service.person('Finance');

    const rejected = await refund(finance, id, 100_000);
    const { headers } = await refund(finance, id, 1_000);

    const { data } = await service.broker.expectEvent(
      'AdminActedInBookings',
      ({ subject }) => subject === id,
    );
    expect(rejected.status).toBe(409);
    expect(data).toMatchObject({
      actorId: finance.userId,
      actorRole: 'Finance',
      action: 'refundBooking',
      details: { amountCents: 1_000, reason: 'The drill was broken.' },
      requestId: headers.get('x-request-id'),
    });
    const { rows } = await service.pool.query(
      `SELECT o.created_at = g.created_at AS "isSameTransaction"
       FROM outbox_messages o JOIN refund_grants g ON g.booking_id::text = $1
       WHERE o.type = 'AdminActedInBookings' AND o.envelope->'data'->>'subject' = $1`,
      [id],
    );
    expect(rows).toEqual([{ isSameTransaction: true }]);
  });

  it('rejects a support admin, who is offered neither a refund nor a cancellation', async () => {
    const { id } = await lend();
    const support = await service.person('Support');

    const reply = await refund(support, id, 1_000);

    expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(grantsOf(id)).toEqual([]);
    expect((await details(support, id)).allowedActions).toEqual([]);
    expect((await cancel(support, id)).body.code).toBe('BOOKING_NOT_FOUND');
    const finance = await service.person('Finance');
    expect((await details(finance, id)).allowedActions.sort()).toEqual(['cancel', 'refund']);
  });

  it('rejects an admin who is a party of the booking', async () => {
    const [renter, owner] = [await service.person('Admin'), await service.person('Finance')];
    const { toolId } = await service.tool({ ownerId: owner.userId });
    const { id } = await service.booked(renter, toolId);

    const replies = [await refund(renter, id, 1_000), await refund(owner, id, 1_000)];

    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
      Array(2).fill([403, 'FORBIDDEN']),
    );
    expect(grantsOf(id)).toEqual([]);
    for (const party of [renter, owner])
      expect((await details(party, id)).allowedActions).not.toContain('refund');
  });

  it('shows the parties the refunded sum, but not the details that admins see', async () => {
    const { id, renter, owner } = await lend();
    await refund(admin, id, '750');

    for (const party of [renter, owner])
      expect(await details(party, id)).toMatchObject({
        refunded: 7.5,
        refundable: 17.5,
        settlement: null,
      });
  });

  it('refunds once for concurrent requests with the same Idempotency-Key', async () => {
    const { id } = await lend();
    const key = randomUUID();

    const replies = await Promise.all([1, 2, 3].map(() => refund(admin, id, 500, key)));
    const other = await refund(admin, (await lend()).id, 500, key);

    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await details(admin, id)).toMatchObject({
      refunded: 5,
      settlement: { refunds: [{ amount: 5 }] },
    });
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(grantsOf(id)).toHaveLength(1);
  });

  it('never refunds more than was paid, even under concurrent requests', async () => {
    const { id } = await lend();

    const replies = await Promise.all([1, 2, 3, 4].map(() => refund(admin, id, 1_000)));

    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(await refund(admin, id, 501)).toMatchObject({
      status: 409,
      body: {
        code: 'REFUND_TOO_LARGE',
        detail: 'At most $5.00 of this booking can still be refunded.',
      },
    });
    expect((await refund(admin, id, 500)).status).toBe(201);
    expect((await refund(admin, id, 1)).body.detail).toMatch(/nothing left to refund/);
  });

  it('refunds a booking after the return as well', async () => {
    const { id, owner } = await lend({ start_date: inDays(0) });
    await service.http.put(`/api/user/${owner.userId}/rentalBookings/update-booking/${id}`, {
      ...owner,
      body: { returned_status: 'Returned' },
    });

    const { status, body } = await refund(admin, id, 2_500);

    expect(status).toBe(201);
    expect(body.rental).toMatchObject({ booking_status: 'Returned', refunded: 25 });
  });

  it('leaves only the remainder for a later cancellation to refund', async () => {
    const { id, renter, payment } = await lend();
    await refund(admin, id, 1_000);

    const { body } = await cancel(renter, id);

    expect(body).toMatchObject({
      refundCents: 1_500,
      rental: { refunded: 25, cancellation: { refund: 15 } },
    });
    const { data } = await service.broker.expectEvent(
      'BookingCancelled',
      (one) => one.bookingId === id,
    );
    expect(data.refunds).toEqual([{ paymentId: payment.paymentId, refundCents: 1_500 }]);
  });

  it.each([0, -1, 1.5, 'NaN', 10_000_001, undefined])(
    'rejects a refund of the amount %p',
    async (amount) => {
      const { id } = await lend();

      expect(await refund(admin, id, amount)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      });
    },
  );

  it('lets only admins refund, and only paid bookings', async () => {
    const { id, owner, renter } = await lend();
    const hold = await service.held(renter);

    for (const party of [owner, renter]) expect((await refund(party, id, 1)).status).toBe(403);
    expect((await refund(admin, randomUUID(), 100)).status).toBe(404);
    expect((await refund(admin, hold.lines[0]?.id ?? '', 100)).status).toBe(404);
  });
});

describe('bookings.withhold-when-payment-changed-at-stripe', () => {
  const queue = 'bookings.withhold-when-payment-changed-at-stripe';
  const settled = (id: string, expected: object) =>
    waitFor('the change at Stripe', async () => {
      const { settlement } = await details(admin, id);
      return Object.entries(expected).every(([name, value]) => settlement[name] === value);
    });

  it('does not refund again what was refunded in the dashboard', async () => {
    const { id, payment, renter, toolId, owner, code } = await lend();

    await service.refundAtStripe(payment, { cents: 1_000 });
    await settled(id, { refundedAtStripe: 10, refundable: 15 });
    const { body } = await cancel(renter, id);

    expect(body).toMatchObject({ refundCents: 1_500, rental: { refunded: 25 } });
    const { data } = await service.broker.expectEvent(
      'BookingPaymentChanged',
      (one) => one.paymentId === payment.paymentId,
    );
    expect(data).toEqual({
      paymentId: payment.paymentId,
      renterId: renter.userId,
      change: {
        kind: 'refund',
        refundId: expect.any(String),
        cents: 1_000,
        outcome: 'refunded',
      },
      bookings: [
        {
          bookingId: id,
          bookingCode: code,
          toolId,
          toolName: 'Hammer drill',
          ownerId: owner.userId,
          isCancelled: false,
        },
      ],
    });
  });

  it('rejects an admin’s refund while a bank holds the money, and allows it once the dispute is won', async () => {
    const { payment, id } = await lend();
    await service.dispute(payment, 'open', { cents: 2_500, version: 3 });
    await settled(id, { refundable: 0, dispute: 'open', disputed: 25 });

    const rejected = await refund(admin, id, 100);
    await service.dispute(payment, 'won', { cents: 2_500, version: 4 });
    await settled(id, { refundable: 25, dispute: 'won', disputed: 0 });

    expect(rejected).toMatchObject({ status: 409, body: { code: 'REFUND_TOO_LARGE' } });
    const { data } = await service.broker.expectEvent(
      'BookingPaymentChanged',
      ({ paymentId, change }) =>
        paymentId === payment.paymentId && change.kind === 'dispute' && change.state === 'won',
    );
    expect(data.change).toEqual({
      kind: 'dispute',
      cents: 2_500,
      state: 'won',
      reason: 'fraudulent',
      answerBy: null,
    });
  });

  it('requests, for a cancelled booking, the refund of money that a bank still holds, but not of money lost in a dispute', async () => {
    const [open, lost] = [await lend(), await lend()];
    for (const { payment } of [open, lost])
      await service.dispute(payment, 'open', { cents: 2_500, version: 3 });
    await service.dispute(lost.payment, 'lost', { cents: 2_500, version: 4 });
    await settled(open.id, { dispute: 'open' });
    await settled(lost.id, { dispute: 'lost' });

    const shown = [await details(open.renter, open.id), await details(lost.renter, lost.id)];
    const replies = [await cancel(open.renter, open.id), await cancel(lost.renter, lost.id)];

    expect(shown.map(({ refundable, held }) => [refundable, held])).toEqual([
      [25, 25],
      [0, 0],
    ]);
    expect(replies.map(({ body }) => body.refundCents)).toEqual([2_500, 0]);
    const { data } = await service.broker.expectEvent(
      'BookingCancelled',
      ({ bookingId }) => bookingId === open.id,
    );
    expect(data.refunds).toEqual([{ paymentId: open.payment.paymentId, refundCents: 2_500 }]);
    expect((await details(admin, open.id)).settlement).toMatchObject({ refundable: 0 });
  });

  it('deducts a dashboard refund first from the part of the payment that pays for no booking', async () => {
    const { renter, payment, bookingId } = await partlyAllocated(6_500);

    await service.refundAtStripe(payment, { cents: 4_000 });
    await settled(bookingId, { refundedAtStripe: 0, refundable: 25 });
    await refundUnassigned(payment);

    expect((await cancel(renter, bookingId)).body.refundCents).toBe(2_500);
    expect(await rejectedOf(payment)).toEqual([4_000]);
  });

  it('deducts a dashboard refund from the bookings once the part that pays for no booking is refunded', async () => {
    const { renter, payment, bookingId } = await partlyAllocated(6_500);
    await refundUnassigned(payment);

    await service.refundAtStripe(payment, { cents: 1_000 });
    await settled(bookingId, { refundedAtStripe: 10, refundable: 15 });

    expect((await cancel(renter, bookingId)).body.refundCents).toBe(1_500);
    expect(await rejectedOf(payment)).toEqual([4_000]);
  });

  it('orders the refund of all unspent money, although a bank holds it or has taken it', async () => {
    const [open, lost] = [await partlyAllocated(6_500), await partlyAllocated(6_500)];
    await service.dispute(open.payment, 'open', { cents: 6_500, version: 3 });
    await service.dispute(lost.payment, 'lost', { cents: 1_500, version: 3 });
    await settled(open.bookingId, { dispute: 'open' });
    await settled(lost.bookingId, { dispute: 'lost' });

    for (const { payment } of [open, lost]) await refundUnassigned(payment);

    expect(await rejectedOf(open.payment)).toEqual([4_000]);
    expect(await rejectedOf(lost.payment)).toEqual([4_000]);
  });

  it('splits a dashboard refund over the bookings of a cart, and deducts at most the whole payment', async () => {
    const renter = await service.person();
    const tools = [await service.tool(), await service.tool(), await service.tool()];
    const { body } = await service.postHold(
      renter,
      tools.map(({ toolId }) => service.line(toolId)),
    );
    const ids: string[] = body.hold.lines.map(({ id }: { id: string }) => id);
    const payment = await service.succeed(service.paymentOf(renter, 7_500, body.hold.id));
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === ids[2]);
    await cancel(renter, ids[0] ?? '');

    await service.refundAtStripe(payment, { cents: 1_001 });
    await settled(ids[1] ?? '', { refundedAtStripe: 5.01 });
    const rest = [await cancel(renter, ids[1] ?? ''), await cancel(renter, ids[2] ?? '')];

    expect(rest.map((reply) => reply.body.refundCents)).toEqual([1_999, 2_000]);
    expect(2_500 + 1_001 + 1_999 + 2_000).toBe(7_500);
  });

  it('copes with duplicate, out-of-order, unreadable and early events', async () => {
    const { id, payment } = await lend();
    const newest = await service.refundAtStripe(payment, { cents: 2_000, version: 5 });
    await service.refundAtStripe(payment, { cents: 1_000, version: 4 });
    await service.broker.send(newest);
    await service.broker.sendRaw(queue, 'not an event');
    const renter = await service.person();
    const hold = await service.held(renter);
    const early = service.paymentOf(renter, hold.amountCents, hold.id);
    await service.refundAtStripe(early, { cents: 500 });
    await service.succeed(early);
    const earlyId = hold.lines[0]?.id ?? '';
    await service.broker.expectEvent('BookingCreated', ({ bookingId }) => bookingId === earlyId);
    await service.publishShares(early, { version: 4, outside: 500 });

    await settled(earlyId, { refundedAtStripe: 5 });

    expect((await details(admin, id)).settlement).toMatchObject({ refundedAtStripe: 20 });
    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });

  it('does not book with a payment that was refunded in the dashboard', async () => {
    const renter = await service.person();
    const payment = await service.succeed(service.paymentOf(renter, 2_500, null));
    await service.refundAtStripe(payment, { cents: 2_500 });
    await waitFor('the change at Stripe', async () => {
      const { rows } = await service.pool.query(
        'SELECT outside_cents FROM payments WHERE id = $1',
        [payment.paymentId],
      );
      return rows[0]?.outside_cents === 2_500;
    });

    const reply = await service.http.post(`/api/user/${renter.userId}/add-rental-booking`, {
      ...renter,
      body: service.line((await service.tool()).toolId),
    });

    expect(reply).toMatchObject({ status: 402, body: { code: 'PAYMENT_REQUIRED' } });
  });
});
