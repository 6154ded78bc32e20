import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hold } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { change, cancel } = changesAt(() => service);

/** Lists a tool for a cent a day, with 90 % off from three days on, so that three days cost 0 cents. */
const almostFree = (overrides = {}) =>
  service.tool({
    priceCents: 1,
    units: 90,
    terms: { discounts: [{ days: 3, percent: 90 }] },
    ...overrides,
  });

const holdBoth = async (renter: Person, [free, paid]: [string, string]): Promise<Hold> => {
  const lines = [service.line(free, days(10, 13)), service.line(paid, days(10, 13))];
  const { status, body } = await service.postHold(renter, lines);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.hold;
};

const created = (id: string | undefined) =>
  service.broker.expectEvent('BookingCreated', (data) => data.bookingId === id);

/** Pays a cart with a line that costs nothing and one that costs $37.50. */
const bookBoth = async () => {
  const [owner, renter] = [await service.neighbor(), await service.neighbor()];
  const free = await almostFree({ ownerId: owner.userId });
  const paid = await service.tool({ ownerId: owner.userId });
  const hold = await holdBoth(renter, [free.toolId, paid.toolId]);
  const payment = await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));
  const [freeId, paidId] = hold.lines.map(({ id }) => id) as [string, string];
  await created(freeId);
  await created(paidId);
  return { owner, renter, payment, freeId, paidId };
};

describe('a line that costs 0 cents', () => {
  it('is booked with the paid line of its cart', async () => {
    const { renter, freeId, paidId } = await bookBoth();

    expect(await service.seen(renter, freeId)).toMatchObject({
      booking_status: 'Booked',
      payment: 0,
    });
    expect(await service.seen(renter, paidId)).toMatchObject({
      booking_status: 'Booked',
      payment: 37.5,
    });
  });

  it('gets no refund when it is cancelled, while the paid line gets its full price', async () => {
    const { renter, freeId, paidId } = await bookBoth();

    const [free, paid] = [await cancel(renter, freeId), await cancel(renter, paidId)];

    expect(free).toMatchObject({ status: 200, body: { refundCents: 0 } });
    expect(paid).toMatchObject({ status: 200, body: { refundCents: 3_750 } });
  });

  it('can’t be refunded by an admin', async () => {
    const { freeId } = await bookBoth();

    const reply = await service.http.post(`/api/rentalBookings/refund-booking/${freeId}`, {
      ...(await service.person('Admin')),
      body: { amountCents: 1, reason: 'The drill was broken.' },
    });

    expect(reply).toMatchObject({ status: 409, body: { code: 'REFUND_TOO_LARGE' } });
  });

  it('is included in a dispute of its cart’s payment', async () => {
    const { payment, freeId, paidId } = await bookBoth();

    await service.dispute(payment, 'open', { cents: 3_750, version: 3 });

    const { data } = await service.broker.expectEvent(
      'BookingPaymentChanged',
      ({ paymentId }) => paymentId === payment.paymentId,
    );
    expect(data.bookings.map(({ bookingId }) => bookingId).toSorted()).toEqual(
      [freeId, paidId].toSorted(),
    );
  });

  it('can be changed to cost money, and back', async () => {
    const { renter, freeId } = await bookBoth();

    const more = await change(renter, freeId, days(10, 40, 20));
    const { id, amountCents } = more.body.hold;
    await service.succeed(service.paymentOf(renter, amountCents, id));
    await waitFor('the change', async () => (await service.seen(renter, freeId)).quantity === 20);
    const less = await change(renter, freeId, days(10, 13));

    expect(amountCents).toBe(60);
    expect(less.body.rental).toMatchObject({ payment: 0, refunded: 0.6 });
    expect(await cancel(renter, freeId)).toMatchObject({ status: 200, body: { refundCents: 0 } });
  });

  it('is rejected in a cart that costs less than the smallest charge', async () => {
    const renter = await service.person();
    const { toolId } = await almostFree();

    const nothing = await service.postHold(renter, [service.line(toolId, days(10, 13))]);
    const cents = await service.postHold(renter, [service.line(toolId, days(10, 40, 10))]);

    for (const { status, body } of [nothing, cents])
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'AMOUNT_INVALID' });
  });

  it('is rejected for a tool that needs approval, because no card can be authorized for 0 cents', async () => {
    const { toolId } = await almostFree({
      terms: { booking: 'request', discounts: [{ days: 3, percent: 90 }] },
    });

    const { status, body } = await service.postHold(await service.person(), [
      service.line(toolId, days(10, 13)),
    ]);

    expect({ status, code: body.code }).toEqual({ status: 400, code: 'AMOUNT_INVALID' });
  });
});

describe('a line that costs 0 cents, booked without a hold', () => {
  const add = (renter: Person, toolId: string) =>
    service.http.post(`/api/user/${renter.userId}/add-rental-booking`, {
      ...renter,
      body: service.line(toolId, days(10, 13)),
    });

  it('is booked with the payment of other lines, before or after them', async () => {
    const renter = await service.person();
    service.payments.push(service.paymentOf(renter, 3_750, null));
    const tools = [await almostFree(), await service.tool(), await almostFree()];

    const replies: { status: number }[] = [];
    for (const { toolId } of tools) replies.push(await add(renter, toolId));

    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  it('is rejected without any payment', async () => {
    const reply = await add(await service.person(), (await almostFree()).toolId);

    expect(reply).toMatchObject({ status: 402, body: { code: 'PAYMENT_REQUIRED' } });
  });

  it('stays readable when the unused money of its payment is refunded', async () => {
    const renter = await service.person();
    const payment = service.paymentOf(renter, 3_750, null);
    service.payments.push(payment);
    const { body } = await add(renter, (await almostFree()).toolId);

    await service.pool.query(
      `UPDATE payments SET recorded_at = now() - interval '15 minutes' WHERE id = $1`,
      [payment.paymentId],
    );
    const { data } = await service.broker.expectEvent(
      'BookingRejected',
      ({ paymentId }) => paymentId === payment.paymentId,
    );

    expect(data.refundCents).toBe(3_750);
    expect(await service.seen(renter, body.rental._id ?? body.rental.id)).toMatchObject({
      status: 200,
      paid: 0,
    });
  });
});
