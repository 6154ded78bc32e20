import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListedPayment } from '@lendtools/contracts';
import { metricIn, waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  type FakePayment,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

/** Makes a purchase that the payments stub lists as succeeded, without sending its event. */
const paidWithoutEvent = async () => {
  const renter = await service.person();
  const hold = await service.held(renter);
  const payment = service.paymentOf(renter, hold.amountCents, hold.id);
  service.payments.push(payment);
  return { renter, payment, bookingId: hold.lines[0]?.id as string };
};

const compareNow = () => service.pool.query('UPDATE reconciliations SET next_at = now()');

type AtStripe = NonNullable<ListedPayment['atStripe']>;

const unchanged = { outsideCents: 0, disputedCents: 0, heldCents: 0, dispute: null };

/** Changes a payment at Stripe without sending an event. */
const change = async (
  payment: FakePayment,
  atStripe: Partial<AtStripe> & { version: number },
): Promise<void> => {
  const { version, outsideCents: outside = 0, heldCents: held = 0 } = atStripe;
  const gone = await service.sharesOf(payment, { outside, held });
  Object.assign(payment, { atStripe: { ...unchanged, ...atStripe }, shares: { version, gone } });
};

const rowOf = async ({ paymentId }: FakePayment) =>
  (await service.pool.query('SELECT * FROM payments WHERE id = $1', [paymentId])).rows[0];

const settlementOf = async (bookingId: string) => {
  const admin = await service.person('Admin');
  const path = `/api/rentalBookings/${bookingId}/details`;
  return (await service.http.get(path, admin)).body.booking.settlement;
};

const created = (bookingId: string) =>
  service.broker.received.filter(
    (event) => event.type === 'BookingCreated' && event.data.bookingId === bookingId,
  );

const recordedCount = async (): Promise<number> => {
  const { body } = await service.http.get('/metrics');
  return metricIn(body, 'missed_payments_recorded_total');
};

describe('a payment whose event is lost', () => {
  it('is booked, only once on two replicas, and counted', async () => {
    const before = await recordedCount();
    const replica = await service.start();
    const bought = [await paidWithoutEvent(), await paidWithoutEvent(), await paidWithoutEvent()];

    await compareNow();
    for (const { bookingId } of bought)
      await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);
    // Once this payment is booked, the second run has also processed the first three payments again.
    const later = await paidWithoutEvent();
    await compareNow();
    await service.broker.expectEvent(
      'BookingCreated',
      (data) => data.bookingId === later.bookingId,
    );
    await replica.stop();

    expect(bought.map(({ bookingId }) => created(bookingId).length)).toEqual([1, 1, 1]);
    // Both replicas run in this process and share its counter.
    expect(await recordedCount()).toBe(before + 4);
  });

  it('is recorded once when its event arrives during the reconciliation and again later', async () => {
    const { payment, bookingId } = await paidWithoutEvent();

    await Promise.all([compareNow(), service.succeed(payment)]);
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);
    const before = await recordedCount();
    await service.succeed(payment);
    const { bookingId: later } = await paidWithoutEvent();
    await compareNow();
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === later);

    expect(created(bookingId)).toHaveLength(1);
    expect(await recordedCount()).toBe(before + 1);
  });

  it('is booked and shown as disputed if a bank holds the money by then', async () => {
    const { payment, bookingId } = await paidWithoutEvent();
    await change(payment, { version: 3, disputedCents: 2_500, heldCents: 2_500, dispute: 'open' });

    await compareNow();
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);
    await service.publishShares(payment, { version: 4, held: 2_500 });

    expect(await settlementOf(bookingId)).toMatchObject({ dispute: 'open', refundable: 0 });
  });

  it('is not booked if it was refunded in the dashboard by then', async () => {
    const [gone, next] = [await paidWithoutEvent(), await paidWithoutEvent()];
    await change(gone.payment, { version: 3, outsideCents: 2_500 });
    Object.assign(gone.payment, { mayBeBooked: false });

    await compareNow();
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === next.bookingId);

    expect(created(gone.bookingId)).toEqual([]);
  });

  it('is rejected as a whole, although the dashboard has refunded a part', async () => {
    const renter = await service.person();
    const payment = service.paymentOf(renter, 6_000, null);
    service.payments.push(payment);
    await change(payment, { version: 3, outsideCents: 2_000 });

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
    expect(data.refundCents).toBe(6_000);
  });

  it('is refunded if its tool is removed by then', async () => {
    const { renter, payment } = await paidWithoutEvent();
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
  it('is recorded and counted once', async () => {
    const { payment, bookingId } = await paidWithoutEvent();
    await service.succeed(payment);
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);
    const before = await recordedCount();

    await change(payment, { version: 5, outsideCents: 1_000 });
    await compareNow();
    await waitFor('the change', async () => (await settlementOf(bookingId)).refundable === 15);
    await change(payment, { version: 6, outsideCents: 1_000 });
    await compareNow();
    await waitFor('the later change', async () => (await rowOf(payment)).stripe_version === 6);

    expect(await settlementOf(bookingId)).toMatchObject({ refundedAtStripe: 10, refundable: 15 });
    expect(await recordedCount()).toBe(before + 1);
  });

  it('does not replace a newer version of the payment', async () => {
    const { payment, bookingId } = await paidWithoutEvent();
    await service.succeed(payment);
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);
    await service.refundAtStripe(payment, { cents: 2_000, version: 7 });
    await waitFor('the change at Stripe', async () => (await rowOf(payment)).stripe_version === 7);
    const other = await paidWithoutEvent();

    await change(payment, { version: 6, outsideCents: 1_000 });
    await compareNow();
    await service.broker.expectEvent(
      'BookingCreated',
      (data) => data.bookingId === other.bookingId,
    );

    expect((await rowOf(payment)).outside_cents).toBe(2_000);
  });
});
