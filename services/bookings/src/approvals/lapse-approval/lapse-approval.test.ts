import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';
import { lapseApproval } from './lapse-approval.ts';

let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService({ PURGE_INTERVAL_MINUTES: '0.01' });
});
afterAll(() => bookings.stop());

const answerBy = (id: string, secondsAgo: number) =>
  bookings.pool.query(
    `UPDATE approvals SET answer_by = now() - $2 * interval '1 second' WHERE booking_id = $1`,
    [id, secondsAgo],
  );

/** When `lapse-approval` will run for an approval; undefined if it is not scheduled. */
const scheduledAt = async (approvalId: string): Promise<Date | undefined> => {
  const { rows } = await bookings.pool.query<{ at: Date }>(
    `SELECT run_at AS at FROM graphile_worker.jobs WHERE key = 'lapse-approval:' || $1`,
    [approvalId],
  );
  return rows[0]?.at;
};

const ended = (id: string) =>
  bookings.broker.expectEvent('ApprovalEnded', (one) => one.bookingId === id);

describe('lapse-approval', () => {
  it('lapses an unanswered request once on two replicas, frees its dates and publishes its end', async () => {
    const replica = await bookings.start();
    const renter = await bookings.person();
    const { id, toolId } = await bookings.requested(renter);

    await answerBy(id, 1);

    const { data } = await ended(id);
    await replica.stop();
    expect(data.outcome).toBe('lapsed');
    expect(await bookings.seen(renter, id)).toMatchObject({ booking_status: 'Lapsed' });
    expect((await bookings.postHold(renter, [bookings.line(toolId)])).status).toBe(201);
    const { rows } = await bookings.pool.query(
      `SELECT type FROM outbox_messages WHERE aggregate_id = $1 AND type = 'ApprovalEnded'`,
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  it('does not lapse a request that its owner has accepted, however late the charge is', async () => {
    const renter = await bookings.person();
    const { id, approvalId, owner } = await bookings.requested(renter);
    await bookings.answer(owner, approvalId, 'accept');
    const other = await bookings.requested(renter);

    await answerBy(id, 7_200);
    await answerBy(other.id, 3_600);

    await ended(other.id);
    await lapseApproval(bookings.jobDeps, approvalId);
    expect(await bookings.seen(renter, id)).toMatchObject({ booking_status: 'Requested' });
    await bookings.pool.query(
      `UPDATE approvals SET accepted_at = now() - interval '1 hour' WHERE booking_id = $1`,
      [id],
    );
    const gauge = 'open_approval_oldest_overdue_seconds{waits_for="charge",service="bookings"}';
    await waitFor('the gauge', async () => {
      const { body } = await bookings.http.get('/metrics');
      return body.includes(`${gauge} 36`);
    });
  });

  it.each(['its tool is removed', 'the owner of its tool is disabled'])(
    'lapses a request when %s',
    async (reason) => {
      const renter = await bookings.person();
      const tool = await bookings.toolOnRequest();
      const { id } = await bookings.requested(renter, { toolId: tool.toolId });

      const { toolId, ownerId } = tool;
      const next = { id: toolId, version: 2 };
      if (reason === 'its tool is removed')
        await bookings.broker.sendNew('ToolRemoved', { toolId, ownerId }, next);
      else await bookings.broker.sendNew('ToolUpdated', { ...tool, ownerDisabled: true }, next);

      expect((await ended(id)).data.outcome).toBe('lapsed');
    },
  );

  it('lapses a request whose tool is removed at the same moment', async () => {
    const renter = await bookings.person();
    const { toolId } = await bookings.toolOnRequest();
    const hold = await bookings.held(renter, toolId);
    await bookings.checkOut(renter, hold.id);
    const removal = await bookings.pool.connect();
    await removal.query('BEGIN');
    await removal.query('UPDATE tools SET removed_at = now() WHERE id = $1', [toolId]);

    const authorization = { paymentId: randomUUID(), userId: renter.userId };
    const requesting = bookings.reportAuthorization(hold, authorization);
    await waitFor('the request to wait for the tool', async () => {
      const { rows } = await removal.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    }).finally(() => removal.query('COMMIT').then(() => removal.release()));
    await requesting;

    expect((await ended(hold.lines[0]?.id as string)).data.outcome).toBe('lapsed');
  });

  it('schedules the lapse of a request for its deadline, and cancels that task once the owner answers', async () => {
    const { approvalId, owner } = await bookings.requested(await bookings.person());
    const { rows } = await bookings.pool.query('SELECT answer_by FROM approvals WHERE id = $1', [
      approvalId,
    ]);

    await lapseApproval(bookings.jobDeps, approvalId);
    const early = await scheduledAt(approvalId);
    await bookings.answer(owner, approvalId, 'decline');

    expect(early).toEqual(rows[0].answer_by);
    expect(await scheduledAt(approvalId)).toBeUndefined();
  });
});

describe('an approval that is accepted just as its deadline passes', () => {
  const statusOf = async (approvalId: string): Promise<string> =>
    (await bookings.pool.query('SELECT status FROM approvals WHERE id = $1', [approvalId])).rows[0]
      .status;

  it('either is accepted or lapses, on two replicas', async () => {
    const replica = await bookings.start();
    for (let round = 0; round < 10; round++) {
      const { id, approvalId, owner } = await bookings.requested(await bookings.person());

      const [reply] = await Promise.all([
        bookings.answer(owner, approvalId, 'accept'),
        answerBy(id, 0),
      ]);

      const isAccepted = reply.status === 200;
      expect([200, 409]).toContain(reply.status);
      if (!isAccepted) await ended(id);
      expect(await statusOf(approvalId)).toBe(isAccepted ? 'accepted' : 'lapsed');
    }
    await replica.stop();
  });
});

describe('an ended request', () => {
  it('is kept for 90 days', async () => {
    const renter = await bookings.person();
    const { id, approvalId, hold, owner } = await bookings.requested(renter);
    await bookings.answer(owner, approvalId, 'decline');
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
