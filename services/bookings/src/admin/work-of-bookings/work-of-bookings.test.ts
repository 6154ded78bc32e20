import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Work, WorkKind } from '@lendtools/contracts';
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

const work = async (kind: WorkKind): Promise<Work | undefined> => {
  const { body } = await service.http.get('/api/admin/work/bookings', admin);
  return body.work.find((one: Work) => one.kind === kind);
};

const lend = async () => {
  const [owner, renter] = [await service.neighbor(), await service.neighbor()];
  const { toolId } = await service.tool({ ownerId: owner.userId });
  const dates = { start_date: inDays(0), end_date: inDays(2) };
  return { owner, renter, ...(await service.booked(renter, toolId, dates)) };
};

/** Ends a rental some hours ago. */
const endAgo = (id: string, hours: number) =>
  service.pool.query(
    `UPDATE bookings SET starts_at = now() - interval '9 days', ends_at = now() - $2 * interval '1 hour' WHERE id = $1`,
    [id, hours],
  );

describe('GET /api/admin/work/bookings', () => {
  it('counts the open problems, and says since when the oldest one waits', async () => {
    const before = await work('problem');
    const { renter, id } = await lend();
    const { body } = await service.http.post(
      `/api/user/${renter.userId}/rentalBookings/report-problem/${id}`,
      { ...renter, body: { text: 'The chuck is broken.' } },
    );

    expect(before).toEqual({ kind: 'problem', count: 0, since: null, dueAt: null });
    expect(await work('problem')).toEqual({
      kind: 'problem',
      count: 1,
      since: body.rental.problems[0].openedAt,
      dueAt: null,
    });
  });

  it('counts the unconfirmed returns, and says when the first one completes by itself', async () => {
    const [late, later, open] = [await lend(), await lend(), await lend()];
    await endAgo(late.id, 5);
    await endAgo(later.id, 2);

    const overdue = await work('return');
    const list = await service.http.get('/api/all-bookings?overdue=true', admin);

    expect(overdue?.count).toBe(2);
    const hours = (Date.parse(overdue?.dueAt ?? '') - Date.parse(overdue?.since ?? '')) / 3_600_000;
    expect(hours).toBe(48);
    expect(list.body.bookings.map(({ id }: { id: string }) => id).sort()).toEqual(
      [late.id, later.id].sort(),
    );
    expect(list.body.total).toBe(2);
    expect(list.body.bookings).not.toContainEqual(expect.objectContaining({ id: open.id }));

    await service.http.put(
      `/api/user/${late.owner.userId}/rentalBookings/update-booking/${late.id}`,
      {
        ...late.owner,
        body: { returned_status: 'Returned' },
      },
    );
    expect((await work('return'))?.count).toBe(1);
  });

  it('counts no dead letters, and rejects members with 403', async () => {
    expect(await work('dead-letter')).toMatchObject({ count: 0 });
    const other = await service.person();
    expect((await service.http.get('/api/admin/work/bookings', other)).status).toBe(403);
  });
});
