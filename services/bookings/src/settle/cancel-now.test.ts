import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CancelCause } from '@lendtools/contracts';
import { inTransaction } from '@lendtools/service-kit';
import { type BookingsService, inDays, startBookingsService } from '../../test/bookings-service.ts';
import { changesAt, days } from '../../test/changes.ts';
import { cancelBySystem } from './cancel-now.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { lend, change } = changesAt(() => service);

const cancelAs = (id: string, cause: CancelCause = 'owner-disabled') =>
  inTransaction(service.pool, (tx) => cancelBySystem(tx, id, cause));

describe('cancelBySystem', () => {
  it('refunds everything, frees the dates and publishes the reason', async () => {
    const { id, renter, toolId, payment } = await lend({ terms: { cancellation: 'strict' } });
    await service.pool.query(
      `UPDATE bookings SET starts_at = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );

    expect(await cancelAs(id)).toBe('cancelled');

    const { data } = await service.broker.expectEvent(
      'BookingCancelled',
      ({ bookingId }) => bookingId === id,
    );
    expect(data).toMatchObject({
      cancelledBy: 'admin',
      reason: 'The owner’s account is no longer active.',
      paymentIds: [payment.paymentId],
      refunds: [{ paymentId: payment.paymentId, refundCents: 4_000 }],
      keptCents: 0,
    });
    expect(await service.seen(renter, id)).toMatchObject({
      booking_status: 'Cancelled',
      cancellation: { by: 'admin', cause: 'owner-disabled', reason: '', refund: 40 },
    });
    const next = await service.postHold(await service.person(), [service.line(toolId)]);
    expect(next.status).toBe(201);
  });

  it('ends an unpaid change of the booking', async () => {
    const { id, renter } = await lend();
    const { hold } = (await change(renter, id, days(10, 16))).body;

    await cancelAs(id, 'dispute-lost');

    await service.broker.expectEvent('BookingExpired', ({ holdId }) => holdId === hold.id);
    expect(await service.holdStatus(hold.id)).toBe('ended');
  });

  it('cancels a booking once if it is called twice at once', async () => {
    const { id } = await lend();

    const outcomes = await Promise.all([cancelAs(id), cancelAs(id)]);

    expect(outcomes.toSorted()).toEqual(['cancelled', 'over']);
  });

  it('does not cancel a rental that has started', async () => {
    const renter = await service.person();
    const { toolId } = await service.tool();
    const dates = { start_date: inDays(0), end_date: inDays(1) };
    const { id } = await service.booked(renter, toolId, dates);

    expect(await cancelAs(id)).toBe('started');
    expect(await service.seen(renter, id)).toMatchObject({ booking_status: 'Booked' });
  });
});
