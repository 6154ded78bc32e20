import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
let admin: Person;
beforeAll(async () => {
  service = await startBookingsService();
  admin = await service.person('Admin');
});
afterAll(() => service.stop());

/** Starts at midnight today, so that the rental has begun whenever the test runs. */
const begun = { start_date: inDays(0), end_date: inDays(2) };

const lend = async (dates: Record<string, unknown> = begun) => {
  const [owner, renter] = [await service.neighbor(), await service.neighbor()];
  const { toolId } = await service.tool({ ownerId: owner.userId });
  return { owner, renter, toolId, ...(await service.booked(renter, toolId, dates)) };
};

const report = (user: Person, id: string, text: unknown = 'The chuck is broken.') =>
  service.http.post(`/api/user/${user.userId}/rentalBookings/report-problem/${id}`, {
    ...user,
    body: { text },
  });

const settle = (user: Person, id: string, note: unknown = 'We talked to both of you.') =>
  service.http.post(`/api/admin/problems/${id}/settle`, { ...user, body: { note } });

const list = async (query = '') =>
  (await service.http.get(`/api/admin/problems${query}`, admin)).body;

const reported = async () => {
  const rental = await lend();
  const { body } = await report(rental.renter, rental.id);
  return { ...rental, problemId: body.rental.problems[0].id as string };
};

describe('an admin who settles a problem', () => {
  it('needs the role of support, and is recorded', async () => {
    const { problemId } = await reported();
    const [finance, support] = [await service.person('Finance'), await service.person('Support')];

    const rejected = await settle(finance, problemId);
    const settled = await settle(support, problemId);

    expect([rejected.status, settled.status]).toEqual([403, 200]);
    const { data } = await service.broker.expectEvent(
      'AdminActedInBookings',
      ({ subject }) => subject === problemId,
    );
    expect(data).toMatchObject({
      actorId: support.userId,
      action: 'settleProblem',
      details: { note: 'We talked to both of you.' },
    });
  });

  it('is rejected as a party of the booking', async () => {
    const [owner, renter] = [await service.person('Support'), await service.person('Admin')];
    const { toolId } = await service.tool({ ownerId: owner.userId });
    const { id } = await service.booked(renter, toolId, begun);
    const { body } = await report(renter, id);
    const problemId = body.rental.problems[0].id;

    const replies = [await settle(owner, problemId), await settle(renter, problemId)];

    expect(replies.map(({ status }) => status)).toEqual([403, 403]);
    expect((await settle(admin, problemId)).status).toBe(200);
  });

  it('acts for an owner only with the role of support', async () => {
    const { id, owner } = await lend();
    const put = (user: Person) =>
      service.http.put(`/api/user/${user.userId}/rentalBookings/update-booking/${id}`, {
        ...user,
        body: { returned_status: 'Returned' },
      });
    const [finance, support] = [await service.person('Finance'), await service.person('Support')];

    const statuses = [(await put(finance)).status, (await put(support)).status];
    await service.http.get(`/api/rentalBookings/${id}/details`, owner);

    expect(statuses).toEqual([404, 200]);
    const { data } = await service.broker.expectEvent(
      'AdminActedInBookings',
      ({ subject, action }) => subject === id && action === 'updateBooking',
    );
    expect(data).toMatchObject({ actorId: support.userId });
    const acts = service.broker.received.filter(
      (event) => event.type === 'AdminActedInBookings' && event.data.actorId === owner.userId,
    );
    expect(acts).toEqual([]);
  });
});

describe('POST /api/user/:userId/rentalBookings/report-problem/:id', () => {
  it('opens a problem whose text the other party does not see', async () => {
    const { owner, renter, id } = await lend();

    const { status, body } = await report(renter, id);

    expect(status).toBe(201);
    const problem = { kind: 'reported', by: 'renter', settledAt: null, note: '' };
    expect(body.rental).toMatchObject({
      hasOpenProblem: true,
      problems: [{ ...problem, text: 'The chuck is broken.' }],
    });
    expect(await service.seen(owner, id)).toMatchObject({
      problems: [{ ...problem, text: null }],
      completesAt: null,
    });
    expect((await service.seen(admin, id)).problems).toMatchObject([
      { ...problem, text: 'The chuck is broken.' },
    ]);
  });

  it('opens one problem when the same report is sent several times at once', async () => {
    const { renter, id } = await lend();

    const replies = await Promise.all([1, 2, 3].map(() => report(renter, id)));

    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await service.seen(renter, id)).problems).toHaveLength(1);
  });

  it('lets each party report one problem at a time, and another one after the first is settled', async () => {
    const { owner, renter, id } = await lend();
    const first = (await report(renter, id)).body.rental.problems[0];
    await report(owner, id, 'The case is missing.');

    const second = await report(renter, id, 'It also smokes.');
    const allowed = (await service.seen(renter, id)).allowedActions;
    await settle(admin, first.id);
    const third = await report(renter, id, 'It also smokes.');

    expect(second).toMatchObject({ status: 409, body: { code: 'PROBLEM_REPORTED' } });
    expect(allowed).not.toContain('reportProblem');
    expect(third.status).toBe(201);
    expect(third.body.rental.problems.map((one: { by: string }) => one.by)).toEqual([
      'renter',
      'owner',
      'renter',
    ]);
  });

  it('rejects a report before the start, about a cancelled booking, without a text, or by a stranger', async () => {
    const early = await lend({});
    const cancelled = await lend();
    const path = `/api/user/${cancelled.owner.userId}/rentalBookings/cancel-booking/${cancelled.id}`;
    await service.http.post(path, { ...cancelled.owner, body: {} });
    const { renter, id } = await lend();

    expect((await report(early.renter, early.id)).body.code).toBe('BOOKING_NOT_STARTED');
    expect((await report(cancelled.renter, cancelled.id)).body.code).toBe('BOOKING_NOT_ACTIVE');
    expect((await report(renter, id, ' ')).status).toBe(400);
    expect((await report(renter, id, 'x'.repeat(1001))).status).toBe(400);
    expect((await report(await service.person(), id)).body.code).toBe('BOOKING_NOT_FOUND');
    expect((await report(admin, id)).status).toBe(403);
  });
});

describe('GET /api/admin/problems', () => {
  it('lists the open problems of all bookings, longest open first, in pages', async () => {
    const [first, second] = [await reported(), await reported()];

    const before = (await list()).problems.findIndex(
      (one: { id: string }) => one.id === first.problemId,
    );
    const page = await list(`?limit=${before + 1}`);
    const next = await list(`?limit=1&cursor=${page.nextCursor}`);

    expect(page.problems.at(-1)).toMatchObject({
      id: first.problemId,
      kind: 'reported',
      by: 'renter',
      text: 'The chuck is broken.',
      bookingId: first.id,
      booking_code: first.code,
      name: 'Hammer drill',
      renter: { id: first.renter.userId },
      owner: { id: first.owner.userId },
      settledAt: null,
      settledBy: null,
      note: '',
    });
    expect(page.open).toBeGreaterThanOrEqual(2);
    expect(next.problems[0].id).toBe(second.problemId);
  });

  it('lists problems for admins only', async () => {
    const { status } = await service.http.get('/api/admin/problems', await service.person());

    expect(status).toBe(403);
  });
});

describe('POST /api/admin/problems/:id/settle', () => {
  it('moves the problem to the settled list and shows the note to both parties', async () => {
    const { owner, renter, id, problemId } = await reported();

    const { status, body } = await settle(admin, problemId);

    expect(status).toBe(200);
    expect(body.problem).toMatchObject({
      id: problemId,
      note: 'We talked to both of you.',
      settledBy: { id: admin.userId },
    });
    const openIds = (await list()).problems.map((one: { id: string }) => one.id);
    expect(openIds).not.toContain(problemId);
    expect((await list('?state=settled&limit=1')).problems[0].id).toBe(problemId);
    for (const party of [owner, renter])
      expect(await service.seen(party, id)).toMatchObject({
        hasOpenProblem: false,
        problems: [{ note: 'We talked to both of you.' }],
      });
  });

  it('settles a problem once for a repeated request, and rejects a different settlement', async () => {
    const { problemId } = await reported();

    const replies = await Promise.all([1, 2].map(() => settle(admin, problemId)));
    const other = await settle(await service.person('Admin'), problemId, 'Not a problem.');

    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(other.body.code).toBe('PROBLEM_SETTLED');
    expect((await settle(admin, randomUUID())).body.code).toBe('PROBLEM_NOT_FOUND');
  });

  it('needs a fresh login', async () => {
    const { problemId } = await reported();
    const stale = await service.person('Admin', { authenticatedSecondsAgo: 3_600 });

    const reply = await settle(stale, problemId);

    expect(reply).toMatchObject({ status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } });
    expect((await settle(admin, problemId)).status).toBe(200);
  });
});
