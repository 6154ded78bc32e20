import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const add = (renter: Person, line: Record<string, unknown>) =>
  service.http.post(`/api/user/${renter.userId}/add-rental-booking`, {
    ...renter,
    body: line,
  });

const countEvents = (type: string, renter: Person): number =>
  service.broker.received.filter(
    (event) => event.type === type && JSON.stringify(event.data).includes(renter.userId),
  ).length;

describe('the part of a payment that pays for no booking', () => {
  it('is refunded exactly once, after 15 minutes, and can no longer pay for a booking', async () => {
    const renter = await service.person();
    const tool = await service.tool();
    const payment = service.paymentOf(renter, 6_000, null);
    service.payments.push(payment);
    await add(renter, service.line(tool.toolId));

    await service.pool.query(
      `UPDATE payments SET recorded_at = now() - interval '15 minutes' WHERE id = $1`,
      [payment.paymentId],
    );
    const { data } = await service.broker.expectEvent(
      'BookingRejected',
      (event) => event.paymentId === payment.paymentId,
    );
    await service.succeed(payment);
    const later = await add(renter, service.line((await service.tool()).toolId));

    expect(data).toEqual({
      paymentId: payment.paymentId,
      userId: renter.userId,
      holdId: null,
      refundCents: 3_500,
      reason: 'unassigned',
      toolNames: [],
    });
    expect(later.status).toBe(402);
    expect(countEvents('BookingRejected', renter)).toBe(1);
  });
});
