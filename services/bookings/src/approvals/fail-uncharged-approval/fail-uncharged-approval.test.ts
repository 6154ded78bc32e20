import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';
import { failUnchargedApproval } from './fail-uncharged-approval.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => service.stop());

const { lendOnRequest, requestChange, answer, unitsOf } = changesAt(() => service);

/** Creates a request that was accepted `age` ago but never charged. */
const accepted = async (age: string) => {
  const renter = await service.person();
  const request = await service.requested(renter);
  await service.answer(request.owner, request.approvalId, 'accept');
  await acceptedAgo(request.id, age);
  return { renter, ...request };
};

const acceptedAgo = (id: string, age: string) =>
  service.pool.query(
    'UPDATE approvals SET accepted_at = now() - $2::interval WHERE booking_id = $1',
    [id, age],
  );

const failed = (id: string) =>
  service.broker.expectEvent('ApprovalEnded', ({ bookingId }) => bookingId === id);

/** When `fail-uncharged-approval` will run for an approval; undefined if it is not scheduled. */
const scheduledAt = async (approvalId: string): Promise<Date | undefined> => {
  const { rows } = await service.pool.query<{ at: Date }>(
    `SELECT run_at AS at FROM graphile_worker.jobs WHERE key = 'fail-uncharged-approval:' || $1`,
    [approvalId],
  );
  return rows[0]?.at;
};

describe('an accepted request that is not charged in time', () => {
  it.each([
    ['eight days after its acceptance', 10, `accepted_at + interval '8 days'`],
    ['at the end of its rental, if that is earlier', 2, 'ends_at'],
  ])('is scheduled to fail %s, unless it is paid before', async (_, start, expected) => {
    const dates = { start_date: inDays(start), end_date: inDays(start + 2) };
    const request = await service.requested(await service.person(), { overrides: dates });
    const { id, approvalId, owner, payment } = request;
    await service.answer(owner, approvalId, 'accept');
    const { rows } = await service.pool.query(
      `SELECT ${expected} AS at FROM approvals a JOIN bookings b ON b.id = a.booking_id WHERE a.id = $1`,
      [approvalId],
    );

    const first = await scheduledAt(approvalId);
    await failUnchargedApproval(service.jobDeps, approvalId);
    const again = await scheduledAt(approvalId);
    await service.succeed(payment);
    await service.broker.expectEvent('BookingCreated', ({ bookingId }) => bookingId === id);

    expect([first, again]).toEqual([rows[0].at, rows[0].at]);
    expect(await scheduledAt(approvalId)).toBeUndefined();
  });

  it('fails after eight days, and frees its dates', async () => {
    const recent = await accepted('7 days 23 hours');
    const { id, hold, toolId, authorization } = await accepted('8 days');

    expect((await failed(id)).data).toMatchObject({ outcome: 'failed', note: '' });
    expect(await service.holdStatus(hold.id)).toBe('ended');
    const next = await service.postHold(await service.person(), [service.line(toolId)]);
    expect(next.status).toBe(201);
    expect((await service.reportAuthorization(hold, authorization)).body).toEqual({
      approval: 'ended',
    });
    expect(await service.holdStatus(recent.hold.id)).toBe('requested');
  });

  it('fails at the end of its rental', async () => {
    const { id, hold, authorization } = await accepted('1 day');
    await service.pool.query(
      `UPDATE bookings SET starts_at = now() - interval '2 days', ends_at = now() WHERE id = $1`,
      [id],
    );

    const { body } = await service.reportAuthorization(hold, authorization);

    expect(body).toEqual({ approval: 'ended' });
    expect((await failed(id)).data).toMatchObject({ outcome: 'failed' });
  });

  it('refunds a payment that succeeds after the failure', async () => {
    const { id, payment } = await accepted('8 days');
    await failed(id);

    await service.succeed(payment);

    const { data } = await service.broker.expectEvent(
      'BookingRejected',
      ({ paymentId }) => paymentId === payment.paymentId,
    );
    expect(data.refundCents).toBe(payment.amountCents);
  });

  it('is either booked or refunded if its payment arrives just as the eighth day ends', async () => {
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

  it('refunds a payment that arrives after the rental’s end', async () => {
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

describe('an accepted change that is not charged in time', () => {
  it('fails after eight days, and keeps the booking unchanged', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const { approvalId, hold } = await requestChange(renter, id, days(10, 16));
    await answer(owner, approvalId, 'accept');

    await service.pool.query(
      `UPDATE approvals SET accepted_at = now() - interval '8 days' WHERE id = $1`,
      [approvalId],
    );

    const { data } = await service.broker.expectEvent(
      'ApprovalEnded',
      (ended) => ended.approvalId === approvalId,
    );
    expect(data.outcome).toBe('failed');
    expect(await service.holdStatus(hold.id)).toBe('ended');
    expect(await unitsOf(id)).toEqual(['1: 10-14']);
  });
});
