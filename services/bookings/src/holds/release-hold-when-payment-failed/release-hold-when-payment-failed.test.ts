import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  failFirstWrites,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const failPayment = (renter: Person, holdId: string, final: boolean) =>
  service.broker.sendNew('PaymentFailed', {
    paymentId: randomUUID(),
    userId: renter.userId,
    holdId,
    final,
    message: 'Your card was declined.',
  });

describe('release-hold-when-payment-failed', () => {
  it('frees an expired hold when a PaymentFailed is final', async () => {
    const renter = await service.person();
    const hold = await service.held(renter);
    await service.checkOut(renter, hold.id);
    await service.setExpiry(hold.id, 1);

    await failPayment(renter, hold.id, true);

    await service.broker.expectEvent('BookingExpired', (data) => data.holdId === hold.id);
  });

  it('frees an unexpired hold when a PaymentFailed is final, because the hold has no other payment', async () => {
    const renter = await service.person();
    const { toolId } = await service.tool();
    const hold = await service.held(renter, toolId);
    await service.checkOut(renter, hold.id);

    await failPayment(renter, hold.id, true);

    await service.broker.expectEvent('BookingExpired', (data) => data.holdId === hold.id);
    expect((await service.held(renter, toolId)).id).not.toBe(hold.id);
  });

  it('copes with a PaymentFailed that is a duplicate, is unreadable, or arrives while the database fails', async () => {
    const queue = 'bookings.release-hold-when-payment-failed';
    const renter = await service.person();
    const [hold, other] = [await service.held(renter), await service.held(renter)];
    for (const { id } of [hold, other]) {
      await service.checkOut(renter, id);
      await service.setExpiry(id, 1);
    }
    const data = {
      paymentId: randomUUID(),
      userId: renter.userId,
      holdId: hold.id,
      final: true,
      message: '',
    };
    const event = newEvent('PaymentFailed', { id: data.paymentId, version: 1 }, data);
    await failFirstWrites(service.pool, 'holds', 2);

    await service.broker.sendRaw(queue, '[]');
    await service.broker.send(event);
    await service.broker.send(event);
    await service.broker.expectEvent('BookingExpired', ({ holdId }) => holdId === hold.id);
    await failPayment(renter, other.id, true);
    await service.broker.expectEvent('BookingExpired', ({ holdId }) => holdId === other.id);

    const expired = service.broker.received.filter(
      (received) => received.type === 'BookingExpired' && received.data.holdId === hold.id,
    );
    expect(expired).toHaveLength(1);
    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });

  it('ignores a PaymentFailed that is not final, or whose hold is unknown or paid', async () => {
    const renter = await service.person();
    const hold = await service.held(renter);
    await service.checkOut(renter, hold.id);
    await service.setExpiry(hold.id, 1);
    const { id } = await service.booked(renter, (await service.tool()).toolId);
    const { rows } = await service.pool.query('SELECT hold_id FROM bookings WHERE id = $1', [id]);

    await failPayment(renter, hold.id, false);
    await failPayment(renter, randomUUID(), true);
    await failPayment(renter, rows[0].hold_id, true);
    const last = await service.held(await service.person());
    await service.setExpiry(last.id, 1);
    await service.broker.expectEvent('BookingExpired', (data) => data.holdId === last.id);

    expect(await service.holdStatus(hold.id)).toBe('live');
    expect(await service.holdStatus(rows[0].hold_id)).toBe('paid');
  });
});
