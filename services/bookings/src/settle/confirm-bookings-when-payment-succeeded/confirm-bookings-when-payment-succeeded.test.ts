import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { setReadOnly, waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  failFirstWrites,
  inDays,
  startBookingsService,
} from '../../../test/bookings-service.ts';

const queue = 'bookings.confirm-bookings-when-payment-succeeded';
let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

/** Lets a hold expire, and waits until the job has ended it. */
const runOut = async (holdId: string): Promise<void> => {
  await service.setExpiry(holdId, 60);
  await service.broker.expectEvent('BookingExpired', (data) => data.holdId === holdId);
};

const countOf = (type: string, fits: (data: never) => boolean): number =>
  service.broker.received.filter((event) => event.type === type && fits(event.data as never))
    .length;

const stateOf = async (paymentId: string) => {
  const { rows } = await service.pool.query(
    `SELECT amount_cents AS amount, unassigned_cents AS unassigned, rejected_cents AS rejected,
       (SELECT coalesce(sum(d.amount_cents), 0)::int FROM allocations d WHERE d.payment_id = p.id) AS drawn
     FROM payments p WHERE id = $1`,
    [paymentId],
  );
  return rows[0];
};

const settled = (paymentId: string) =>
  waitFor('the payment to be settled', async () => {
    const state = await stateOf(paymentId);
    return state?.unassigned === 0 ? state : undefined;
  });

describe('PaymentSucceeded of a hold', () => {
  it('confirms the booking, publishes it and allocates the payment', async () => {
    const owner = await service.neighbor({ firstName: 'Olga' });
    const renter = await service.neighbor({ firstName: 'Ray' });
    const tool = await service.tool({ ownerId: owner.userId });
    const hold = await service.held(renter, tool.toolId);

    const payment = await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));
    const created = await service.broker.expectEvent(
      'BookingCreated',
      (data) => data.renterId === renter.userId,
    );

    expect(created.data).toMatchObject({
      bookingId: hold.lines[0]?.id,
      toolId: tool.toolId,
      ownerId: owner.userId,
      bookingCode: hold.lines[0]?.booking_code,
      totalCents: 2_500,
      period: 2,
      startDate: inDays(10),
      endDate: inDays(12),
    });
    expect(await stateOf(payment.paymentId)).toEqual({
      amount: 2_500,
      unassigned: 0,
      rejected: 0,
      drawn: 2_500,
    });
  });

  it('confirms a booking once, despite duplicate and concurrent events', async () => {
    const renter = await service.person();
    const hold = await service.held(renter, (await service.tool()).toolId);
    const payment = service.paymentOf(renter, hold.amountCents, hold.id);
    const same = newEvent('PaymentSucceeded', { id: payment.paymentId, version: 1 }, payment);

    await Promise.all([
      service.broker.send(same),
      service.broker.send(same),
      service.succeed(payment),
    ]);
    await service.broker.expectEvent('BookingCreated', (data) => data.renterId === renter.userId);
    const other = await service.person();
    await service.booked(other, (await service.tool()).toolId);

    expect(
      countOf('BookingCreated', (d: { renterId: string }) => d.renterId === renter.userId),
    ).toBe(1);
    expect(countOf('BookingRejected', (d: { userId: string }) => d.userId === renter.userId)).toBe(
      0,
    );
  });

  it('reserves the dates again if they are free after the hold has expired', async () => {
    const renter = await service.person();
    const tool = await service.tool();
    const hold = await service.held(renter, tool.toolId);
    await runOut(hold.id);

    await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));
    await service.broker.expectEvent('BookingCreated', (data) => data.renterId === renter.userId);

    const rival = await service.postHold(await service.person(), [service.line(tool.toolId)]);
    expect(rival.status).toBe(409);
  });

  it('assigns a new code if another booking of the owner has taken the code meanwhile', async () => {
    const renter = await service.person();
    const { userId: ownerId } = await service.person();
    const [tool, other] = [await service.tool({ ownerId }), await service.tool({ ownerId })];
    const hold = await service.held(renter, tool.toolId);
    await runOut(hold.id);
    const code = hold.lines[0]?.booking_code;
    await service.postHold(await service.person(), [
      service.line(other.toolId, { booking_code: code }),
    ]);

    await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));
    const { data } = await service.broker.expectEvent(
      'BookingCreated',
      (created) => created.renterId === renter.userId,
    );

    expect(data.bookingCode).toMatch(/^LT[1-9]\d{5}$/);
    expect(data.bookingCode).not.toBe(code);
  });

  it('refunds the payment in full, once, and books nothing if one of the tools was booked meanwhile', async () => {
    const renter = await service.person();
    const [taken, free] = [
      await service.tool({ name: 'Saw' }),
      await service.tool({ name: 'Axe' }),
    ];
    const lines = [service.line(free.toolId), service.line(taken.toolId)];
    const { body } = await service.postHold(renter, lines);
    await runOut(body.hold.id);
    await service.booked(await service.person(), taken.toolId);

    const payment = await service.succeed(service.paymentOf(renter, 5_000, body.hold.id));
    const rejected = await service.broker.expectEvent(
      'BookingRejected',
      (data) => data.userId === renter.userId,
    );
    await service.succeed(payment);

    expect(rejected.data).toEqual({
      paymentId: payment.paymentId,
      userId: renter.userId,
      holdId: body.hold.id,
      refundCents: 5_000,
      reason: 'slot-lost',
      toolNames: ['Axe', 'Saw'],
    });
    expect(await stateOf(payment.paymentId)).toMatchObject({ rejected: 5_000, drawn: 0 });
    const again = await service.postHold(await service.person(), [service.line(free.toolId)]);
    expect(again.status).toBe(201);
    expect(countOf('BookingRejected', (d: { userId: string }) => d.userId === renter.userId)).toBe(
      1,
    );
    expect(
      countOf('BookingCreated', (d: { renterId: string }) => d.renterId === renter.userId),
    ).toBe(0);
  });

  it('refunds a payment and frees the dates if the tool was deleted meanwhile', async () => {
    const renter = await service.person();
    const { toolId, ownerId } = await service.tool({ name: 'Saw' });
    const hold = await service.held(renter, toolId);
    await service.broker.sendNew('ToolRemoved', { toolId, ownerId }, { id: toolId, version: 2 });
    await waitFor('the tool to be gone', async () => {
      const { rows } = await service.pool.query('SELECT removed_at FROM tools WHERE id = $1', [
        toolId,
      ]);
      return rows[0].removed_at;
    });

    await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));
    const rejected = await service.broker.expectEvent(
      'BookingRejected',
      (data) => data.userId === renter.userId,
    );
    const expired = await service.broker.expectEvent(
      'BookingExpired',
      (data) => data.holdId === hold.id,
    );

    expect(rejected.data).toMatchObject({
      refundCents: hold.amountCents,
      reason: 'slot-lost',
      toolNames: ['Saw'],
    });
    expect(expired.data.lines).toEqual([{ bookingId: hold.lines[0]?.id, toolId, quantity: 1 }]);
  });

  it.each([0, 60])(
    'refunds a payment if the owner was disabled meanwhile, %d minutes after the expiry',
    async (minutesAgo) => {
      const renter = await service.person();
      const tool = await service.tool();
      const hold = await service.held(renter, tool.toolId);
      if (minutesAgo) await runOut(hold.id);
      const hidden = { ...tool, status: 'Unavailable', ownerDisabled: true } as const;
      await service.broker.sendNew('ToolUpdated', hidden, { id: tool.toolId, version: 2 });
      await waitFor('the tool to be hidden', async () => {
        const { rows } = await service.pool.query('SELECT version FROM tools WHERE id = $1', [
          tool.toolId,
        ]);
        return rows[0].version === 2;
      });

      const payment = await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));

      expect(await settled(payment.paymentId)).toMatchObject({
        rejected: hold.amountCents,
        drawn: 0,
      });
    },
  );

  it('refunds a second payment of a hold, one of a different amount and one by another user', async () => {
    const [renter, other] = [await service.person(), await service.person()];
    const hold = await service.held(renter, (await service.tool()).toolId);

    const wrong = await service.succeed(service.paymentOf(renter, hold.amountCents - 1, hold.id));
    await settled(wrong.paymentId);
    const foreign = await service.succeed(service.paymentOf(other, hold.amountCents, hold.id));
    await settled(foreign.paymentId);
    const first = await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));
    await settled(first.paymentId);
    const second = await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));
    await settled(second.paymentId);

    const rejected = await Promise.all(
      [wrong, foreign, first, second].map(async (p) => (await stateOf(p.paymentId)).rejected),
    );
    expect(rejected).toEqual([hold.amountCents - 1, hold.amountCents, 0, hold.amountCents]);
  });

  it('refunds a payment of an unknown hold', async () => {
    const renter = await service.person();

    await service.succeed(service.paymentOf(renter, 900, randomUUID()));

    const { data } = await service.broker.expectEvent(
      'BookingRejected',
      (event) => event.userId === renter.userId,
    );
    expect(data).toMatchObject({ refundCents: 900, reason: 'slot-lost', toolNames: [] });
  });

  it('either books or refunds the payment when the hold is given up concurrently', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const renter = await service.person();
        const hold = await service.held(renter, (await service.tool()).toolId);
        const payment = service.paymentOf(renter, hold.amountCents, hold.id);
        await Promise.all([
          service.succeed(payment),
          service.http.delete(`/api/user/${renter.userId}/holds/${hold.id}`, renter),
        ]);
        return settled(payment.paymentId);
      }),
    );

    for (const { amount, rejected, drawn } of outcomes) {
      expect(rejected + drawn).toBe(amount);
      expect(rejected * drawn).toBe(0);
    }
  });

  it('dead-letters an unreadable event, and processes the others', async () => {
    const dead = await service.broker.countDead(queue);
    await service.broker.sendRaw(queue, '{"type":"PaymentSucceeded","data":{}}');

    await service.booked(await service.person(), (await service.tool()).toolId);

    await waitFor(
      'the dead letter',
      async () => (await service.broker.countDead(queue)) === dead + 1,
    );
  });

  it('retries an event when the database fails for a moment', async () => {
    await failFirstWrites(service.pool, 'allocations', 2);

    const { id } = await service.booked(await service.person(), (await service.tool()).toolId);

    expect(countOf('BookingCreated', (d: { bookingId: string }) => d.bookingId === id)).toBe(1);
  });
});

describe('PaymentSucceeded while the database is read-only', () => {
  it('confirms the booking once the database is writable, and rejects requests with Retry-After meanwhile', async () => {
    const renter = await service.person();
    const tool = await service.tool();
    const hold = await service.held(renter);
    const dead = await service.broker.countDead(queue);
    const { databaseUrl } = service;

    await setReadOnly(databaseUrl, true);
    const payment = await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));
    const reply = await service.postHold(renter, [service.line(tool.toolId)]);
    await setReadOnly(databaseUrl, false);

    await service.broker.expectEvent(
      'BookingCreated',
      (data) => data.bookingId === hold.lines[0]?.id,
    );
    expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(reply.headers.get('retry-after')).toBe('5');
    expect(await stateOf(payment.paymentId)).toMatchObject({ drawn: hold.amountCents });
    expect(await service.broker.countDead(queue)).toBe(dead);
  });
});
