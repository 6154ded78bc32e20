import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventType, Terms } from '@lendtools/contracts';
import { httpClient, type ServiceProcess, serviceProcess, waitFor } from '@lendtools/testing';
import {
  type BookingsHelpers,
  type BookingsWorld,
  inDays,
  internalSecret,
  type Person,
  startBookingsWorld,
} from './bookings-service.ts';

let world: BookingsWorld;
let bookings: ServiceProcess;
let service: BookingsHelpers;

beforeAll(async () => {
  world = await startBookingsWorld();
  bookings = await serviceProcess(new URL('../src/main.ts', import.meta.url), world.env);
  service = world.helpersAt(httpClient(bookings.url));
});

beforeEach(() => bookings.start());

afterAll(async () => {
  await bookings.stop();
  await world.stop();
});

const http = () => httpClient(bookings.url);

/** The events of a booking, hold or payment in order, except the reminders that the service's own job adds. */
const eventsOf = async (id: string): Promise<EventType[]> => {
  const { rows } = await world.pool.query<{ type: EventType }>(
    `SELECT type FROM outbox_messages WHERE aggregate_id = $1 AND type <> 'BookingReminderDue' ORDER BY version`,
    [id],
  );
  return rows.map(({ type }) => type);
};

const unitsOf = async (bookingId: string): Promise<string[]> =>
  (
    await world.pool.query<{ status: string }>(
      'SELECT status FROM booking_units WHERE booking_id = $1',
      [bookingId],
    )
  ).rows.map(({ status }) => status);

/** Sends a request that kills the service, and retries it after the restart. */
const killAndRetry = async <T>(ask: () => Promise<T>): Promise<T> => {
  await ask().catch(() => {});
  await bookings.killed();
  await bookings.start();
  return ask();
};

/** Pays a hold while a fault kills the service, then restarts the service. @returns the payment's id */
const payThrough = async (
  fault: string,
  renter: Person,
  hold: { id: string; amountCents: number },
): Promise<string> => {
  // A message that is still unpublished would trigger the fault too early.
  await waitFor('the outbox to be empty', async () => {
    const { rows } = await world.pool.query(
      'SELECT FROM outbox_messages WHERE published_at IS NULL',
    );
    return rows.length === 0;
  });
  await bookings.arm(fault);
  const payment = await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));
  await bookings.killed();
  await bookings.start();
  return payment.paymentId;
};

const drawsOf = async (paymentId: string): Promise<{ id: string; cents: number }[]> => {
  const { rows } = await world.pool.query(
    'SELECT booking_id AS id, amount_cents AS cents FROM allocations WHERE payment_id = $1',
    [paymentId],
  );
  return rows;
};

describe('the bookings service killed with SIGKILL', () => {
  it.each(['hold.beforeCommit', 'hold.beforeReply'])(
    'holds a cart once when retried after a kill at %s',
    async (fault) => {
      await bookings.arm(fault);
      const renter = await service.person();
      const { toolId } = await service.tool();
      const key = { 'idempotency-key': randomUUID() };

      const reply = await killAndRetry(() => service.postHold(renter, [service.line(toolId)], key));

      expect(reply.status).toBe(201);
      const { rows } = await world.pool.query('SELECT id FROM holds WHERE user_id = $1', [
        renter.userId,
      ]);
      expect(rows).toEqual([{ id: reply.body.hold.id }]);
    },
  );

  it.each([
    'confirm.beforeCommit',
    'consumer.beforeAck',
    'relay.afterPublish',
    'relay.afterConfirm',
  ])('turns a payment into one booking and one event after a kill at %s', async (fault) => {
    const renter = await service.person();
    const hold = await service.held(renter);
    const [line] = hold.lines;
    const paymentId = await payThrough(fault, renter, hold);

    await world.broker.expectEvent('BookingCreated', (data) => data.bookingId === line?.id);
    expect(await eventsOf(line?.id as string)).toEqual(['BookingCreated']);
    expect(await drawsOf(paymentId)).toEqual([{ id: line?.id, cents: hold.amountCents }]);
  });

  it.each(['addRentalBooking.beforeCommit', 'addRentalBooking.beforeReply'])(
    'books a payment once when retried after a kill at %s',
    async (fault) => {
      await bookings.arm(fault);
      const renter = await service.person();
      const { toolId } = await service.tool();
      const payment = service.paymentOf(renter, 2 * 1_250, null);
      world.payments.push({ ...payment, status: 'succeeded' } as never);
      const body = service.line(toolId, { booking_code: 'LT123456' });
      const add = () =>
        http().post(`/api/user/${renter.userId}/add-rental-booking`, { ...renter, body });

      const reply = await killAndRetry(add);

      expect(reply.status).toBe(201);
      const { rows } = await world.pool.query(
        'SELECT booking_id AS id FROM allocations WHERE payment_id = $1',
        [payment.paymentId],
      );
      expect(rows).toEqual([{ id: reply.body.rental.id }]);
    },
  );

  it('makes one booking request when retried after a kill at authorize.beforeCommit', async () => {
    await bookings.stop();
    await bookings.start('authorize.beforeCommit:1:kill');
    const renter = await service.person();
    const { toolId } = await service.toolOnRequest();
    const { body } = await service.postHold(renter, [service.line(toolId)]);
    const authorization = { paymentId: randomUUID(), userId: renter.userId };

    const reply = await killAndRetry(() => service.reportAuthorization(body.hold, authorization));

    const { id } = body.hold.lines[0];
    expect(reply).toMatchObject({ status: 200, body: { approval: 'pending' } });
    expect(await eventsOf(id)).toEqual(['ApprovalRequested']);
    expect(await unitsOf(id)).toEqual(['requested']);
  });

  it.each(['accept.beforeCommit', 'accept.beforeReply'])(
    'accepts a request once when retried after a kill at %s, and reports the acceptance to the payments service',
    async (fault) => {
      await bookings.arm(fault);
      const { id, approvalId, owner, hold, authorization } = await service.requested(
        await service.person(),
      );

      const reply = await killAndRetry(() => service.answer(owner, approvalId, 'accept'));

      expect(reply.status).toBe(200);
      expect(await eventsOf(id)).toEqual(['ApprovalRequested', 'ApprovalAccepted']);
      expect((await service.reportAuthorization(hold, authorization)).body).toEqual({
        approval: 'accepted',
      });
    },
  );

  it('charges an accepted request once after a kill at finishAcceptance.beforeCommit', async () => {
    await bookings.arm('finishAcceptance.beforeCommit');
    const { id, approvalId, owner } = await service.requested(await service.person());
    await service.answer(owner, approvalId, 'accept', { undoable: true });

    await world.pool.query('UPDATE approvals SET charges_at = now() WHERE id = $1', [approvalId]);
    await bookings.killed();
    await bookings.start();

    await world.broker.expectEvent('ApprovalAccepted', (data) => data.bookingId === id);
    expect(await eventsOf(id)).toEqual(['ApprovalRequested', 'ApprovalAccepted']);
  });
});

/** Columns: fault, canceller, policy, days before the start, refund in cents of the $25.01 paid. */
const cancellations = [
  ['cancel.beforeCommit', 'renter', undefined, 1, 2_501],
  ['cancel.beforeCommit', 'renter', 'flexible', 1, 1_251],
  ['cancel.beforeCommit', 'renter', 'moderate', 5, 1_251],
  ['cancel.beforeCommit', 'renter', 'strict', 7, 0],
  ['cancel.beforeCommit', 'owner', 'strict', 1, 2_501],
  ['cancel.beforeReply', 'renter', 'strict', 8, 1_251],
  ['cancel.beforeReply', 'owner', 'moderate', 1, 2_501],
] as const;

describe('the bookings service killed with SIGKILL', () => {
  it.each(cancellations)(
    'requests the previewed refund once after a kill at %s while the %s cancels (%s policy, %d days ahead, %d cents)',
    async (fault, who, cancellation, daysAhead, cents) => {
      await bookings.arm(fault);
      const parties = { renter: await service.person(), owner: await service.person() };
      const { id, payment } = await bookedYesterday(parties, cancellation, daysAhead);
      const party = parties[who];
      const requested = await http().get(`/api/rentalBookings/${id}/cancel-preview`, party);
      const { refundCents } = requested.body.preview;

      const reply = await killAndRetry(() =>
        http().post(`/api/user/${party.userId}/rentalBookings/cancel-booking/${id}`, {
          ...party,
          body: { refundCents },
        }),
      );

      expect(refundCents).toBe(cents);
      expect(reply).toMatchObject({ status: 200, body: { refundCents: cents } });
      const { data } = await world.broker.expectEvent(
        'BookingCancelled',
        (event) => event.bookingId === id,
      );
      const refunds = cents > 0 ? [{ paymentId: payment.paymentId, refundCents: cents }] : [];
      expect(data).toMatchObject({ cancelledBy: who, refunds, keptCents: 2_501 - cents });
      expect(await eventsOf(id)).toEqual(['BookingCreated', 'BookingCancelled']);
      expect(await owedOf(payment.paymentId)).toMatchObject(refunds);
      expect(await unitsOf(id)).toEqual(['cancelled']);
    },
  );
});

/** Changes the last day of a booking that costs $25.01 a day. */
const change = (renter: Person, id: string, to: number, shown: Record<string, number> = {}) =>
  http().post(`/api/user/${renter.userId}/rentalBookings/change-booking/${id}`, {
    ...renter,
    body: { quantity: 1, start_date: inDays(9), end_date: inDays(to), ...shown },
  });

const bookedForThree = async () => {
  const parties = { renter: await service.person(), owner: await service.person() };
  const { toolId } = await service.tool({ ownerId: parties.owner.userId, priceCents: 2_501 });
  const dates = { start_date: inDays(9), end_date: inDays(12) };
  return { ...parties, ...(await service.booked(parties.renter, toolId, dates)) };
};

describe('the bookings service killed with SIGKILL', () => {
  it.each(['change.beforeCommit', 'change.beforeReply'])(
    'holds the units of a costlier change once, in addition to the booking’s units, when retried after a kill at %s',
    async (fault) => {
      await bookings.arm(fault);
      const { renter, id } = await bookedForThree();

      const reply = await killAndRetry(() => change(renter, id, 14, { dueCents: 5_002 }));

      expect(reply).toMatchObject({ status: 200, body: { hold: { amountCents: 5_002 } } });
      const { rows } = await world.pool.query(
        `SELECT hold_id AS id FROM booking_changes WHERE booking_id = $1 AND status = 'open'`,
        [id],
      );
      expect(rows).toEqual([{ id: reply.body.hold.id }]);
      expect(await unitsOf(id)).toEqual(['confirmed', 'confirmed']);
      expect(await eventsOf(id)).toEqual(['BookingCreated']);
    },
  );

  it.each(['change.beforeCommit', 'change.beforeReply'])(
    'makes a cheaper change once, with one refund as shown, when retried after a kill at %s',
    async (fault) => {
      await bookings.arm(fault);
      const { renter, id, payment } = await bookedForThree();

      const reply = await killAndRetry(() => change(renter, id, 11, { refundCents: 2_501 }));

      expect(reply).toMatchObject({
        status: 200,
        body: { hold: null, rental: { payment: 50.02 } },
      });
      expect(await eventsOf(id)).toEqual(['BookingCreated', 'BookingChanged']);
      expect(await owedOf(payment.paymentId)).toMatchObject([
        { refundCents: 2_501, reason: 'changed' },
      ]);
      expect(await unitsOf(id)).toEqual(['confirmed']);
    },
  );

  it.each(['confirm.beforeCommit', 'consumer.beforeAck', 'relay.afterPublish'])(
    'changes a booking once when a kill at %s interrupts its payment',
    async (fault) => {
      const { renter, id } = await bookedForThree();
      const { hold } = (await change(renter, id, 14)).body;
      const paymentId = await payThrough(fault, renter, hold);

      await world.broker.expectEvent('BookingChanged', (data) => data.bookingId === id);
      expect(await eventsOf(id)).toEqual(['BookingCreated', 'BookingChanged']);
      expect(await drawsOf(paymentId)).toEqual([{ id, cents: 5_002 }]);
      expect(await unitsOf(id)).toEqual(['confirmed']);
    },
  );
});

describe('the bookings service killed with SIGKILL', () => {
  const onRequest = async () => {
    const booked = await bookedForThree();
    await world.pool.query(
      `UPDATE tools SET terms = '{"booking": "request"}' WHERE id = (SELECT tool_id FROM bookings WHERE id = $1)`,
      [booked.id],
    );
    return booked;
  };

  it('requests and makes a change once despite kills at its authorization, acceptance and charge', async () => {
    await bookings.arm('authorize.beforeCommit');
    const { renter, owner, id } = await onRequest();
    const { hold } = (await change(renter, id, 14, { dueCents: 5_002 })).body;
    const authorization = { paymentId: randomUUID(), userId: renter.userId };
    const requested = await killAndRetry(() => service.reportAuthorization(hold, authorization));
    const { approval } = await service.seen(owner, id);
    await bookings.arm('accept.beforeReply');
    const accepted = await killAndRetry(() => service.answer(owner, approval.id, 'accept'));
    const paymentId = await payThrough('confirm.beforeCommit', renter, hold);
    await world.broker.expectEvent('BookingChanged', (data) => data.bookingId === id);

    expect(requested.body).toEqual({ approval: 'pending' });
    expect(accepted.status).toBe(200);
    expect(await eventsOf(id)).toEqual([
      ...['BookingCreated', 'ApprovalRequested', 'ApprovalAccepted', 'BookingChanged'],
    ]);
    expect(await drawsOf(paymentId)).toEqual([{ id, cents: 5_002 }]);
    expect(await unitsOf(id)).toEqual(['confirmed']);
  });

  it('makes and refunds a cheaper change once when retried after a kill at accept.beforeCommit', async () => {
    await bookings.arm('accept.beforeCommit');
    const { renter, owner, id, payment } = await onRequest();
    const { approval } = (await change(renter, id, 11, { refundCents: 2_501 })).body.rental;

    const reply = await killAndRetry(() => service.answer(owner, approval.id, 'accept'));

    expect(reply).toMatchObject({ status: 200, body: { rental: { payment: 50.02 } } });
    expect(await eventsOf(id)).toEqual([
      ...['BookingCreated', 'ApprovalRequested', 'BookingChanged'],
    ]);
    expect(await owedOf(payment.paymentId)).toMatchObject([
      { refundCents: 2_501, reason: 'changed' },
    ]);
  });
});

const bookedYesterday = async (
  { renter, owner }: { renter: Person; owner: Person },
  cancellation: Terms['cancellation'] | undefined,
  daysAhead: number,
) => {
  const { toolId } = await service.tool({
    ownerId: owner.userId,
    priceCents: 2_501,
    terms: cancellation ? { cancellation } : {},
  });
  const dates = { start_date: inDays(daysAhead), end_date: inDays(daysAhead + 1) };
  const booking = await service.booked(renter, toolId, dates);
  await world.pool.query(`UPDATE bookings SET booked_at = now() - interval '1 day' WHERE id = $1`, [
    booking.id,
  ]);
  return booking;
};

/** The refunds of a payment that the bookings service lists for the payments service to send. */
const owedOf = async (paymentId: string) => {
  const caller = { token: internalSecret };
  return (await http().get(`/internal/payments/${paymentId}/refunds`, caller)).body.refunds;
};
