import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';
import { remindParties } from '../remind-parties/remind-parties.ts';
import { completeBooking } from './complete-booking.ts';

let service: BookingsService;
let admin: Person;
beforeAll(async () => {
  service = await startBookingsService();
  admin = await service.person('Admin');
});
afterAll(() => service.stop());

const { requestChange, change } = changesAt(() => service);

/** The rentals start at noon in ten days and end at noon in twelve days. */
const times = { start_time: '12.00 PM', end_time: '12.00 PM' };
const at = (day: number, time = '12:00'): Date => new Date(`${inDays(day)}T${time}:00Z`);

const lend = async (dates: Record<string, unknown> = times) => {
  const [owner, renter] = [await service.person(), await service.person()];
  const { toolId } = await service.tool({ ownerId: owner.userId });
  return { owner, renter, toolId, ...(await service.booked(renter, toolId, dates)) };
};

const complete = async (now: Date): Promise<void> => {
  const { rows } = await service.pool.query<{ id: string }>('SELECT id FROM bookings');
  const deps = { ...service.jobDeps, config: { COMPLETE_AFTER_HOURS: 48 } };
  for (const { id } of rows) await completeBooking(deps, id, now);
};

const letItEnd = (id: string, hoursAgo: number) =>
  service.pool.query(
    `UPDATE bookings SET starts_at = now() - interval '9 days', ends_at = now() - $2 * interval '1 hour' WHERE id = $1`,
    [id, hoursAgo],
  );

const confirm = (user: Person, id: string) =>
  service.http.put(`/api/user/${user.userId}/rentalBookings/update-booking/${id}`, {
    ...user,
    body: { returned_status: 'Returned' },
  });

const report = async (user: Person, id: string): Promise<string> => {
  const { body } = await service.http.post(
    `/api/user/${user.userId}/rentalBookings/report-problem/${id}`,
    { ...user, body: { text: 'The chuck is broken.' } },
  );
  return body.rental.problems.at(-1).id;
};

const settle = (problemId: string) =>
  service.http.post(`/api/admin/problems/${problemId}/settle`, {
    ...admin,
    body: { note: 'We talked to both of you.' },
  });

const eventsOf = async (id: string) => {
  const { rows } = await service.pool.query(
    `SELECT type, version FROM outbox_messages WHERE aggregate_id = $1 AND type LIKE 'Booking%' ORDER BY version`,
    [id],
  );
  return rows.map(({ type }) => type);
};

const statusOf = async (user: Person, id: string) => (await service.seen(user, id)).booking_status;

describe('complete-booking', () => {
  it('completes a booking 48 hours after its end, and only once although several replicas run', async () => {
    const { renter, owner, toolId, id, payment } = await lend();

    await complete(at(14, '11:59'));
    const early = await service.seen(renter, id);
    await Promise.all([1, 2, 3].map(() => complete(at(14))));

    expect(early).toMatchObject({
      booking_status: 'Booked',
      completesAt: `${inDays(14)}T12:00:00.000Z`,
    });
    expect(await service.seen(renter, id)).toMatchObject({
      booking_status: 'Completed',
      returned_status: 'null',
      returnedAt: null,
      completedAt: expect.any(String),
      completesAt: null,
      address: expect.any(String),
    });
    const { data } = await service.broker.expectEvent(
      'BookingCompleted',
      ({ bookingId }) => bookingId === id,
    );
    expect(data).toMatchObject({
      toolId,
      ownerId: owner.userId,
      paymentIds: [payment.paymentId],
      returnedAt: null,
      quantity: 1,
    });
    expect((await eventsOf(id)).filter((type) => type === 'BookingCompleted')).toHaveLength(1);
  });

  it('completes a returned booking 48 hours after the return, and keeps the return', async () => {
    const { owner, renter, id } = await lend();
    await letItEnd(id, 47);
    await confirm(owner, id);
    const soon = new Date(Date.now() + 47 * 3_600_000);

    await complete(soon);
    const early = await statusOf(renter, id);
    await complete(new Date(Date.now() + 49 * 3_600_000));

    expect(early).toBe('Returned');
    expect(await service.seen(renter, id)).toMatchObject({
      booking_status: 'Completed',
      returned_status: 'Returned',
    });
    const { data } = await service.broker.expectEvent(
      'BookingCompleted',
      ({ bookingId }) => bookingId === id,
    );
    expect(data.returnedAt).toEqual(expect.any(String));
  });

  it('completes a booking with problems once an admin has settled all of them', async () => {
    const { owner, renter, id } = await lend();
    await letItEnd(id, 47);
    const first = await report(renter, id);
    const second = await report(owner, id);
    await letItEnd(id, 49);

    await complete(new Date());
    const open = await statusOf(renter, id);
    await settle(first);
    const halfSettled = await statusOf(renter, id);
    await settle(second);

    expect([open, halfSettled, await statusOf(renter, id)]).toEqual([
      'Booked',
      'Booked',
      'Completed',
    ]);
    expect((await eventsOf(id)).slice(-5)).toEqual([
      'BookingProblemReported',
      'BookingProblemReported',
      'BookingProblemSettled',
      'BookingProblemSettled',
      'BookingCompleted',
    ]);
  });

  it('does not complete a booking before its time when a problem is settled', async () => {
    const { renter, id } = await lend();
    await letItEnd(id, 47);

    await settle(await report(renter, id));

    expect(await statusOf(renter, id)).toBe('Booked');
  });

  it('does not complete a booking with an open change request', async () => {
    const { renter, toolId, id } = await lend();
    await service.pool.query(`UPDATE tools SET terms = '{"booking": "request"}' WHERE id = $1`, [
      toolId,
    ]);
    const requested = await requestChange(renter, id, { ...days(10, 11), ...times });

    await complete(at(15));

    expect(requested.approvalId).toEqual(expect.any(String));
    expect(await statusOf(renter, id)).toBe('Booked');
  });

  it('skips a booking that fails to complete, and records the failure', async () => {
    const [bad, good] = [await lend(), await lend()];
    const others = await lend();
    await service.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.id = '${bad.id}' AND NEW.status = 'completed' THEN RAISE 'A bad row'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON bookings FOR EACH ROW EXECUTE FUNCTION refuse();
    `);

    for (const { id } of [bad, good, others]) await letItEnd(id, 49);

    for (const { renter, id } of [good, others])
      await waitFor('the others', async () => (await statusOf(renter, id)) === 'Completed');
    await waitFor('the failure', async () => {
      const { rows } = await service.pool.query(
        'SELECT last_error FROM graphile_worker.jobs WHERE key = $1',
        [`complete-booking:${bad.id}`],
      );
      return rows[0]?.last_error === 'A bad row';
    });
    await service.pool.query('DROP TRIGGER refuse ON bookings');
    expect(await statusOf(bad.renter, bad.id)).toBe('Booked');
  });

  it('completes neither a request nor a cancelled booking', async () => {
    const cancelled = await lend();
    const path = `/api/user/${cancelled.owner.userId}/rentalBookings/cancel-booking/${cancelled.id}`;
    await service.http.post(path, { ...cancelled.owner, body: {} });
    const renter = await service.person();
    const request = await service.requested(renter);

    await complete(at(60));

    expect(await statusOf(cancelled.renter, cancelled.id)).toBe('Cancelled');
    expect(await statusOf(renter, request.id)).toBe('Requested');
  });
});

describe('a completed booking', () => {
  const completed = async () => {
    const rental = await lend();
    await letItEnd(rental.id, 49);
    await complete(new Date());
    return rental;
  };

  it('rejects a cancellation, a change and a problem report', async () => {
    const { owner, renter, id } = await completed();
    const path = `/api/user/${owner.userId}/rentalBookings/cancel-booking/${id}`;

    const cancelled = await service.http.post(path, { ...owner, body: {} });
    const changed = await change(renter, id, { ...days(10, 14), ...times });
    const reported = await service.http.post(
      `/api/user/${renter.userId}/rentalBookings/report-problem/${id}`,
      { ...renter, body: { text: 'Too late.' } },
    );

    for (const { status, body } of [cancelled, changed, reported])
      expect([status, body.code]).toEqual([409, 'BOOKING_NOT_ACTIVE']);
  });

  it('still records a return, once', async () => {
    const { owner, renter, id } = await completed();

    const replies = await Promise.all([1, 2].map(() => confirm(owner, id)));

    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[0]?.body.rental).toMatchObject({
      booking_status: 'Completed',
      returned_status: 'Returned',
      allowedActions: ['reviewRenter'],
    });
    await service.broker.expectEvent('BookingReturned', ({ bookingId }) => bookingId === id);
    expect((await eventsOf(id)).filter((type) => type === 'BookingReturned')).toHaveLength(1);
    expect((await service.seen(renter, id)).allowedActions).toEqual(['review']);
  });

  it('is listed as over, and counted in earnings and statistics', async () => {
    const { owner, id } = await completed();
    const idsOf = async (path: string, user: Person) =>
      (await service.http.get(path, user)).body.bookings.map((one: { id: string }) => one.id);

    const over = await idsOf('/api/rentalBookings/my-bookings?when=over', owner);
    const open = await idsOf('/api/rentalBookings/my-bookings?when=open', owner);
    const found = await idsOf(`/api/all-bookings?status=Completed&userId=${owner.userId}`, admin);
    const earnings = await service.http.get(`/api/user/${owner.userId}/earnings`, owner);
    const before = await service.http.get('/api/admin/stats/bookings?days=1', admin);
    await service.pool.query(`UPDATE bookings SET status = 'confirmed' WHERE id = $1`, [id]);
    const after = await service.http.get('/api/admin/stats/bookings?days=1', admin);

    expect([over, open, found]).toEqual([[id], [], [id]]);
    expect(earnings.body.total).toMatchObject({ earnedCents: 2_500, toComeCents: 0 });
    expect(before.body.revenueCents).toBe(after.body.revenueCents);
  });

  it('accepts a review, and sends no more reminders', async () => {
    const { renter, id } = await completed();
    await service.pool.query(
      `UPDATE bookings SET remind_at = now() - interval '3 days' WHERE id = $1`,
      [id],
    );

    const { status } = await service.http.post(`/api/user/${renter.userId}/reviews/add-review`, {
      ...renter,
      body: { rentalBooking_id: id, rating: 5, comment: 'As new.' },
    });
    await remindParties(service.jobDeps, id);

    expect(status).toBe(201);
    expect((await eventsOf(id)).filter((type) => type === 'BookingReminderDue')).toEqual([]);
  });

  it('no longer takes up its units', async () => {
    const { toolId } = await completed();

    const { status } = await service.postHold(await service.person(), [
      service.line(toolId, { start_date: inDays(1), end_date: inDays(3) }),
    ]);

    expect(status).toBe(201);
  });
});
