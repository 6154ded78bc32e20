import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData, RefundOwed } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  internalSecret,
  type Person,
  startBookingsService,
} from '../../test/bookings-service.ts';
import { changesAt, days } from '../../test/changes.ts';

let service: BookingsService;
let admin: Person;
beforeAll(async () => {
  service = await startBookingsService();
  admin = await service.person('Admin');
});
afterAll(() => service.stop());

const { lend, lendOnRequest, requestChange, answer, change, cancel, changed } = changesAt(
  () => service,
);

type Payment = EventData<'PaymentSucceeded'>;

const owed = async ({ paymentId }: Payment): Promise<RefundOwed[]> => {
  const path = `/internal/payments/${paymentId}/refunds`;
  return (await service.http.get(path, { token: internalSecret })).body.refunds;
};

const centsOwed = async (payment: Payment): Promise<number> =>
  (await owed(payment)).reduce((sum, { refundCents }) => sum + refundCents, 0);

const rowOf = async ({ paymentId }: Payment) =>
  (await service.pool.query('SELECT * FROM payments WHERE id = $1', [paymentId])).rows[0];

const isAt = (payment: Payment, version: number) =>
  waitFor(
    `version ${version}`,
    async () => (await rowOf(payment))?.stripe_version === version || undefined,
  );

/** Publishes a new version of a payment with the total of its dashboard refunds, and waits until it is stored. */
const refundOutside = async (payment: Payment, cents: number, version: number) => {
  await service.refundAtStripe(payment, { cents, version });
  await isAt(payment, version);
};

/** Pays $40 without a hold, refunds a part in Stripe's dashboard, and waits until the remainder is refunded. */
const reject = async (outsideCents: number): Promise<Payment> => {
  const payment = await service.succeed(service.paymentOf(await service.person(), 4_000, null));
  await refundOutside(payment, outsideCents, 3);
  await service.pool.query(
    `UPDATE payments SET recorded_at = now() - interval '1 day' WHERE id = $1`,
    [payment.paymentId],
  );
  await waitFor(
    'the rejection',
    async () => (await rowOf(payment)).unassigned_cents === 0 || undefined,
  );
  return payment;
};

const refundsOf = (id: string) =>
  service.broker
    .expectEvent('BookingCancelled', ({ bookingId }) => bookingId === id)
    .then(({ data }) => data.refunds);

describe('a refund order', () => {
  it.each([1_500, 4_000])(
    'covers the whole payment although the dashboard refunded %d cents of it',
    async (cents) => {
      const payment = await reject(cents);
      await refundOutside(payment, 0, 4);

      expect(await owed(payment)).toEqual([
        {
          paymentId: payment.paymentId,
          bookingId: null,
          grantId: null,
          refundCents: 4_000,
          reason: 'unassigned',
          toolNames: [],
        },
      ]);
    },
  );

  it('covers all that the owner’s cancellation grants; the event has expectedCents', async () => {
    const { id, payment, owner } = await lend();
    await refundOutside(payment, 1_500, 3);

    const { body } = await cancel(owner, id);

    expect(body.refundCents).toBe(2_500);
    expect(body.rental).toMatchObject({ refunded: 40, cancellation: { refund: 25 } });
    const { paymentId } = payment;
    expect(await owed(payment)).toMatchObject([{ bookingId: id, refundCents: 4_000 }]);
    expect(await refundsOf(id)).toEqual([{ paymentId, refundCents: 4_000, expectedCents: 2_500 }]);
  });

  it('counts as refunded once the dashboard’s refund fails, despite events out of order', async () => {
    const { id, payment, owner } = await lend();
    await refundOutside(payment, 4_000, 3);
    await cancel(owner, id);

    for (const [cents, version] of [
      [0, 6],
      [0, 6],
      [4_000, 5],
    ] as const)
      await service.refundAtStripe(payment, { cents, version });
    await isAt(payment, 6);

    expect(await owed(payment)).toMatchObject([{ bookingId: id, refundCents: 4_000 }]);
    expect(await service.seen(admin, id)).toMatchObject({
      refunded: 40,
      cancellation: { refund: 40 },
      settlement: { refundedAtStripe: 0, refundable: 0 },
    });
  });

  it('covers what the policy grants if the renter cancels', async () => {
    const { id, payment, renter } = await lend();
    await service.pool.query(`UPDATE bookings SET cancellation_policy = 'strict' WHERE id = $1`, [
      id,
    ]);
    const { body } = await service.http.get(`/api/rentalBookings/${id}/cancel-preview`, renter);
    const byPolicy = body.preview.refundCents;
    expect(byPolicy).toBeLessThan(4_000);
    expect(byPolicy).toBeGreaterThan(0);
    await refundOutside(payment, 4_000, 3);

    await cancel(renter, id);

    expect(await centsOwed(payment)).toBe(byPolicy);
  });

  it('does not reduce the other booking of the cart while shares are estimated', async () => {
    const renter = await service.neighbor();
    const lines = [
      service.line((await service.tool({ priceCents: 1_000 })).toolId, days(10, 14)),
      service.line((await service.tool({ priceCents: 1_000 })).toolId, days(10, 14)),
    ];
    const { hold } = (await service.postHold(renter, lines)).body;
    const payment = await service.succeed(service.paymentOf(renter, 8_000, hold.id));
    const [first, second] = hold.lines.map(({ id }: { id: string }) => id) as [string, string];
    for (const id of [first, second])
      await service.broker.expectEvent('BookingCreated', ({ bookingId }) => bookingId === id);
    await refundOutside(payment, 4_000, 3);
    await cancel(admin, first);
    await service.refundAtStripe(payment, { cents: 4_000, version: 4, withShares: false });
    await isAt(payment, 4);

    const { body } = await cancel(admin, second);

    expect(body.refundCents).toBe(2_000);
    expect(await owed(payment)).toMatchObject([
      { bookingId: first, refundCents: 4_000 },
      { bookingId: second, refundCents: 4_000 },
    ]);
  });

  it('covers what a change grants, and the cancellation’s order the rest', async () => {
    const { id, payment, owner, renter } = await lend();
    await refundOutside(payment, 4_000, 3);
    await change(renter, id, days(10, 12));
    const { data } = await changed(id);
    expect(data.refunds).toMatchObject([{ refundCents: 2_000, expectedCents: 0 }]);

    await cancel(owner, id);

    expect(await owed(payment)).toMatchObject([
      { bookingId: id, refundCents: 2_000, reason: 'changed', grantId: expect.any(String) },
      { bookingId: id, refundCents: 2_000, reason: 'cancelled', grantId: null },
    ]);
  });

  it('covers what a change grants when its owner accepts', async () => {
    const { id, payment, owner, renter } = await lendOnRequest();
    await refundOutside(payment, 4_000, 3);
    const { approvalId } = await requestChange(renter, id, days(10, 12));
    await refundOutside(payment, 0, 4);

    await answer(owner, approvalId, 'accept');

    await changed(id);
    expect(await centsOwed(payment)).toBe(2_000);
  });

  it('is created from what a replica of 1.0 withholds', async () => {
    const { id, payment, owner } = await lend();
    await cancel(owner, id);
    await service.pool.query('UPDATE allocations SET refunded_cents = 2500 WHERE booking_id = $1', [
      id,
    ]);

    await service.pool.query('UPDATE bookings SET withheld_cents = 1500 WHERE id = $1', [id]);

    expect(await owed(payment)).toMatchObject([
      { refundCents: 4_000, grantId: null },
      { bookingId: id, refundCents: 1_500, reason: 'cancelled', grantId: expect.any(String) },
    ]);
  });

  it('is created from what a replica of 1.0 deducts from a rejected payment', async () => {
    const payment = await service.succeed(service.paymentOf(await service.person(), 4_000, null));
    await waitFor('the payment', () => rowOf(payment));

    await service.pool.query(
      'UPDATE payments SET unassigned_cents = 0, rejected_cents = 2500 WHERE id = $1',
      [payment.paymentId],
    );

    expect(await owed(payment)).toMatchObject([{ bookingId: null, refundCents: 1_500 }]);
    expect(await rowOf(payment)).toMatchObject({ rejected_cents: 4_000 });
  });
});
