import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';
import { finishAcceptance } from '../finish-acceptance/finish-acceptance.ts';
import { lapseApproval } from '../lapse-approval/lapse-approval.ts';

let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => bookings.stop());

const { lendOnRequest, requestChange } = changesAt(() => bookings);

const undo = (who: Person, approvalId: string) =>
  bookings.http.post(`/api/user/${who.userId}/approvals/${approvalId}/undo-accept`, {
    token: who.token,
    body: {},
  });

/** Makes a request and accepts it so that the acceptance can be undone. */
const accepted = async () => {
  const renter = await bookings.person();
  const request = await bookings.requested(renter);
  const reply = await bookings.answer(request.owner, request.approvalId, 'accept', {
    undoable: true,
  });
  return { renter, ...request, reply };
};

/** Ends the time to undo, and runs the task. */
const tenSecondsLater = (approvalId: string) =>
  bookings.pool.query('UPDATE approvals SET charges_at = now() WHERE id = $1', [approvalId]);

const acceptanceOf = (id: string) =>
  bookings.broker.expectEvent('ApprovalAccepted', (data) => data.bookingId === id);

const eventsOf = async (bookingId: string): Promise<string[]> => {
  const { rows } = await bookings.pool.query(
    'SELECT type FROM outbox_messages WHERE aggregate_id = $1 ORDER BY version',
    [bookingId],
  );
  return rows.map(({ type }) => type);
};

const tasksOf = async (approvalId: string): Promise<Record<string, Date>> => {
  const { rows } = await bookings.pool.query<{ task: string; at: Date }>(
    `SELECT split_part(key, ':', 1) AS task, run_at AS at FROM graphile_worker.jobs WHERE key LIKE '%:' || $1
     ORDER BY 1`,
    [approvalId],
  );
  return Object.fromEntries(rows.map(({ task, at }) => [task, at]));
};

describe('an acceptance that can be undone', () => {
  it('shows only the owner that the card is charged ten seconds later', async () => {
    const { renter, id, approvalId, hold, owner, authorization, reply } = await accepted();

    const { status, chargesAt } = reply.body.rental.approval;
    const kept = await bookings.reportAuthorization(hold, authorization);
    const ofRenter = await bookings.seen(renter, id);

    const { rows } = await bookings.pool.query(
      'SELECT charges_at AS at, answer_by AS "answerBy" FROM approvals WHERE id = $1',
      [approvalId],
    );
    expect({ status, chargesAt }).toEqual({
      status: 'pending',
      chargesAt: rows[0].at.toISOString(),
    });
    expect(reply.body.rental.allowedActions).toEqual(['undoAccept', 'decline']);
    expect(kept.body).toEqual({ approval: 'pending' });
    expect(ofRenter).toMatchObject({
      approval: { status: 'pending', chargesAt: null, renter: null },
      allowedActions: ['withdraw'],
    });
    expect(await eventsOf(id)).toEqual(['ApprovalRequested']);
    expect(await tasksOf(approvalId)).toEqual({
      'finish-acceptance': rows[0].at,
      'lapse-approval': rows[0].answerBy,
    });
    expect((await bookings.seen(owner, id)).approval.chargesAt).toBe(chargesAt);
  });

  it('charges the card once after ten seconds, on two replicas', async () => {
    const replica = await bookings.start();
    const { id, approvalId, hold, owner, authorization } = await accepted();

    await finishAcceptance(bookings.jobDeps, approvalId);
    const early = await eventsOf(id);
    await tenSecondsLater(approvalId);
    await acceptanceOf(id);
    await Promise.all([1, 2].map(() => finishAcceptance(bookings.jobDeps, approvalId)));

    await replica.stop();
    expect(early).toEqual(['ApprovalRequested']);
    expect(await eventsOf(id)).toEqual(['ApprovalRequested', 'ApprovalAccepted']);
    expect((await bookings.reportAuthorization(hold, authorization)).body).toEqual({
      approval: 'accepted',
    });
    expect(await bookings.seen(owner, id)).toMatchObject({
      approval: { status: 'accepted', chargesAt: null },
      allowedActions: [],
    });
  });

  it('schedules one charge when two tabs accept', async () => {
    const { approvalId, owner, reply } = await accepted();

    const again = await bookings.answer(owner, approvalId, 'accept', { undoable: true });

    expect(again).toMatchObject({ status: 200, body: reply.body });
  });

  it('is charged at once if the owner then accepts without an undo', async () => {
    const { id, approvalId, owner } = await accepted();

    const { body } = await bookings.answer(owner, approvalId, 'accept');

    await acceptanceOf(id);
    expect(body.rental.approval).toMatchObject({ status: 'accepted', chargesAt: null });
  });

  it('does not lapse when the deadline passes, unless it is undone', async () => {
    const { id, approvalId, owner } = await accepted();
    await bookings.pool.query('UPDATE approvals SET answer_by = now() WHERE id = $1', [approvalId]);

    await lapseApproval(bookings.jobDeps, approvalId);
    const waiting = await bookings.seen(owner, id);
    await undo(owner, approvalId);

    const { data } = await bookings.broker.expectEvent(
      'ApprovalEnded',
      (ended) => ended.bookingId === id,
    );
    expect(waiting.booking_status).toBe('Requested');
    expect(data.outcome).toBe('lapsed');
  });

  it.each(['its ten seconds end', 'it is undone'])(
    'lapses when %s if its tool was removed',
    async (end) => {
      const { id, approvalId, toolId, owner } = await accepted();
      await bookings.pool.query('UPDATE tools SET removed_at = now() WHERE id = $1', [toolId]);

      if (end === 'it is undone') await undo(owner, approvalId);
      else {
        await tenSecondsLater(approvalId);
        await finishAcceptance(bookings.jobDeps, approvalId);
      }

      const { data } = await bookings.broker.expectEvent(
        'ApprovalEnded',
        (ended) => ended.bookingId === id,
      );
      expect(data.outcome).toBe('lapsed');
      expect(await eventsOf(id)).not.toContain('ApprovalAccepted');
    },
  );

  it('ends without a charge if the renter withdraws the request', async () => {
    const { renter, id, approvalId, owner } = await accepted();

    const withdrawn = await bookings.answer(renter, approvalId, 'withdraw');
    await tenSecondsLater(approvalId);
    await finishAcceptance(bookings.jobDeps, approvalId);

    expect(withdrawn.status).toBe(200);
    expect(await eventsOf(id)).toEqual(['ApprovalRequested', 'ApprovalEnded']);
    expect(await bookings.answer(owner, approvalId, 'accept', { undoable: true })).toMatchObject({
      status: 409,
      body: { code: 'BOOKING_NOT_ACTIVE' },
    });
  });

  it('applies a change that costs nothing at once', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const { approvalId } = await requestChange(renter, id, days(10, 12));

    const { body } = await bookings.answer(owner, approvalId, 'accept', { undoable: true });

    expect(body.rental.approval).toBeNull();
    expect(body.rental.changedAt).not.toBeNull();
  });

  it('delays a change that costs more, and keeps the booking if it is undone', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const { approvalId } = await requestChange(renter, id, days(10, 16));

    const { body } = await bookings.answer(owner, approvalId, 'accept', { undoable: true });
    const undone = await undo(owner, approvalId);

    expect(body.rental.approval.chargesAt).not.toBeNull();
    expect(undone.body.rental).toMatchObject({ changedAt: null, approval: { status: 'pending' } });
  });
});

describe('POST …/approvals/:id/undo-accept', () => {
  it('lets the owner decide again', async () => {
    const { id, approvalId, hold, owner, authorization } = await accepted();
    const { rows } = await bookings.pool.query(
      'SELECT answer_by AS "lapse-approval", remind_at AS "remind-owner" FROM approvals WHERE id = $1',
      [approvalId],
    );

    const undone = await undo(owner, approvalId);
    const again = await undo(owner, approvalId);
    await finishAcceptance(bookings.jobDeps, approvalId);

    expect([undone.status, again.status]).toEqual([200, 200]);
    expect(undone.body.rental).toMatchObject({
      approval: { status: 'pending', chargesAt: null },
      allowedActions: ['accept', 'decline'],
    });
    await waitFor('the tasks', async () =>
      isDeepStrictEqual(await tasksOf(approvalId), { ...rows[0] }),
    );
    expect((await bookings.reportAuthorization(hold, authorization)).body).toEqual({
      approval: 'pending',
    });
    expect(await eventsOf(id)).toEqual(['ApprovalRequested']);
    expect((await bookings.answer(owner, approvalId, 'decline')).status).toBe(200);
  });

  it('rejects an undo once the card is being charged', async () => {
    const { id, approvalId, owner } = await accepted();
    await tenSecondsLater(approvalId);
    await acceptanceOf(id);

    expect(await undo(owner, approvalId)).toMatchObject({
      status: 409,
      body: { code: 'BOOKING_NOT_ACTIVE' },
    });
  });

  it('either undoes or charges if both happen at once', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, approvalId, owner } = await accepted();

      await bookings.jobDeps.pool.query('UPDATE approvals SET charges_at = now() WHERE id = $1', [
        approvalId,
      ]);

      const [reply] = await Promise.all([
        undo(owner, approvalId),
        finishAcceptance(bookings.jobDeps, approvalId),
      ]);

      const isUndone = reply.status === 200;
      const { approval } = await bookings.seen(owner, id);
      expect([200, 409]).toContain(reply.status);
      expect(approval.status).toBe(isUndone ? 'pending' : 'accepted');
      expect((await eventsOf(id)).includes('ApprovalAccepted')).toBe(!isUndone);
    }
  });

  it('rejects everyone but the owner', async () => {
    const { renter, approvalId } = await accepted();
    const others = [renter, await bookings.person('Admin'), await bookings.person()];

    const replies = await Promise.all(others.map((who) => undo(who, approvalId)));

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 404]);
  });
});
