import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { type BookingsService, startBookingsService } from '../../test/bookings-service.ts';

let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService({ PURGE_INTERVAL_MINUTES: '0.01' });
});
afterAll(() => bookings.stop());

const answerBy = (id: string, secondsAgo: number) =>
  bookings.pool.query(
    `UPDATE bookings SET answer_by = now() - $2 * interval '1 second' WHERE id = $1`,
    [id, secondsAgo],
  );
const ended = (id: string) =>
  bookings.broker.expectEvent('BookingRequestEnded', (one) => one.bookingId === id);

describe('a request without an answer', () => {
  it('lapses an unanswered request once on two replicas, frees its dates and publishes its end', async () => {
    const replica = await bookings.start();
    const renter = await bookings.person();
    const { id, toolId } = await bookings.requested(renter);

    await answerBy(id, 1);

    const { data } = await ended(id);
    await replica.stop();
    expect(data.outcome).toBe('lapsed');
    expect(await bookings.seen(renter, id)).toMatchObject({ booking_status: 'Lapsed' });
    expect((await bookings.askHold(renter, [bookings.line(toolId)])).status).toBe(201);
    const { rows } = await bookings.pool.query(
      `SELECT type FROM outbox_messages WHERE aggregate_id = $1 AND type = 'BookingRequestEnded'`,
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  it('does not lapse a request that its owner has accepted, however late the charge is', async () => {
    const renter = await bookings.person();
    const { id, owner } = await bookings.requested(renter);
    await bookings.answer(owner, id, 'accept');
    const other = await bookings.requested(renter);

    await answerBy(id, 7_200);
    await answerBy(other.id, 3_600);

    await ended(other.id);
    expect(await bookings.seen(renter, id)).toMatchObject({ booking_status: 'Requested' });
    await bookings.pool.query(
      `UPDATE bookings SET accepted_at = now() - interval '1 hour' WHERE id = $1`,
      [id],
    );
    const gauge = 'open_request_oldest_overdue_seconds{waits_for="charge",service="bookings"}';
    await waitFor('the gauge', async () => {
      const { body } = await bookings.http.get('/metrics');
      return body.includes(`${gauge} 36`);
    });
  });

  it('lapses a request when the owner of its tool is disabled', async () => {
    const renter = await bookings.person();
    const tool = await bookings.toolOnRequest();
    const { id } = await bookings.requested(renter, { toolId: tool.toolId });

    await bookings.broker.sendNew(
      'ToolUpdated',
      { ...tool, ownerDisabled: true },
      {
        id: tool.toolId,
        version: 2,
      },
    );

    expect((await ended(id)).data.outcome).toBe('lapsed');
  });
});

describe('an ended request', () => {
  it('keeps an ended request for 90 days', async () => {
    const renter = await bookings.person();
    const { id, hold, owner } = await bookings.requested(renter);
    await bookings.answer(owner, id, 'decline');
    const cart = await bookings.held(renter);
    await bookings.http.delete(`/api/user/${renter.userId}/holds/${cart.id}`, renter);

    for (const one of [hold.id, cart.id]) await bookings.setExpiry(one, 8 * 24 * 60);
    await waitFor('the purge', async () => {
      const { rowCount } = await bookings.pool.query('SELECT FROM holds WHERE id = $1', [cart.id]);
      return rowCount === 0;
    });
    const kept = await bookings.seen(renter, id);
    await bookings.setExpiry(hold.id, 91 * 24 * 60);

    expect(kept.status).toBe(200);
    await waitFor(
      'the request to be deleted',
      async () => (await bookings.seen(renter, id)).status === 404,
    );
  });
});
