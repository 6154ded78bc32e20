import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData, ListedPayment, RefundOwed } from '@lendtools/contracts';
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

/** Publishes the newest version of a payment and waits for it, so that all earlier events are processed. */
const settleEvents = (payment: Payment) => refundOutside(payment, 0, 50);

/** The keys under which the payments service stores refunds. */
const keysOf = (refunds: RefundOwed[]): Set<string> =>
  new Set(refunds.map((one) => [one.paymentId, one.bookingId, one.grantId].join(':')));

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

const compare = () => service.pool.query('UPDATE reconciliations SET next_at = now()');

describe('a failed dashboard refund of a rejected payment', () => {
  it('is replaced by a separate refund', async () => {
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

  it('is replaced if it was for the whole payment', async () => {
    const payment = await reject(4_000);
    expect(await owed(payment)).toEqual([]);

    await refundOutside(payment, 0, 4);

    expect(await centsOwed(payment)).toBe(4_000);
  });

  it('is replaced once, despite duplicate and out-of-order events', async () => {
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

  it('is replaced once, even if a second dashboard refund also fails', async () => {
    const payment = await reject(4_000);
    await refundOutside(payment, 0, 4);
    await refundOutside(payment, 4_000, 5);

    await refundOutside(payment, 0, 6);

    expect(await owed(payment)).toHaveLength(1);
    expect(await centsOwed(payment)).toBe(4_000);
  });

  it('is replaced by two refunds if it fails in two parts', async () => {
    const payment = await reject(4_000);

    await refundOutside(payment, 1_000, 4);
    expect(await centsOwed(payment)).toBe(3_000);
    await refundOutside(payment, 0, 5);

    const refunds = await owed(payment);
    expect(refunds.map(({ refundCents }) => refundCents)).toEqual([3_000, 1_000]);
    expect(keysOf(refunds).size).toBe(2);
  });

  it('is replaced even if only reconciliation detects the failure', async () => {
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

  it('is replaced by a refund that is listed once for reconciliation', async () => {
    const payment = await reject(1_500);
    await refundOutside(payment, 0, 4);

    // Backdate the refunds: the list omits the last two minutes, which events cover.
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

describe('a failed dashboard refund of a booking', () => {
  it('is replaced by a separate refund if the booking is cancelled', async () => {
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

  it('is replaced once if the booking is cancelled, despite duplicate and out-of-order events', async () => {
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

  it('is replaced by a refund of what the policy grants if the renter has cancelled', async () => {
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

  it('is replaced for each booking of a cart, in proportion to the price', async () => {
    const renter = await service.neighbor();
    const lines = [
      service.line((await service.tool({ priceCents: 1_000 })).toolId, days(10, 14)),
      service.line((await service.tool({ priceCents: 1_000 })).toolId, days(10, 14)),
    ];
    const { hold } = (await service.postHold(renter, lines)).body;
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

  it('is replaced separately from a reversed lost dispute', async () => {
    const { id, payment } = await lend();
    await refundOutside(payment, 1_000, 3);
    const { paymentId, userId, holdId } = payment;
    await service.publishShares(payment, { version: 4, outside: 1_000, lost: 3_000 });
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
        answerBy: null,
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

  it('is replaced even if only reconciliation detects the failure', async () => {
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
    const shares = { version: 4, gone: [] };
    service.payments.push({ ...payment, mayBeBooked: false, atStripe, shares });

    await compare();
    await isAt(payment, 4);

    expect(await owed(payment)).toEqual([
      expect.objectContaining({ bookingId: id, refundCents: 4_000 }),
    ]);
  });

  it('is not replaced unless the booking is cancelled', async () => {
    const { payment } = await lend();
    await refundOutside(payment, 4_000, 3);

    await refundOutside(payment, 0, 4);

    expect(await owed(payment)).toEqual([]);
  });
});

describe('a failed dashboard refund of a changed booking', () => {
  it('is replaced by a refund of what the change refunds', async () => {
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

  it('is replaced in full if the booking was cancelled after the change', async () => {
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

  it('is included in the refund of the change if it fails before the owner accepts', async () => {
    const { id, payment, owner, renter } = await lendOnRequest();
    await refundOutside(payment, 4_000, 3);
    const { approvalId } = await requestChange(renter, id, days(10, 12));
    await refundOutside(payment, 0, 4);

    await answer(owner, approvalId, 'accept');

    await changed(id);
    expect(await centsOwed(payment)).toBe(2_000);
  });
});
