import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
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

const { lend, change } = changesAt(() => service);

const statusOf = async (id: string) => (await service.seen(admin, id)).booking_status;

const cancelled = (id: string) =>
  service.broker.expectEvent('BookingCancelled', ({ bookingId }) => bookingId === id);

const cancellationsOf = (id: string) =>
  service.broker.received.filter(
    ({ type, data }) => type === 'BookingCancelled' && data.bookingId === id,
  );

type Payment = Awaited<ReturnType<typeof lend>>['payment'];

const paymentChange = (payment: Payment, state: string) =>
  service.broker.expectEvent(
    'BookingPaymentChanged',
    ({ paymentId, change }) =>
      paymentId === payment.paymentId && change.kind === 'dispute' && change.state === state,
  );

const owed = async ({ paymentId }: Payment) => {
  const { body } = await service.http.get(`/internal/payments/${paymentId}/refunds`, {
    token: internalSecret,
  });
  return body.refunds;
};

/** Books two tools at $40 each with one payment. */
const buyTwo = async () => {
  const renter = await service.neighbor();
  const tools = [
    await service.tool({ priceCents: 1_000 }),
    await service.tool({ priceCents: 1_000 }),
  ];
  const lines = tools.map(({ toolId }) => service.line(toolId, days(10, 14)));
  const { hold } = (await service.postHold(renter, lines)).body;
  const payment = await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));
  const ids: string[] = hold.lines.map(({ id }: { id: string }) => id);
  for (const id of ids)
    await service.broker.expectEvent('BookingCreated', ({ bookingId }) => bookingId === id);
  return { ids, payment };
};

describe('a lost dispute', () => {
  it('cancels a booking that has not started, frees its dates and orders a refund that stays open', async () => {
    const { id, payment, toolId } = await lend();

    await service.dispute(payment, 'lost', { cents: 4_000, version: 3 });

    expect((await cancelled(id)).data).toMatchObject({
      cancelledBy: 'admin',
      reason: expect.stringContaining('the bank returned it to the cardholder'),
      refunds: [{ paymentId: payment.paymentId, refundCents: 4_000, expectedCents: 0 }],
      keptCents: 0,
    });
    expect(await statusOf(id)).toBe('Cancelled');
    expect(await service.seen(admin, id)).toMatchObject({
      refunded: 0,
      cancellation: { refund: 0 },
    });
    const next = await service.postHold(await service.person(), [
      service.line(toolId, days(10, 14)),
    ]);
    expect(next.status).toBe(201);
    const event = await paymentChange(payment, 'lost');
    expect(event.data.bookings).toEqual([
      expect.objectContaining({ bookingId: id, isCancelled: true }),
    ]);
  });

  it('cancels a booking once, despite duplicate and out-of-order events', async () => {
    const { id, payment } = await lend();

    await service.dispute(payment, 'lost', { cents: 4_000, version: 4 });
    await service.dispute(payment, 'lost', { cents: 4_000, version: 4 });
    await service.dispute(payment, 'open', { cents: 4_000, version: 3 });

    await cancelled(id);
    await paymentChange(payment, 'open');
    expect(cancellationsOf(id)).toHaveLength(1);
    expect(await statusOf(id)).toBe('Cancelled');
  });

  it('does not cancel a rental that has started', async () => {
    const renter = await service.person();
    const { toolId } = await service.tool({ priceCents: 1_000 });
    const dates = { start_date: inDays(0), end_date: inDays(1) };
    const { id, payment } = await service.booked(renter, toolId, dates);

    await service.dispute(payment, 'lost', { cents: payment.amountCents, version: 3 });

    const event = await paymentChange(payment, 'lost');
    expect(event.data.bookings).toEqual([
      expect.objectContaining({ bookingId: id, isCancelled: false }),
    ]);
    expect(await statusOf(id)).toBe('Booked');
  });

  it('cancels every booking of a payment that is lost in full', async () => {
    const { ids, payment } = await buyTwo();

    await service.dispute(payment, 'lost', { cents: 8_000, version: 3 });

    for (const id of ids) await cancelled(id);
  });

  it('cancels none of several bookings if only a part of their payment is lost', async () => {
    const { ids, payment } = await buyTwo();

    await service.dispute(payment, 'lost', { cents: 4_000, version: 3 });

    const event = await paymentChange(payment, 'lost');
    expect(event.data.bookings.map((one) => one.isCancelled)).toEqual([false, false]);
    for (const id of ids) expect(await statusOf(id)).toBe('Booked');
  });

  it('cancels the remaining booking of a cart if the rest of its payment is lost', async () => {
    const { ids, payment } = await buyTwo();
    const [first = '', second = ''] = ids;
    await service.http.post(`/api/user/${admin.userId}/rentalBookings/cancel-booking/${first}`, {
      token: admin.token,
      body: {},
    });

    await service.dispute(payment, 'lost', { cents: 4_000, version: 5 });

    await cancelled(second);
    expect(await owed(payment)).toEqual([
      expect.objectContaining({ bookingId: first, refundCents: 4_000 }),
      expect.objectContaining({ bookingId: second, refundCents: 4_000 }),
    ]);
  });

  it('refunds the difference that another payment paid for a change', async () => {
    const { id, payment, renter } = await lend();
    const { hold } = (await change(renter, id, days(10, 16))).body;
    const difference = await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));
    await service.broker.expectEvent('BookingChanged', ({ bookingId }) => bookingId === id);

    await service.dispute(payment, 'lost', { cents: 4_000, version: 3 });

    const { refunds } = (await cancelled(id)).data;
    expect(new Set(refunds)).toEqual(
      new Set([
        { paymentId: difference.paymentId, refundCents: 2_000 },
        { paymentId: payment.paymentId, refundCents: 4_000, expectedCents: 0 },
      ]),
    );
  });

  it('ends an unpaid change of the booking that it cancels', async () => {
    const { id, payment, renter } = await lend();
    const { hold } = (await change(renter, id, days(10, 16))).body;

    await service.dispute(payment, 'lost', { cents: 4_000, version: 3 });

    await cancelled(id);
    await service.broker.expectEvent('BookingExpired', ({ holdId }) => holdId === hold.id);
  });

  it('counts the refund of the cancelled booking once the bank reverses the loss', async () => {
    const { id, payment } = await lend();
    await service.dispute(payment, 'lost', { cents: 4_000, version: 3 });
    await cancelled(id);

    await service.dispute(payment, 'won', { cents: 4_000, version: 4 });

    expect(await service.seen(admin, id)).toMatchObject({
      refunded: 40,
      cancellation: { refund: 40 },
    });
    expect(await owed(payment)).toEqual([
      expect.objectContaining({ bookingId: id, refundCents: 4_000, reason: 'cancelled' }),
    ]);
  });

  it('cancels a booking by reconciliation if the event of the dispute was lost', async () => {
    const { id, payment } = await lend();
    const sums = { outsideCents: 0, disputedCents: 4_000, heldCents: 0, dispute: 'lost' as const };
    const shares = { version: 3, gone: await service.sharesOf(payment, { lost: 4_000 }) };
    const atStripe = { version: 3, ...sums };
    service.payments.push({ ...payment, mayBeBooked: true, atStripe, shares });

    await service.pool.query('UPDATE reconciliations SET next_at = now()');

    await cancelled(id);
  });
});

const versionOf = async ({ paymentId }: Payment) =>
  (await service.pool.query('SELECT stripe_version FROM payments WHERE id = $1', [paymentId]))
    .rows[0].stripe_version;

describe('a change at Stripe whose shares are not published yet', () => {
  const isAt = (payment: Payment, version: number) =>
    waitFor(`version ${version}`, async () => (await versionOf(payment)) === version);

  const settlementOf = async (id: string) => (await service.seen(admin, id)).settlement;

  it('counts in part for each booking of a cart, until the shares come', async () => {
    const { ids, payment } = await buyTwo();
    const [first = '', second = ''] = ids;
    await service.refundAtStripe(payment, { cents: 3_000, version: 3, withShares: false });
    await isAt(payment, 3);

    const { body } = await service.http.post(
      `/api/user/${admin.userId}/rentalBookings/cancel-booking/${first}`,
      { token: admin.token, body: {} },
    );

    expect(body.refundCents).toBe(2_500);
    expect(await settlementOf(second)).toMatchObject({ refundedAtStripe: 15, refundable: 25 });
    await service.broker.sendNew(
      'PaymentSharesChanged',
      {
        paymentId: payment.paymentId,
        shares: [
          { bookingId: first, outsideCents: 1_400, lostCents: 0, heldCents: 0 },
          { bookingId: second, outsideCents: 1_600, lostCents: 0, heldCents: 0 },
        ],
      },
      { id: payment.paymentId, version: 3 },
    );
    await waitFor('the shares', async () => (await settlementOf(second))?.refundedAtStripe === 16);
  });

  it('counts no more once it is reversed', async () => {
    const { ids, payment } = await buyTwo();
    await service.refundAtStripe(payment, { cents: 3_000, version: 3 });
    await isAt(payment, 3);

    await service.refundAtStripe(payment, { cents: 0, version: 4, withShares: false });
    await isAt(payment, 4);

    for (const id of ids)
      expect(await settlementOf(id)).toMatchObject({ refundedAtStripe: 0, refundable: 40 });
  });

  it('counts for a booking that is made after it', async () => {
    const renter = await service.person();
    const hold = await service.held(renter);
    const payment = service.paymentOf(renter, hold.amountCents, hold.id);
    const atStripe = {
      version: 3,
      outsideCents: 500,
      disputedCents: 0,
      heldCents: 0,
      dispute: null,
    };
    service.payments.push({ ...payment, mayBeBooked: true, atStripe });

    await service.pool.query('UPDATE reconciliations SET next_at = now()');

    const id = hold.lines[0]?.id as string;
    await service.broker.expectEvent('BookingCreated', ({ bookingId }) => bookingId === id);
    expect(await settlementOf(id)).toMatchObject({ refundedAtStripe: 5 });
  });

  it('withholds what is lost at once, and cancels the booking and publishes the loss when the shares arrive', async () => {
    const { id, payment } = await lend();

    await service.dispute(payment, 'lost', { cents: 4_000, version: 3, withShares: false });
    await isAt(payment, 3);

    expect(await settlementOf(id)).toMatchObject({ dispute: 'lost', refundable: 0 });
    expect(await statusOf(id)).toBe('Booked');
    await service.publishShares(payment, { version: 3, lost: 4_000 });
    await cancelled(id);
    const { data } = await paymentChange(payment, 'lost');
    expect(data.bookings).toEqual([expect.objectContaining({ bookingId: id, isCancelled: true })]);
  });
});

describe('a dispute that is won', () => {
  it('keeps the booking and its payment unchanged', async () => {
    const { id, payment } = await lend();
    await service.dispute(payment, 'open', { cents: 4_000, version: 3 });

    await service.dispute(payment, 'won', { cents: 4_000, version: 4 });

    await paymentChange(payment, 'won');
    expect(await service.seen(admin, id)).toMatchObject({
      booking_status: 'Booked',
      settlement: { refundable: 40, disputed: 0 },
    });
  });
});

describe('GET /internal/bookings-of-payments', () => {
  it('lists the bookings of each payment, for admins only', async () => {
    const { ids, payment } = await buyTwo();
    const unknown = randomUUID();
    const path = `/internal/bookings-of-payments?payments=${payment.paymentId},${unknown}`;

    const reply = await service.http.get(path, admin);
    const rejected = await service.http.get(path, await service.person());

    expect(rejected.status).toBe(403);
    const { payments } = reply.body;
    expect(payments.map((one: { paymentId: string }) => one.paymentId)).toEqual([
      payment.paymentId,
      unknown,
    ]);
    expect(payments[0].bookings.map((one: { id: string }) => one.id).toSorted()).toEqual(
      ids.toSorted(),
    );
    expect(payments[0].bookings[0]).toEqual({
      id: expect.any(String),
      booking_code: expect.stringMatching(/^LT\d{6}$/),
      name: 'Hammer drill',
      booking_status: 'Booked',
      startsAt: expect.any(String),
    });
    expect(payments[1].bookings).toEqual([]);
  });
});
