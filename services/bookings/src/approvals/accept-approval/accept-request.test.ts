import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';

let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService();
});
afterAll(() => bookings.stop());

const eventsOf = async (bookingId: string): Promise<string[]> => {
  const { rows } = await bookings.pool.query(
    'SELECT type FROM outbox_messages WHERE aggregate_id = $1 ORDER BY version',
    [bookingId],
  );
  return rows.map(({ type }) => type);
};

describe('POST …/approvals/:id/accept', () => {
  it('makes the booking of an accepted request once, and only after the card is charged', async () => {
    const renter = await bookings.person();
    const { id, approvalId, hold, owner, payment, authorization } =
      await bookings.requested(renter);

    const accepted = await bookings.answer(owner, approvalId, 'accept');
    const { body } = await bookings.reportAuthorization(hold, authorization);
    const during = await bookings.seen(renter, id);
    await bookings.succeed(payment);
    await bookings.succeed(payment);

    await bookings.broker.expectEvent('BookingCreated', (data) => data.bookingId === id);
    expect(accepted).toMatchObject({
      status: 200,
      body: { rental: { booking_status: 'Requested', allowedActions: [] } },
    });
    expect(accepted.body.rental.approval.status).toBe('accepted');
    expect(body).toEqual({ approval: 'accepted' });
    expect(during).toMatchObject({ booking_status: 'Requested', allowedActions: [] });
    expect(await bookings.seen(renter, id)).toMatchObject({
      booking_status: 'Booked',
      authorization: 'Authorized',
      allowedActions: ['cancel', 'change'],
    });
    expect(await eventsOf(id)).toEqual(['ApprovalRequested', 'ApprovalAccepted', 'BookingCreated']);
    expect((await bookings.reportAuthorization(hold, authorization)).body).toEqual({
      approval: 'ended',
    });
  });

  it('ignores a repeated acceptance, before and after the charge', async () => {
    const renter = await bookings.person();
    const { id, approvalId, owner, payment } = await bookings.requested(renter);

    const both = await Promise.all([1, 2].map(() => bookings.answer(owner, approvalId, 'accept')));
    await bookings.succeed(payment);
    await bookings.broker.expectEvent('BookingCreated', (data) => data.bookingId === id);
    const later = await bookings.answer(owner, approvalId, 'accept');

    expect([...both, later].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await eventsOf(id)).toEqual(['ApprovalRequested', 'ApprovalAccepted', 'BookingCreated']);
  });

  it('applies only one of several concurrent answers to a request', async () => {
    const renter = await bookings.person();
    const { approvalId, hold, owner } = await bookings.requested(renter);

    const replies = await Promise.all([
      bookings.answer(owner, approvalId, 'accept'),
      bookings.answer(owner, approvalId, 'decline'),
      bookings.answer(renter, approvalId, 'withdraw'),
    ]);

    const won = replies.filter(({ status }) => status === 200);
    const rejected = replies.filter(({ body }) => body.code === 'BOOKING_NOT_ACTIVE');
    expect([won.length, rejected.length]).toEqual([1, 2]);
    const isAccepted = replies[0]?.status === 200;
    expect(await bookings.holdStatus(hold.id)).toBe(isAccepted ? 'requested' : 'ended');
  });

  it('lets only the owner accept a request, and only before the deadline', async () => {
    const renter = await bookings.person();
    const { approvalId, owner } = await bookings.requested(renter);

    const others = [renter, await bookings.person('Admin'), await bookings.person()];
    const rejected = await Promise.all(
      others.map((who) => bookings.answer(who, approvalId, 'accept')),
    );
    await bookings.pool.query(
      `UPDATE approvals SET answer_by = now() - interval '1 s' WHERE id = $1`,
      [approvalId],
    );
    const late = await bookings.answer(owner, approvalId, 'accept');

    expect(rejected.map(({ status }) => status)).toEqual([403, 403, 404]);
    expect(late).toMatchObject({ status: 409, body: { code: 'BOOKING_NOT_ACTIVE' } });
  });

  it('ends the request as failed and frees its dates if the card cannot be charged', async () => {
    const renter = await bookings.person();
    const { id, approvalId, hold, owner, payment, toolId } = await bookings.requested(renter);
    await bookings.answer(owner, approvalId, 'accept');
    const { paymentId, userId } = payment;

    const failed = { paymentId, userId, holdId: hold.id, final: true, message: 'Expired' };
    await bookings.broker.sendNew('PaymentFailed', failed, { id: paymentId, version: 3 });

    const { data } = await bookings.broker.expectEvent(
      'ApprovalEnded',
      (one) => one.bookingId === id,
    );
    expect(data.outcome).toBe('failed');
    expect(await bookings.seen(owner, id)).toMatchObject({ booking_status: 'Failed' });
    expect((await bookings.postHold(renter, [bookings.line(toolId)])).status).toBe(201);
  });

  it('rejects an answer if the booking needs no approval or is already paid', async () => {
    const owner = await bookings.person();
    const { toolId } = await bookings.tool({ ownerId: owner.userId });
    const { id } = await bookings.booked(await bookings.person(), toolId);
    const paid = await bookings.requested(await bookings.person());
    await bookings.answer(paid.owner, paid.approvalId, 'accept');
    await bookings.succeed(paid.payment);
    await bookings.broker.expectEvent('BookingCreated', (data) => data.bookingId === paid.id);

    for (const how of ['accept', 'decline'] as const)
      expect(await bookings.answer(owner, id, how)).toMatchObject({
        status: 404,
        body: { code: 'BOOKING_NOT_FOUND' },
      });
    expect(await bookings.answer(paid.owner, paid.approvalId, 'decline')).toMatchObject({
      status: 409,
      body: { code: 'BOOKING_NOT_ACTIVE', detail: 'This booking is paid already.' },
    });
  });
});

describe('a request that has ended', () => {
  it('refunds a later charge', async () => {
    const renter = await bookings.person();
    const { id, approvalId, owner, payment } = await bookings.requested(renter);
    await bookings.answer(owner, approvalId, 'decline');

    await bookings.succeed(payment);

    const { data } = await bookings.broker.expectEvent(
      'BookingRejected',
      (one) => one.paymentId === payment.paymentId,
    );
    expect(data.refundCents).toBe(payment.amountCents);
    await waitFor('the request', async () => (await bookings.seen(owner, id)).status === 200);
    expect(await bookings.seen(owner, id)).toMatchObject({ booking_status: 'Declined' });
  });
});
