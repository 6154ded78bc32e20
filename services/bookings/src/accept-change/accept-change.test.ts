import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListedPayment } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import { type BookingsService, inDays, startBookingsService } from '../../test/bookings-service.ts';
import { changesAt, days } from '../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { preview, change, cancel, lend, lendOnRequest, askChange, answer, changed } = changesAt(
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
  it('applies a change that costs more only after authorization, acceptance and charge', async () => {
    const { renter, owner, id, toolId } = await lendOnRequest();
    const { body } = await preview(renter, id, days(10, 16));

    const { changeId, hold, payment, follow } = await askChange(renter, id, days(10, 16));
    const asked = await service.seen(owner, id);
    const other = await service.askHold(await service.person(), [
      service.line(toolId, days(14, 16)),
    ]);
    const accepted = await answer(owner, id, 'accept', { changeId });
    const during = await service.seen(renter, id);
    const request = await follow();
    await service.succeed(payment);
    await service.succeed(payment);
    const { data } = await changed(id);

    expect(Date.parse(body.preview.answerBy) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect(hold).toMatchObject({ amountCents: 2_000, onRequest: true });
    expect(asked).toMatchObject({
      end_date: inDays(14),
      payment: 40,
      openChange: null,
      allowedActions: ['cancel', 'acceptChange', 'declineChange'],
      changeRequest: {
        id: changeId,
        state: 'asked',
        quantity: 1,
        end_date: inDays(16),
        payment: 60,
        dueCents: 2_000,
        refundCents: 0,
        keptCents: 0,
        note: '',
      },
    });
    expect(other.body.code).toBe('TOOL_ALREADY_BOOKED');
    expect(accepted).toMatchObject({
      status: 200,
      body: { rental: { changeRequest: { state: 'accepted' }, payment: 40 } },
    });
    expect(during.allowedActions).toEqual(['cancel']);
    expect(request).toBe('accepted');
    expect(data).toMatchObject({ changeId, accepted: true, dueCents: 2_000, paidCents: 6_000 });
    expect(await service.seen(renter, id)).toMatchObject({
      end_date: inDays(16),
      payment: 60,
      changeRequest: null,
      changes: [{ accepted: true }],
    });
    expect(await unitsOf(id)).toEqual(['1: 10-16']);
    expect(await eventsOf(id)).toEqual([
      ...['BookingCreated', 'BookingChangeRequested', 'BookingAccepted', 'BookingChanged'],
    ]);
    expect(await follow()).toBe('ended');
    // Accepting again after the charge is a no-op.
    expect((await answer(owner, id, 'accept', { changeId })).status).toBe(200);
  });

  it('needs no card for a change that costs less, and refunds the shown amount once accepted', async () => {
    const { renter, owner, id, payment } = await lendOnRequest({
      terms: { cancellation: 'moderate' },
    });

    const first = await change(renter, id, days(11, 13));
    const again = await change(renter, id, days(11, 13));
    const changeId = first.body.rental.changeRequest.id;
    const before = await refundsOf(payment.paymentId);
    const both = await Promise.all([1, 2].map(() => answer(owner, id, 'accept', { changeId })));

    expect(first.body).toMatchObject({
      hold: null,
      rental: { payment: 40, changeRequest: { state: 'asked' } },
      message: 'The owner is asked. Until they accept, your booking stays as it is.',
    });
    expect(again.body.rental.changeRequest.id).toBe(changeId);
    expect(before).toEqual([]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await refundsOf(payment.paymentId)).toMatchObject([
      { refundCents: 2_000, reason: 'changed' },
    ]);
    expect(await service.seen(renter, id)).toMatchObject({
      start_date: inDays(11),
      payment: 20,
      refunded: 20,
      changeRequest: null,
    });
    expect(await eventsOf(id)).toEqual([
      ...['BookingCreated', 'BookingChangeRequested', 'BookingChanged'],
    ]);
  });

  it('refunds at most what an admin’s refund has left before the acceptance', async () => {
    const { renter, owner, id, payment } = await lendOnRequest();
    const { changeId } = await askChange(renter, id, days(11, 13));
    const admin = await service.person('Admin');
    await service.http.post(`/api/rentalBookings/refund-booking/${id}`, {
      ...admin,
      body: { amountCents: 3_000, reason: 'It was rusty.' },
    });

    await answer(owner, id, 'accept', { changeId });

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

    const { changeId } = await askChange(renter, id, days(12, 16));
    const held = await unitsOf(id);
    await answer(owner, id, 'accept', { changeId });
    const freed = await service.askHold(await service.person(), [
      service.line(toolId, days(10, 12)),
    ]);

    expect(held).toEqual(['1: 10-14', '1: 14-16']);
    expect(await unitsOf(id)).toEqual(['1: 12-16']);
    expect(freed.status).toBe(201);
  });

  it('requires an acceptance during the rental too, and rejects a change into the next booking', async () => {
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
    const { changeId, payment } = await askChange(renter, id, days(-1, 15));
    await answer(owner, id, 'accept', { changeId });
    await service.succeed(payment);
    await changed(id);

    expect(tooFar.body.code).toBe('TOOL_ALREADY_BOOKED');
    expect(Date.parse(body.preview.answerBy) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect(await unitsOf(id)).toEqual(['1: -1-15']);
  });

  it('rejects a second change request while one is open', async () => {
    const { renter, id } = await lendOnRequest();
    const { changeId } = await askChange(renter, id, days(10, 15));

    const other = await change(renter, id, days(10, 16));
    const shown = await preview(renter, id, days(10, 16));
    const again = await change(renter, id, days(10, 15));

    for (const refused of [other, shown])
      expect(refused).toMatchObject({ status: 409, body: { code: 'CHANGE_ASKED' } });
    expect(again.body).toMatchObject({ hold: null, rental: { changeRequest: { id: changeId } } });
  });

  it('rejects a repeated change request with amounts that differ from its own', async () => {
    const { renter, id } = await lendOnRequest();
    const { changeId } = await askChange(renter, id, days(10, 12));

    const wrong = await change(renter, id, { ...days(10, 12), refundCents: 2_001 });
    const alsoWrong = await change(renter, id, { ...days(10, 12), dueCents: 1 });
    const right = await change(renter, id, { ...days(10, 12), dueCents: 0, refundCents: 2_000 });

    for (const refused of [wrong, alsoWrong])
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'CHANGE_PRICED_ANEW', preview: { refundCents: 2_000 } },
      });
    expect(right.body.rental.changeRequest).toMatchObject({ id: changeId, state: 'asked' });
  });

  it('lets only the owner accept a change, before the deadline and by the id of the open change', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const instant = await lend();
    const first = await askChange(renter, id, days(10, 13));
    await answer(renter, id, 'withdraw', first);
    const { changeId } = await askChange(renter, id, days(10, 12));

    const others = [renter, await service.person('Admin'), await service.person()];
    const refused = await Promise.all(others.map((who) => answer(who, id, 'accept', { changeId })));
    const former = await answer(owner, id, 'accept', first);
    const elsewhere = await answer(instant.owner, instant.id, 'accept', { changeId });
    await service.pool.query('UPDATE booking_changes SET answer_by = now() WHERE id = $1', [
      changeId,
    ]);
    const late = await answer(owner, id, 'accept', { changeId });

    expect(refused.map(({ status }) => status)).toEqual([403, 403, 404]);
    for (const reply of [former, elsewhere, late])
      expect(reply).toMatchObject({ status: 409, body: { code: 'BOOKING_NOT_ACTIVE' } });
  });

  it('applies only one of several concurrent answers to a change', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const { changeId, hold } = await askChange(renter, id, days(10, 16));

    const replies = await Promise.all([
      answer(owner, id, 'accept', { changeId }),
      answer(owner, id, 'decline', { changeId }),
      answer(renter, id, 'withdraw', { changeId }),
    ]);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const isAccepted = replies[0]?.status === 200;
    expect(await service.holdStatus(hold.id)).toBe(isAccepted ? 'requested' : 'ended');
  });

  it.each([days(11, 13), days(10, 16)])(
    'rejects an acceptance while a payment has a dispute that only reconciliation found: %j',
    async (asked) => {
      const { renter, owner, id, payment } = await lendOnRequest();
      const { changeId } = await askChange(renter, id, asked);
      const sums = { outsideCents: 0, disputedCents: 4_000, heldCents: 4_000, dispute: 'open' };
      service.payments.push({ ...payment, atStripe: { version: 3, ...sums } } as ListedPayment);
      await service.pool.query('UPDATE reconciliations SET next_at = now()');
      await waitFor('the dispute', async () => {
        const { rows } = await service.pool.query('SELECT dispute FROM payments WHERE id = $1', [
          payment.paymentId,
        ]);
        return rows[0]?.dispute === 'open';
      });

      const refused = await answer(owner, id, 'accept', { changeId });

      expect(refused).toMatchObject({ status: 409, body: { code: 'BOOKING_NOT_ACTIVE' } });
      expect(refused.body.detail).toContain('A bank is looking into a payment');
      expect(await unitsOf(id)).toContain('1: 10-14');
      expect(await refundsOf(payment.paymentId)).toEqual([]);
      expect((await service.seen(owner, id)).changeRequest).toMatchObject({ state: 'asked' });
    },
  );

  it('keeps the booking unchanged if the accepted change cannot be charged', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const { changeId, hold, payment } = await askChange(renter, id, days(10, 16));
    await answer(owner, id, 'accept', { changeId });
    const { paymentId, userId } = payment;

    const failed = { paymentId, userId, holdId: hold.id, final: true, message: 'Expired' };
    await service.broker.sendNew('PaymentFailed', failed, { id: paymentId, version: 3 });

    const { data } = await service.broker.expectEvent(
      'BookingChangeRequestEnded',
      (one) => one.changeId === changeId,
    );
    expect(data.outcome).toBe('failed');
    expect(await unitsOf(id)).toEqual(['1: 10-14']);
    expect(await service.seen(owner, id)).toMatchObject({
      payment: 40,
      changeRequest: { state: 'failed' },
      allowedActions: ['cancel'],
    });
  });

  it.each(['before', 'after'])(
    'ends a change when its booking is cancelled, and refunds a charge that comes %s its hold has ended',
    async (when) => {
      const { renter, owner, id } = await lendOnRequest();
      const { changeId, hold, payment } = await askChange(renter, id, days(10, 16));
      await answer(owner, id, 'accept', { changeId });
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
        changeRequest: { state: 'ended' },
      });
      expect(await eventsOf(id)).not.toContain('BookingChangeRequestEnded');
    },
  );
});
