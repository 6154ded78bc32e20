import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, inDays, startBookingsService } from '../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

describe('PaymentSucceeded of a hold', () => {
  it('makes the bookings, tells of each, and lists them to both parties', async () => {
    const owner = await service.neighbour({ firstName: 'Olga' });
    const renter = await service.neighbour({ firstName: 'Ray' });
    const tool = await service.tool({ ownerId: owner.userId });

    const held = await service.askHold(renter, [service.line(tool.toolId)]);
    await service.succeed(service.paymentOf(renter, 2_500, held.body.hold.id));
    const created = await service.broker.expectEvent(
      'BookingCreated',
      (data) => data.renterId === renter.userId,
    );

    expect(held).toMatchObject({ status: 201, body: { hold: { amount: 2_500 } } });
    expect(created.data).toMatchObject({
      toolId: tool.toolId,
      ownerId: owner.userId,
      bookingCode: held.body.hold.lines[0].booking_code,
      paidCents: 2_500,
      period: 2,
      startDate: inDays(10),
      endDate: inDays(12),
    });
    const rented = await service.http.get(
      `/api/rentalBookings/${renter.userId}/my-bookings`,
      renter,
    );
    const lent = await service.http.get('/api/rentalBookings/my-bookings', owner);
    expect(rented.body.bookings).toHaveLength(1);
    expect(lent.body).toEqual(rented.body);
    expect(lent.body.bookings[0]).toMatchObject({
      id: created.data.bookingId,
      authorization: 'Authorized',
      returned_status: 'null',
      payment: 25,
      address: '1 Oak Street',
      user: { first_name: 'Ray' },
      toolOwner: { first_name: 'Olga' },
    });
  });
});
