import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, startBookingsService } from '../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

/** A purchase of a tool that payments knows to have succeeded, and whose event is lost. */
const paidUnheard = async () => {
  const renter = await service.person();
  const hold = await service.held(renter);
  const payment = service.paymentOf(renter, hold.amount, hold.id);
  service.payments.push(payment);
  return { renter, payment, bookingId: hold.lines[0]?.id as string };
};

const compareNow = () => service.pool.query('UPDATE reconciliations SET next_at = now()');

const created = (bookingId: string) =>
  service.broker.heard.filter(
    (event) => event.type === 'BookingCreated' && event.data.bookingId === bookingId,
  );

const healed = async (): Promise<number> => {
  const { body } = await service.http.get('/metrics');
  return Number(/^missed_payments_recorded_total\{.*\} (\d+)$/m.exec(body)?.[1] ?? 0);
};

describe('a payment whose event is lost', () => {
  it('becomes its bookings all the same, once, on two replicas, and is counted', async () => {
    const replica = await service.start();
    const bought = [await paidUnheard(), await paidUnheard(), await paidUnheard()];

    await compareNow();
    for (const { bookingId } of bought)
      await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);
    // Another one, so that the second walk is known to have come past the first three.
    const later = await paidUnheard();
    await compareNow();
    await service.broker.expectEvent(
      'BookingCreated',
      (data) => data.bookingId === later.bookingId,
    );
    await replica.stop();

    expect(bought.map(({ bookingId }) => created(bookingId).length)).toEqual([1, 1, 1]);
    // One process has one count, and here the two replicas are one.
    expect(await healed()).toBe(4);
  });

  it('is recorded once when its event comes at the same time, and after', async () => {
    const { payment, bookingId } = await paidUnheard();

    await Promise.all([compareNow(), service.succeed(payment)]);
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);
    const before = await healed();
    await service.succeed(payment);
    const { bookingId: later } = await paidUnheard();
    await compareNow();
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === later);

    expect(created(bookingId)).toHaveLength(1);
    expect(await healed()).toBe(before + 1);
  });

  it('goes back when its dates are lost by then', async () => {
    const { renter, payment } = await paidUnheard();
    await service.http.delete(`/api/user/${renter.userId}/holds/${payment.holdId}`, renter);
    await service.pool.query('UPDATE tools SET removed_at = now()');

    await compareNow();

    const { data } = await service.broker.expectEvent(
      'BookingRejected',
      ({ paymentId }) => paymentId === payment.paymentId,
    );
    expect(data).toMatchObject({ refundCents: payment.amountCents, reason: 'slot-lost' });
  });
});
