import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListedPayment } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { preview, change, cancel, lendOnRequest, requestChange, answer, changed } = changesAt(
  () => service,
);
const { unitsOf, refundsOf } = changesAt(() => service);

const eventsOf = async (bookingId: string): Promise<string[]> => {
  const { rows } = await service.pool.query(
    'SELECT type FROM outbox_messages WHERE aggregate_id = $1 ORDER BY version',
    [bookingId],
  );
  return rows.map(({ type }) => type);
};

describe('a change request', () => {
  it('changes the booking only after authorization, acceptance and charge, if the change costs more', async () => {
    const { renter, owner, id, toolId } = await lendOnRequest();
    const { body } = await preview(renter, id, days(10, 16));

    const { approvalId, hold, payment, follow } = await requestChange(renter, id, days(10, 16));
    const requested = await service.seen(owner, id);
    const other = await service.postHold(await service.person(), [
      service.line(toolId, days(14, 16)),
    ]);
    const accepted = await answer(owner, approvalId, 'accept');
    const during = await service.seen(renter, id);
    const request = await follow();
    await service.succeed(payment);
    await service.succeed(payment);
    const { data } = await changed(id);

    expect(Date.parse(body.preview.answerBy) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect(hold).toMatchObject({ amountCents: 2_000, onRequest: true });
    expect(requested).toMatchObject({
      end_date: inDays(14),
      payment: 40,
      unpaidChange: null,
      allowedActions: ['cancel', 'accept', 'decline'],
      approval: {
        id: approvalId,
        status: 'pending',
        note: '',
        change: {
          quantity: 1,
          end_date: inDays(16),
          payment: 60,
          dueCents: 2_000,
          refundCents: 0,
          keptCents: 0,
        },
      },
    });
    expect(other.body.code).toBe('TOOL_ALREADY_BOOKED');
    expect(accepted).toMatchObject({
      status: 200,
      body: { rental: { approval: { status: 'accepted' }, payment: 40 } },
    });
    expect(during.allowedActions).toEqual(['cancel']);
    expect(request).toBe('accepted');
    expect(data).toMatchObject({ accepted: true, dueCents: 2_000, totalCents: 6_000 });
    expect(await service.seen(renter, id)).toMatchObject({
      end_date: inDays(16),
      payment: 60,
      approval: null,
      changes: [{ accepted: true }],
    });
    expect(await unitsOf(id)).toEqual(['1: 10-16']);
    expect(await eventsOf(id)).toEqual([
      ...['BookingCreated', 'ApprovalRequested', 'ApprovalAccepted', 'BookingChanged'],
    ]);
    expect(await follow()).toBe('ended');
    // Accepting again after the charge is a no-op.
    expect((await answer(owner, approvalId, 'accept')).status).toBe(200);
  });

  it('needs no card if it costs less, and refunds the shown amount once it is accepted', async () => {
    const { renter, owner, id, payment } = await lendOnRequest({
      terms: { cancellation: 'moderate' },
    });

    const first = await change(renter, id, days(11, 13));
    const again = await change(renter, id, days(11, 13));
    const approvalId = first.body.rental.approval.id;
    const before = await refundsOf(payment.paymentId);
    const both = await Promise.all([1, 2].map(() => answer(owner, approvalId, 'accept')));

    expect(first.body).toMatchObject({
      hold: null,
      rental: { payment: 40, approval: { status: 'pending' } },
      message: 'The owner is asked. Until they accept, your booking stays as it is.',
    });
    expect(again.body.rental.approval.id).toBe(approvalId);
    expect(before).toEqual([]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await refundsOf(payment.paymentId)).toMatchObject([
      { refundCents: 2_000, reason: 'changed' },
    ]);
    expect(await service.seen(renter, id)).toMatchObject({
      start_date: inDays(11),
      payment: 20,
      refunded: 20,
      approval: null,
    });
    expect(await eventsOf(id)).toEqual([
      ...['BookingCreated', 'ApprovalRequested', 'BookingChanged'],
    ]);
  });

  it('refunds at most what is left after an admin’s earlier refund', async () => {
    const { renter, owner, id, payment } = await lendOnRequest();
    const { approvalId } = await requestChange(renter, id, days(11, 13));
    const admin = await service.person('Admin');
    await service.http.post(`/api/rentalBookings/refund-booking/${id}`, {
      ...admin,
      body: { amountCents: 3_000, reason: 'It was rusty.' },
    });

    await answer(owner, approvalId, 'accept');

    const { data } = await changed(id);
    expect(data.refunds).toEqual([{ paymentId: payment.paymentId, refundCents: 1_000 }]);
    expect(await service.seen(renter, id)).toMatchObject({
      payment: 20,
      refunded: 40,
      changes: [{ refunded: 10 }],
    });
  });

  it('blocks both the old and the new dates until the change is accepted', async () => {
    const { renter, owner, id, toolId } = await lendOnRequest();

    const { approvalId } = await requestChange(renter, id, days(12, 16));
    const held = await unitsOf(id);
    await answer(owner, approvalId, 'accept');
    const freed = await service.postHold(await service.person(), [
      service.line(toolId, days(10, 12)),
    ]);

    expect(held).toEqual(['1: 10-14', '1: 14-16']);
    expect(await unitsOf(id)).toEqual(['1: 12-16']);
    expect(freed.status).toBe(201);
  });

  it('needs the owner’s acceptance also during the rental, and is rejected if it overlaps the next booking', async () => {
    const { renter, owner, id, toolId } = await lendOnRequest();
    await service.pool.query(
      `UPDATE bookings SET start_date = $2::text, starts_at = $2::timestamptz WHERE id = $1`,
      [id, inDays(-1)],
    );
    await service.pool.query(
      `UPDATE booking_units SET during = tstzrange($2::timestamptz, upper(during)) WHERE booking_id = $1`,
      [id, inDays(-1)],
    );
    await service.pool.query(`UPDATE tools SET terms = NULL WHERE id = $1`, [toolId]);
    await service.booked(await service.person(), toolId, days(16, 18));
    await service.pool.query(`UPDATE tools SET terms = '{"booking": "request"}' WHERE id = $1`, [
      toolId,
    ]);

    const tooFar = await preview(renter, id, days(-1, 17));
    const { body } = await preview(renter, id, days(-1, 15));
    const { approvalId, payment } = await requestChange(renter, id, days(-1, 15));
    await answer(owner, approvalId, 'accept');
    await service.succeed(payment);
    await changed(id);

    expect(tooFar.body.code).toBe('TOOL_ALREADY_BOOKED');
    expect(Date.parse(body.preview.answerBy) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect(await unitsOf(id)).toEqual(['1: -1-15']);
  });

  it('prevents a second change request while it is open', async () => {
    const { renter, id } = await lendOnRequest();
    const { approvalId } = await requestChange(renter, id, days(10, 15));

    const other = await change(renter, id, days(10, 16));
    const shown = await preview(renter, id, days(10, 16));
    const again = await change(renter, id, days(10, 15));

    for (const rejected of [other, shown])
      expect(rejected).toMatchObject({ status: 409, body: { code: 'CHANGE_ALREADY_REQUESTED' } });
    expect(again.body).toMatchObject({ hold: null, rental: { approval: { id: approvalId } } });
  });

  it('is rejected if it repeats the open request with other amounts', async () => {
    const { renter, id } = await lendOnRequest();
    const { approvalId } = await requestChange(renter, id, days(10, 12));

    const wrong = await change(renter, id, { ...days(10, 12), refundCents: 2_001 });
    const alsoWrong = await change(renter, id, { ...days(10, 12), dueCents: 1 });
    const right = await change(renter, id, { ...days(10, 12), dueCents: 0, refundCents: 2_000 });

    for (const rejected of [wrong, alsoWrong])
      expect(rejected).toMatchObject({
        status: 409,
        body: { code: 'CHANGE_PRICE_CHANGED', preview: { refundCents: 2_000 } },
      });
    expect(right.body.rental.approval).toMatchObject({ id: approvalId, status: 'pending' });
  });

  it('can be accepted only by the owner, before its deadline, and not by the id of an earlier request', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const first = await requestChange(renter, id, days(10, 13));
    await answer(renter, first.approvalId, 'withdraw');
    const { approvalId } = await requestChange(renter, id, days(10, 12));

    const others = [renter, await service.person('Admin'), await service.person()];
    const rejected = await Promise.all(others.map((who) => answer(who, approvalId, 'accept')));
    const former = await answer(owner, first.approvalId, 'accept');
    await service.pool.query('UPDATE approvals SET answer_by = now() WHERE id = $1', [approvalId]);
    const late = await answer(owner, approvalId, 'accept');

    expect(rejected.map(({ status }) => status)).toEqual([403, 403, 404]);
    for (const reply of [former, late])
      expect(reply).toMatchObject({ status: 409, body: { code: 'BOOKING_NOT_ACTIVE' } });
  });

  it('applies only one of several concurrent answers', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const { approvalId, hold } = await requestChange(renter, id, days(10, 16));

    const replies = await Promise.all([
      answer(owner, approvalId, 'accept'),
      answer(owner, approvalId, 'decline'),
      answer(renter, approvalId, 'withdraw'),
    ]);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const isAccepted = replies[0]?.status === 200;
    expect(await service.holdStatus(hold.id)).toBe(isAccepted ? 'requested' : 'ended');
  });

  it.each([days(11, 13), days(10, 16)])(
    'can’t be accepted while a payment has a dispute that only reconciliation found: %j',
    async (requested) => {
      const { renter, owner, id, payment } = await lendOnRequest();
      const { approvalId } = await requestChange(renter, id, requested);
      const sums = { outsideCents: 0, disputedCents: 4_000, heldCents: 4_000, dispute: 'open' };
      service.payments.push({ ...payment, atStripe: { version: 3, ...sums } } as ListedPayment);
      await service.pool.query('UPDATE reconciliations SET next_at = now()');
      await waitFor('the dispute', async () => {
        const { rows } = await service.pool.query('SELECT dispute FROM payments WHERE id = $1', [
          payment.paymentId,
        ]);
        return rows[0]?.dispute === 'open';
      });

      const rejected = await answer(owner, approvalId, 'accept');

      expect(rejected).toMatchObject({ status: 409, body: { code: 'BOOKING_NOT_ACTIVE' } });
      expect(rejected.body.detail).toContain('A bank is looking into a payment');
      expect(await unitsOf(id)).toContain('1: 10-14');
      expect(await refundsOf(payment.paymentId)).toEqual([]);
      expect((await service.seen(owner, id)).approval).toMatchObject({ status: 'pending' });
    },
  );

  it('keeps the booking unchanged if it is accepted but cannot be charged', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const { approvalId, hold, payment } = await requestChange(renter, id, days(10, 16));
    await answer(owner, approvalId, 'accept');
    const { paymentId, userId } = payment;

    const failed = { paymentId, userId, holdId: hold.id, final: true, message: 'Expired' };
    await service.broker.sendNew('PaymentFailed', failed, { id: paymentId, version: 3 });

    const { data } = await service.broker.expectEvent(
      'ApprovalEnded',
      (one) => one.approvalId === approvalId,
    );
    expect(data.outcome).toBe('failed');
    expect(await unitsOf(id)).toEqual(['1: 10-14']);
    expect(await service.seen(owner, id)).toMatchObject({
      payment: 40,
      approval: { status: 'failed' },
      allowedActions: ['cancel'],
    });
  });

  it.each(['before', 'after'])(
    'ends when its booking is cancelled, and refunds a charge that comes %s its hold has ended',
    async (when) => {
      const { renter, owner, id } = await lendOnRequest();
      const { approvalId, hold, payment } = await requestChange(renter, id, days(10, 16));
      await answer(owner, approvalId, 'accept');
      const ended = () =>
        waitFor('the hold to end', async () => (await service.holdStatus(hold.id)) === 'ended');

      await cancel(renter, id);
      if (when === 'after') await ended();
      await service.succeed(payment);

      const { data } = await service.broker.expectEvent(
        'BookingRejected',
        (event) => event.paymentId === payment.paymentId,
      );
      expect(data).toMatchObject({ refundCents: 2_000, reason: 'unassigned' });
      await ended();
      await service.broker.expectEvent('BookingExpired', (event) => event.holdId === hold.id);
      expect(await unitsOf(id)).toEqual([]);
      expect(await service.seen(owner, id)).toMatchObject({
        booking_status: 'Cancelled',
        approval: { status: 'obsolete' },
      });
      expect(await eventsOf(id)).not.toContain('ApprovalEnded');
    },
  );
});
