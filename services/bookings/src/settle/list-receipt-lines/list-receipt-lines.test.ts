import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  internalSecret,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { change, lend, pay, changed, requestChange, answer } = changesAt(() => service);

const linesOf = (paymentId: string, token = internalSecret) =>
  service.http.get(`/internal/payments/${paymentId}/lines`, { token });

describe('GET /internal/payments/:paymentId/lines', () => {
  it('lists the lines of a cart with names, prices, discounts and what was paid', async () => {
    const owner = await service.neighbor({ firstName: 'Olga', lastName: 'Müller' });
    const renter = await service.neighbor({ firstName: 'Zoë', lastName: 'Núñez' });
    const drill = await service.tool({
      ownerId: owner.userId,
      units: 2,
      terms: { discounts: [{ days: 3, percent: 10 }] },
    });
    const saw = await service.tool({ ownerId: owner.userId, name: 'Saw', priceCents: 333 });
    const { body } = await service.postHold(renter, [
      service.line(drill.toolId, days(10, 13, 2)),
      service.line(saw.toolId, days(10, 12)),
    ]);
    const payment = await service.succeed(
      service.paymentOf(renter, body.hold.amountCents, body.hold.id),
    );
    await service.broker.expectEvent(
      'BookingCreated',
      (data) => data.bookingId === body.hold.lines[1].id,
    );

    const reply = await linesOf(payment.paymentId);

    const times = { startDate: inDays(10), startTime: '', endTime: '', timeZone: 'UTC' };
    const shared = { ...times, ownerName: 'Olga Müller', rentalCircle: 'daily', before: null };
    expect(reply.body).toEqual({
      renterName: 'Zoë Núñez',
      lines: [
        {
          ...shared,
          bookingId: body.hold.lines[0].id,
          bookingCode: body.hold.lines[0].booking_code,
          toolName: 'Hammer drill',
          quantity: 2,
          period: 3,
          priceCents: 1_250,
          discountCents: 750,
          amountCents: 6_750,
          endDate: inDays(13),
        },
        {
          ...shared,
          bookingId: body.hold.lines[1].id,
          bookingCode: body.hold.lines[1].booking_code,
          toolName: 'Saw',
          quantity: 1,
          period: 2,
          priceCents: 333,
          discountCents: 0,
          amountCents: 666,
          endDate: inDays(12),
        },
      ],
    });
  });

  it('keeps the line of a booking that was changed, and lists the change under its own payment', async () => {
    const { renter, id, payment } = await lend({ units: 2 });
    const { body } = await change(renter, id, days(10, 16, 2));
    const second = await pay(renter, body.hold);
    await changed(id);

    const [bought, added] = await Promise.all([
      linesOf(payment.paymentId),
      linesOf(second.paymentId),
    ]);

    const asBought = { endDate: inDays(14), quantity: 1, period: 4, amountCents: 4_000 };
    expect(bought.body.lines).toMatchObject([{ ...asBought, before: null }]);
    expect(added.body.lines).toMatchObject([
      {
        endDate: inDays(16),
        quantity: 2,
        period: 6,
        priceCents: 1_000,
        amountCents: 8_000,
        before: { endDate: inDays(14), quantity: 1, totalCents: 4_000 },
      },
    ]);
  });

  it('keeps the line of a booking that was changed to cost less', async () => {
    const { renter, id, payment } = await lend();
    await change(renter, id, days(10, 12));
    await changed(id);

    const { body } = await linesOf(payment.paymentId);

    expect(body.lines).toMatchObject([{ endDate: inDays(14), period: 4, amountCents: 4_000 }]);
  });

  it('lists a requested booking and a requested change once they are charged', async () => {
    const renter = await service.neighbor();
    const { id, approvalId, owner, payment } = await service.requested(renter);
    expect((await linesOf(payment.paymentId)).status).toBe(404);
    await service.answer(owner, approvalId, 'accept');
    await service.succeed(payment);
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === id);

    expect((await linesOf(payment.paymentId)).body.lines).toMatchObject([{ bookingId: id }]);

    const lent = await lend();
    await service.pool.query(`UPDATE tools SET terms = '{"booking": "request"}' WHERE id = $1`, [
      lent.toolId,
    ]);
    const requested = await requestChange(lent.renter, lent.id, days(10, 15));
    await answer(lent.owner, requested.approvalId, 'accept');
    await service.succeed(requested.payment);
    await changed(lent.id);

    expect((await linesOf(requested.payment.paymentId)).body.lines).toMatchObject([
      { bookingId: lent.id, amountCents: 1_000, before: { totalCents: 4_000 } },
    ]);
  });

  it('replies 404 for an unknown payment, and 401 without the shared secret', async () => {
    expect((await linesOf(randomUUID())).body.code).toBe('PAYMENT_NOT_FOUND');
    expect((await linesOf(randomUUID(), 'another-secret')).status).toBe(401);
  });
});

describe('the payments of a booking', () => {
  it('are shown to the renter and admins, oldest first, but not to the owner or in lists', async () => {
    const { renter, owner, id, payment } = await lend();
    const { body } = await change(renter, id, days(10, 15));
    const second = await pay(renter, body.hold);
    await changed(id);
    const admin = await service.person('Admin');

    const paymentIds = [payment.paymentId, second.paymentId];
    expect(await service.seen(renter, id)).toMatchObject({ paymentIds });
    expect(await service.seen(admin, id)).toMatchObject({ paymentIds });
    expect(await service.seen(owner, id)).not.toHaveProperty('paymentIds');
    const list = await service.http.get(`/api/rentalBookings/${renter.userId}/my-bookings`, renter);
    expect(list.body.bookings[0]).not.toHaveProperty('paymentIds');
  });

  it('are listed by the event of the first booking of a cart, and by that of a paid change', async () => {
    const renter = await service.neighbor();
    const [one, other] = [await service.tool(), await service.tool()];
    const { body } = await service.postHold(renter, [
      service.line(one.toolId),
      service.line(other.toolId),
    ]);
    const { id: holdId, amountCents, lines } = body.hold;
    const { paymentId } = await service.succeed(service.paymentOf(renter, amountCents, holdId));
    const [first, second] = await Promise.all(
      lines.map(({ id }: { id: string }) =>
        service.broker.expectEvent('BookingCreated', (data) => data.bookingId === id),
      ),
    );
    expect([first.data.paymentIds, second.data.paymentIds]).toEqual([[paymentId], []]);

    const lent = await lend();
    const reply = await change(lent.renter, lent.id, days(10, 15));
    const paid = await pay(lent.renter, reply.body.hold);
    expect((await changed(lent.id)).data.paymentIds).toEqual([paid.paymentId]);
  });

  it('name the refund of Stripe’s dashboard in the event for its notice', async () => {
    const { payment } = await lend();
    await service.refundAtStripe(payment, { cents: 500 });

    const event = await waitFor('the event', async () =>
      service.broker.expectEvent(
        'BookingPaymentChanged',
        (data) => data.paymentId === payment.paymentId,
      ),
    );
    expect(event.data.change).toMatchObject({ kind: 'refund', refundId: 're_3', cents: 500 });
  });
});
