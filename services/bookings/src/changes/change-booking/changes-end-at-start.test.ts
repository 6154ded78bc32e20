import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, type Dates, days } from '../../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => service.stop());

const { lend, lendOnRequest, change, requestChange, answer, pay, changed, unitsOf } = changesAt(
  () => service,
);

/** Moves the start of a rental, and of an open change with the same start, to `ms` milliseconds from now. */
const startIn = async (id: string, ms: number): Promise<void> => {
  await service.pool.query(
    `WITH moved AS (
       UPDATE bookings SET starts_at = now() + $2 * interval '1 ms' WHERE id = $1
       RETURNING id, old.starts_at AS before, new.starts_at AS after)
     UPDATE booking_changes c SET starts_at = moved.after FROM moved
     WHERE c.booking_id = moved.id AND c.starts_at = moved.before`,
    [id, ms],
  );
};

/** Starts a change that costs $10 more, by default to later dates, and leaves it unpaid. */
const holdLater = async (renter: Person, id: string, dates: Dates = days(20, 25)) => {
  const { status, body } = await change(renter, id, dates);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.hold as { id: string; amountCents: number; expiresAt: string };
};

const refunded = (id: string) =>
  service.broker.expectEvent('BookingRejected', ({ paymentId }) => paymentId === id);

describe('a change of the dates that is unpaid when the rental starts', () => {
  it('refunds a payment that arrives after the start instead of changing the dates', async () => {
    const { renter, id } = await lend();
    const hold = await holdLater(renter, id);

    await startIn(id, -1_000);
    const { paymentId } = await pay(renter, hold);

    expect((await refunded(paymentId)).data).toMatchObject({ refundCents: 1_000 });
    expect(await service.holdStatus(hold.id)).toBe('ended');
    expect(await unitsOf(id)).toEqual(['1: 10-14']);
    expect(await service.seen(renter, id)).toMatchObject({ changes: [] });
  });

  it('is refunded if it was accepted and its card is charged after the start', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const { approvalId, payment } = await requestChange(renter, id, days(20, 25));
    await answer(owner, approvalId, 'accept');

    await startIn(id, -1_000);
    await service.succeed(payment);

    expect((await refunded(payment.paymentId)).data).toMatchObject({ refundCents: 1_000 });
    const { data } = await service.broker.expectEvent(
      'ApprovalEnded',
      (ended) => ended.approvalId === approvalId,
    );
    expect(data.outcome).toBe('failed');
    expect(await unitsOf(id)).toEqual(['1: 10-14']);
  });

  it('releases the card if it was accepted and is not charged yet', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const { approvalId, hold, follow } = await requestChange(renter, id, days(20, 25));
    await answer(owner, approvalId, 'accept');

    await startIn(id, -1_000);

    await waitFor('the hold to end', async () => (await service.holdStatus(hold.id)) === 'ended');
    expect(await follow()).toBe('ended');
    expect(await unitsOf(id)).toEqual(['1: 10-14']);
  });

  it('expires the hold at the start of the rental, and rejects a checkout after that', async () => {
    const { renter, id } = await lend();
    await startIn(id, 300_000);

    const hold = await holdLater(renter, id);
    const { rows } = await service.pool.query('SELECT starts_at FROM bookings WHERE id = $1', [id]);
    expect(hold.expiresAt).toBe(rows[0].starts_at.toISOString());

    await service.setExpiry(hold.id, 0);
    expect((await service.checkOut(renter, hold.id)).body.code).toBe('HOLD_EXPIRED');
  });

  it('is either applied or refunded if its payment arrives as the rental starts', async () => {
    for (let round = 0; round < 10; round++) {
      const { renter, id } = await lend();
      const hold = await holdLater(renter, id);
      await startIn(id, round * 5);
      const { paymentId } = await pay(renter, hold);

      const outcome = await waitFor('the outcome', async () => {
        const { rows } = await service.pool.query<{ changed: number; refunded: number }>(
          `SELECT b.change_count AS changed, p.rejected_cents AS refunded
           FROM bookings b, payments p WHERE b.id = $1 AND p.id = $2 AND p.unassigned_cents = 0`,
          [id, paymentId],
        );
        return rows[0];
      });

      expect([
        { changed: 1, refunded: 0 },
        { changed: 0, refunded: 1_000 },
      ]).toContainEqual(outcome);
      expect(await unitsOf(id)).toEqual([outcome.changed ? '1: 20-25' : '1: 10-14']);
    }
  });
});

describe('an extension that is unpaid when the rental starts', () => {
  it('extends the rental when the payment arrives during it', async () => {
    const { renter, id } = await lend();
    const hold = await holdLater(renter, id, days(10, 15));

    await startIn(id, -1_000);
    await pay(renter, hold);

    expect((await changed(id)).data.dueCents).toBe(1_000);
  });

  it('refunds a payment that arrives after the new end', async () => {
    const { renter, id } = await lend();
    const hold = await holdLater(renter, id, days(10, 15));

    await startIn(id, -2_000);
    await service.pool.query(
      `UPDATE booking_changes SET ends_at = now() - interval '1 second' WHERE booking_id = $1`,
      [id],
    );
    const { paymentId } = await pay(renter, hold);

    expect((await refunded(paymentId)).data).toMatchObject({ refundCents: 1_000 });
  });
});
