import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListedPayment } from '@lendtools/contracts';
import { metricIn, waitFor } from '@lendtools/testing';
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
  const payment = service.paymentOf(renter, hold.amountCents, hold.id);
  service.payments.push(payment);
  return { renter, payment, bookingId: hold.lines[0]?.id as string };
};

const compareNow = () => service.pool.query('UPDATE reconciliations SET next_at = now()');

type AtStripe = NonNullable<ListedPayment['atStripe']>;

const unchanged = { outsideCents: 0, disputedCents: 0, heldCents: 0, dispute: null };

/** At Stripe, and of no event of it anybody hears. */
const change = (payment: ListedPayment, atStripe: Partial<AtStripe> & { version: number }) =>
  Object.assign(payment, { atStripe: { ...unchanged, ...atStripe } });

const rowOf = async ({ paymentId }: ListedPayment) =>
  (await service.pool.query('SELECT * FROM payments WHERE id = $1', [paymentId])).rows[0];

const settlementOf = async (bookingId: string) => {
  const admin = await service.person('Admin');
  const path = `/api/rentalBookings/${bookingId}/details`;
  return (await service.http.get(path, admin)).body.booking.settlement;
};

const created = (bookingId: string) =>
  service.broker.heard.filter(
    (event) => event.type === 'BookingCreated' && event.data.bookingId === bookingId,
  );

const healed = async (): Promise<number> => {
  const { body } = await service.http.get('/metrics');
  return metricIn(body, 'missed_payments_recorded_total');
};

describe('a payment whose event is lost', () => {
  it('becomes its bookings all the same, once, on two replicas, and is counted', async () => {
    const before = await healed();
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
    expect(await healed()).toBe(before + 4);
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

  it('that a bank holds by then is booked, and known to be held', async () => {
    const { payment, bookingId } = await paidUnheard();
    change(payment, { version: 3, disputedCents: 2_500, heldCents: 2_500, dispute: 'open' });

    await compareNow();
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);

    expect(await settlementOf(bookingId)).toMatchObject({ dispute: 'open', refundable: 0 });
  });

  it('that went back in the dashboard by then is not booked', async () => {
    const [gone, next] = [await paidUnheard(), await paidUnheard()];
    change(gone.payment, { version: 3, outsideCents: 2_500 });
    Object.assign(gone.payment, { mayBeBooked: false });

    await compareNow();
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === next.bookingId);

    expect(created(gone.bookingId)).toEqual([]);
  });

  it('sends back no more of what nobody booked with than is there', async () => {
    const renter = await service.person();
    const payment = service.paymentOf(renter, 6_000, null);
    service.payments.push(payment);
    change(payment, { version: 3, outsideCents: 2_000 });

    await compareNow();
    await waitFor('the payment', async () => (await rowOf(payment)) !== undefined);
    await service.pool.query(
      `UPDATE payments SET recorded_at = now() - interval '15 minutes' WHERE id = $1`,
      [payment.paymentId],
    );

    const { data } = await service.broker.expectEvent(
      'BookingRejected',
      ({ paymentId }) => paymentId === payment.paymentId,
    );
    expect(data.refundCents).toBe(4_000);
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

describe('a change at Stripe whose event is lost', () => {
  it('is known all the same, and counted once', async () => {
    const { payment, bookingId } = await paidUnheard();
    await service.succeed(payment);
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);
    const before = await healed();

    change(payment, { version: 5, outsideCents: 1_000 });
    await compareNow();
    await waitFor('the change', async () => (await settlementOf(bookingId)).refundable === 15);
    change(payment, { version: 6, outsideCents: 1_000 });
    await compareNow();
    await waitFor('the later one', async () => (await rowOf(payment)).stripe_version === 6);

    expect(await settlementOf(bookingId)).toMatchObject({ refundedAtStripe: 10, refundable: 15 });
    expect(await healed()).toBe(before + 1);
  });

  it('undoes nothing that was heard since', async () => {
    const { payment, bookingId } = await paidUnheard();
    await service.succeed(payment);
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);
    await service.refundAtStripe(payment, { cents: 2_000, version: 7 });
    await waitFor('the news', async () => (await rowOf(payment)).stripe_version === 7);
    const other = await paidUnheard();

    change(payment, { version: 6, outsideCents: 1_000 });
    await compareNow();
    await service.broker.expectEvent(
      'BookingCreated',
      (data) => data.bookingId === other.bookingId,
    );

    expect((await rowOf(payment)).outside_cents).toBe(2_000);
  });
});
