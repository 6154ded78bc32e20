import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { type BookingsService, startBookingsService } from '../../test/bookings-service.ts';
import { changesAt, days } from '../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => service.stop());

const { lendOnRequest, askChange, answer, unitsOf } = changesAt(() => service);

/** A request that was accepted the given time ago and never charged. */
const accepted = async (age: string) => {
  const renter = await service.person();
  const request = await service.requested(renter);
  await service.answer(request.owner, request.id, 'accept');
  await acceptedAgo(request.id, age);
  return { renter, ...request };
};

const acceptedAgo = (id: string, age: string) =>
  service.pool.query('UPDATE bookings SET accepted_at = now() - $2::interval WHERE id = $1', [
    id,
    age,
  ]);

const failed = (id: string) =>
  service.broker.expectEvent('BookingRequestEnded', ({ bookingId }) => bookingId === id);

describe('an accepted request that is never charged', () => {
  it('fails an accepted request that is not charged within eight days, and frees its dates', async () => {
    const recent = await accepted('7 days 23 hours');
    const { id, hold, toolId, authorization } = await accepted('8 days');

    expect((await failed(id)).data).toMatchObject({ outcome: 'failed', note: '' });
    expect(await service.holdStatus(hold.id)).toBe('ended');
    const next = await service.askHold(await service.person(), [service.line(toolId)]);
    expect(next.status).toBe(201);
    expect((await service.reportAuthorization(hold, authorization)).body).toEqual({
      request: 'ended',
    });
    expect(await service.holdStatus(recent.hold.id)).toBe('requested');
  });

  it('refunds a payment that succeeds after its request has failed', async () => {
    const { id, payment } = await accepted('8 days');
    await failed(id);

    await service.succeed(payment);

    const { data } = await service.broker.expectEvent(
      'BookingRejected',
      ({ paymentId }) => paymentId === payment.paymentId,
    );
    expect(data.refundCents).toBe(payment.amountCents);
  });

  it('either books or refunds an accepted request whose payment arrives just as the eighth day ends', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, payment } = await accepted('1 day');

      await Promise.all([service.succeed(payment), acceptedAgo(id, '8 days')]);

      const outcome = await waitFor('the outcome', async () => {
        const { rows } = await service.pool.query(
          `SELECT b.status, p.rejected_cents AS refunded FROM bookings b, payments p
           WHERE b.id = $1 AND p.id = $2 AND p.unassigned_cents = 0`,
          [id, payment.paymentId],
        );
        return rows[0];
      });
      expect([
        { status: 'confirmed', refunded: 0 },
        { status: 'failed', refunded: payment.amountCents },
      ]).toContainEqual(outcome);
    }
  });

  it('refunds a payment of an accepted request that arrives after the rental’s end', async () => {
    const { id, payment } = await accepted('1 day');
    await service.pool.query(
      `UPDATE bookings SET starts_at = now() - interval '2 days', ends_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );

    await service.succeed(payment);

    expect((await failed(id)).data.outcome).toBe('failed');
    await service.broker.expectEvent(
      'BookingRejected',
      ({ paymentId }) => paymentId === payment.paymentId,
    );
  });
});

describe('an accepted change that is never charged', () => {
  it('fails an accepted change that is not charged within eight days, and keeps the booking unchanged', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const { changeId, hold } = await askChange(renter, id, days(10, 16));
    await answer(owner, id, 'accept', { changeId });

    await service.pool.query(
      `UPDATE booking_changes SET accepted_at = now() - interval '8 days' WHERE id = $1`,
      [changeId],
    );

    const { data } = await service.broker.expectEvent(
      'BookingChangeRequestEnded',
      (ended) => ended.changeId === changeId,
    );
    expect(data.outcome).toBe('failed');
    expect(await service.holdStatus(hold.id)).toBe('ended');
    expect(await unitsOf(id)).toEqual(['1: 10-14']);
  });
});
