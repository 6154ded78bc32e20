import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData, ListedPayment, RefundOwed } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  internalSecret,
  type Person,
  startBookingsService,
} from '../test/bookings-service.ts';
import { changesAt, days } from '../test/changes.ts';

let service: BookingsService;
let admin: Person;
beforeAll(async () => {
  service = await startBookingsService();
  admin = await service.person('Admin');
});
afterAll(() => service.stop());

const { lend, lendOnRequest, askChange, answer, change, cancel, changed } = changesAt(
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

/** Sets the sum of the dashboard refunds that have not failed, with a version of the payment, and waits for it. */
const refundOutside = async (payment: Payment, cents: number, version: number) => {
  await service.refundAtStripe(payment, { cents, version });
  await isAt(payment, version);
};

/** Sends the newest version and waits for it, so that all earlier events are processed. */
const settleEvents = (payment: Payment) => refundOutside(payment, 0, 50);

/** The keys under which the payments service stores refunds. */
const keysOf = (refunds: RefundOwed[]): Set<string> =>
  new Set(refunds.map((one) => [one.paymentId, one.bookingId, one.grantId].join(':')));

/** Makes a payment of $40 without a hold, refunds a part of it in the dashboard, and waits until the rest is rejected. */
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

const compare = () => service.pool.query('UPDATE reconciliations SET next_at = now()');

describe('a dashboard refund of a rejected payment', () => {
  it('orders a separate refund of a rejected payment when its dashboard refund fails', async () => {
    const payment = await reject(1_500);
    expect(await centsOwed(payment)).toBe(2_500);

    await refundOutside(payment, 0, 4);

    const refunds = await owed(payment);
    expect(refunds).toEqual([
      expect.objectContaining({ bookingId: null, grantId: null, refundCents: 2_500 }),
      {
        paymentId: payment.paymentId,
        bookingId: null,
        grantId: expect.any(String),
        refundCents: 1_500,
        reason: 'unassigned',
        toolNames: [],
      },
    ]);
    expect(keysOf(refunds).size).toBe(2);
  });

  it('orders a refund of a rejected payment when a dashboard refund of all of it fails', async () => {
    const payment = await reject(4_000);
    expect(await owed(payment)).toEqual([]);

    await refundOutside(payment, 0, 4);

    expect(await centsOwed(payment)).toBe(4_000);
  });

  it('orders the refund for a failed dashboard refund once, despite duplicate and out-of-order events', async () => {
    const payment = await reject(4_000);

    for (const [cents, version] of [
      [0, 6],
      [0, 6],
      [4_000, 5],
      [0, 4],
    ] as const)
      await service.refundAtStripe(payment, { cents, version });
    await settleEvents(payment);

    expect(await centsOwed(payment)).toBe(4_000);
    expect(await owed(payment)).toHaveLength(1);
  });

  it('orders the refund of a rejected payment once when a second dashboard refund also fails', async () => {
    const payment = await reject(4_000);
    await refundOutside(payment, 0, 4);
    await refundOutside(payment, 4_000, 5);

    await refundOutside(payment, 0, 6);

    expect(await owed(payment)).toHaveLength(1);
    expect(await centsOwed(payment)).toBe(4_000);
  });

  it('orders two refunds when a dashboard refund fails in two parts', async () => {
    const payment = await reject(4_000);

    await refundOutside(payment, 1_000, 4);
    expect(await centsOwed(payment)).toBe(3_000);
    await refundOutside(payment, 0, 5);

    const refunds = await owed(payment);
    expect(refunds.map(({ refundCents }) => refundCents)).toEqual([3_000, 1_000]);
    expect(keysOf(refunds).size).toBe(2);
  });

  it('orders a refund if only the reconciliation finds that a dashboard refund failed', async () => {
    const payment = await reject(4_000);
    const atStripe = {
      version: 4,
      outsideCents: 0,
      disputedCents: 0,
      heldCents: 0,
      dispute: null,
    };
    const listed: ListedPayment = { ...payment, mayBeBooked: false, atStripe };
    service.payments.push(listed);

    await compare();
    await isAt(payment, 4);
    await compare();

    await settleEvents(payment);
    expect(await owed(payment)).toEqual([expect.objectContaining({ refundCents: 4_000 })]);
  });

  it('lists a recovered refund once among the refunds for reconciliation', async () => {
    const payment = await reject(1_500);
    await refundOutside(payment, 0, 4);

    // The list omits the last two minutes, which events cover.
    await service.pool.query(
      `UPDATE refund_orders SET ordered_at = ordered_at - interval '1 hour' WHERE payment_id = $1`,
      [payment.paymentId],
    );

    const since = new URLSearchParams({ since: new Date(0).toISOString() });
    const { body } = await service.http.get(`/internal/refunds?${since}`, {
      token: internalSecret,
    });

    const items: RefundOwed[] = body.items;
    expect(items.filter(({ paymentId }) => paymentId === payment.paymentId)).toEqual(
      await owed(payment),
    );
  });
});

describe('a dashboard refund of a cancelled booking', () => {
  it('orders a separate refund of a cancelled booking when its dashboard refund fails', async () => {
    const { id, payment, owner } = await lend();
    await refundOutside(payment, 1_500, 3);
    await cancel(owner, id);
    expect(await centsOwed(payment)).toBe(2_500);

    await refundOutside(payment, 0, 4);

    const refunds = await owed(payment);
    expect(refunds).toEqual([
      expect.objectContaining({ bookingId: id, grantId: null, refundCents: 2_500 }),
      {
        paymentId: payment.paymentId,
        bookingId: id,
        grantId: expect.any(String),
        refundCents: 1_500,
        reason: 'cancelled',
        toolNames: ['Hammer drill'],
      },
    ]);
  });

  it('orders the refund of a cancelled booking once when its dashboard refund fails, despite duplicate and out-of-order events', async () => {
    const { id, payment, owner } = await lend();
    await refundOutside(payment, 4_000, 3);
    await cancel(owner, id);

    for (const [cents, version] of [
      [0, 6],
      [0, 6],
      [4_000, 5],
      [4_000, 7],
      [0, 8],
    ] as const)
      await service.refundAtStripe(payment, { cents, version });
    await settleEvents(payment);

    expect(await owed(payment)).toEqual([
      expect.objectContaining({ bookingId: id, refundCents: 4_000 }),
    ]);
  });

  it('orders at most the policy’s refund when a dashboard refund fails after the renter has cancelled', async () => {
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

    await refundOutside(payment, 0, 4);

    expect(await centsOwed(payment)).toBe(byPolicy);
  });

  it('splits a failed dashboard refund over the bookings of a cart by price', async () => {
    const renter = await service.neighbor();
    const lines = [
      service.line((await service.tool({ priceCents: 1_000 })).toolId, days(10, 14)),
      service.line((await service.tool({ priceCents: 1_000 })).toolId, days(10, 14)),
    ];
    const { hold } = (await service.askHold(renter, lines)).body;
    const payment = await service.succeed(service.paymentOf(renter, 8_000, hold.id));
    const ids: string[] = hold.lines.map(({ id }: { id: string }) => id);
    for (const id of ids)
      await service.broker.expectEvent('BookingCreated', ({ bookingId }) => bookingId === id);
    await refundOutside(payment, 4_000, 3);
    for (const id of ids) await cancel(admin, id);
    expect(await centsOwed(payment)).toBe(4_000);

    await refundOutside(payment, 0, 4);

    const refunds = await owed(payment);
    for (const id of ids)
      expect(refunds.filter(({ bookingId }) => bookingId === id)).toEqual([
        expect.objectContaining({ refundCents: 2_000, grantId: null }),
        expect.objectContaining({ refundCents: 2_000, grantId: expect.any(String) }),
      ]);
    expect(keysOf(refunds).size).toBe(4);
  });

  it('orders separate refunds for a reversed lost dispute and a failed dashboard refund', async () => {
    const { id, payment } = await lend();
    await refundOutside(payment, 1_000, 3);
    const { paymentId, userId, holdId } = payment;
    await service.broker.sendNew(
      'PaymentDisputed',
      {
        paymentId,
        userId,
        holdId,
        outsideCents: 1_000,
        dispute: 'lost',
        heldCents: 0,
        disputeId: 'du_1',
        disputeCents: 3_000,
        disputedCents: 3_000,
        state: 'lost',
        reason: 'fraudulent',
      },
      { id: paymentId, version: 4 },
    );
    await service.broker.expectEvent('BookingCancelled', ({ bookingId }) => bookingId === id);
    await refundOutside(payment, 1_000, 5);

    await refundOutside(payment, 0, 6);

    const refunds = await owed(payment);
    expect(refunds.map(({ refundCents }) => refundCents)).toEqual([3_000, 1_000]);
    expect(keysOf(refunds).size).toBe(2);
  });

  it('orders the refund of a cancelled booking if only the reconciliation finds that its dashboard refund failed', async () => {
    const { id, payment, owner } = await lend();
    await refundOutside(payment, 4_000, 3);
    await cancel(owner, id);
    const atStripe = {
      version: 4,
      outsideCents: 0,
      disputedCents: 0,
      heldCents: 0,
      dispute: null,
    };
    service.payments.push({ ...payment, mayBeBooked: false, atStripe });

    await compare();
    await isAt(payment, 4);

    expect(await owed(payment)).toEqual([
      expect.objectContaining({ bookingId: id, refundCents: 4_000 }),
    ]);
  });

  it('orders a refund for a failed dashboard refund of a booking that an older replica cancelled', async () => {
    const { id, payment, owner } = await lend();
    await refundOutside(payment, 1_500, 3);
    await cancel(owner, id);
    await service.pool.query('UPDATE bookings SET withheld_cents = 0 WHERE id = $1', [id]);
    const file = new URL('../migrations/0044_fill_withheld_refunds.sql', import.meta.url);
    await service.pool.query(await readFile(file, 'utf8'));

    await refundOutside(payment, 0, 4);

    expect(await centsOwed(payment)).toBe(4_000);
  });

  it('orders no refund for a failed dashboard refund of a booking that was not cancelled', async () => {
    const { payment } = await lend();
    await refundOutside(payment, 4_000, 3);

    await refundOutside(payment, 0, 4);

    expect(await owed(payment)).toEqual([]);
  });
});

describe('a dashboard refund of a changed booking', () => {
  it('orders at most the refund of the change when the dashboard refund of a changed booking fails', async () => {
    const { id, payment, renter } = await lend();
    await refundOutside(payment, 4_000, 3);
    await change(renter, id, days(10, 12));
    await changed(id);
    expect(await owed(payment)).toEqual([]);

    await refundOutside(payment, 0, 4);

    expect(await owed(payment)).toEqual([
      expect.objectContaining({ bookingId: id, refundCents: 2_000, reason: 'changed' }),
    ]);
  });

  it('orders the full refund when the dashboard refund of a booking fails that was cancelled after a change', async () => {
    const { id, payment, owner, renter } = await lend();
    await refundOutside(payment, 4_000, 3);
    await change(renter, id, days(10, 12));
    await changed(id);
    await cancel(owner, id);

    await refundOutside(payment, 0, 4);

    expect(await owed(payment)).toEqual([
      expect.objectContaining({ bookingId: id, refundCents: 4_000, reason: 'cancelled' }),
    ]);
  });

  it('includes a dashboard refund in the change if it fails before the owner accepts', async () => {
    const { id, payment, owner, renter } = await lendOnRequest();
    await refundOutside(payment, 4_000, 3);
    const { changeId } = await askChange(renter, id, days(10, 12));
    await refundOutside(payment, 0, 4);

    await answer(owner, id, 'accept', { changeId });

    await changed(id);
    expect(await centsOwed(payment)).toBe(2_000);
  });
});
