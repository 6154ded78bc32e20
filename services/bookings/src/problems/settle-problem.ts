import { maxPageSize, routes } from '@lendtools/contracts';
import {
  handle,
  inTransaction,
  readCursor,
  splitPage,
  type Transaction,
} from '@lendtools/service-kit';
import { lockBooking } from '../booking-repository.ts';
import type { Deps } from '../deps.ts';
import { problemNotFound, problemSettled } from '../errors.ts';
import {
  countOpenProblems,
  findBookingOfProblem,
  lockProblem,
  pageOfProblems,
  readProblem,
  saveSettlement,
} from '../problem-repository.ts';

/** `GET /api/admin/problems`: those that wait for an admin, or those that are settled. */
export const allProblems = ({ pool }: Deps) =>
  handle(routes.allProblems, async ({ query }) => {
    const { limit = maxPageSize, state = 'open' } = query;
    const after = readCursor(query.cursor) ?? null;
    const [rows, open] = await Promise.all([
      pageOfProblems(pool, { state, after, limit: limit + 1 }),
      countOpenProblems(pool),
    ]);
    const { items, nextCursor } = splitPage(rows, limit);
    return { problems: items, open, nextCursor };
  });

/** `POST /api/admin/problems/:id/settle`: sent twice, it settles once. */
export const settleProblem = ({ pool }: Deps) =>
  handle(routes.settleProblem, async ({ user, params, body }) => {
    await inTransaction(pool, (tx) =>
      settle(tx, params.id, { adminId: user.userId, note: body.note }),
    );
    return { problem: await readProblem(pool, params.id) };
  });

const settle = async (
  tx: Transaction,
  id: string,
  settlement: { adminId: string; note: string },
): Promise<void> => {
  const bookingId = await findBookingOfProblem(tx, id);
  const booking = bookingId && (await lockBooking(tx, bookingId));
  const problem = booking && (await lockProblem(tx, id));
  if (!problem) throw problemNotFound();
  const { settledBy, note } = problem;
  if (settledBy === settlement.adminId && note === settlement.note) return;
  if (settledBy) throw problemSettled();
  await saveSettlement(tx, problem, settlement);
};
