import { maxPageSize, routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import {
  databaseNow,
  handle,
  inTransaction,
  readCursor,
  splitPage,
  type Transaction,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { rejectParty } from '../../domain/actor.ts';
import { problemNotFound, problemSettled } from '../../domain/errors.ts';
import { findPaymentIds } from '../../store/allocation-repository.ts';
import { partiesOf } from '../../store/booking-events.ts';
import { lockBooking, renewVersion } from '../../store/booking-repository.ts';
import {
  countOpenProblems,
  findBookingOfProblem,
  lockProblem,
  pageOfProblems,
  readProblem,
  reporterOf,
  saveSettlement,
} from '../../store/problem-repository.ts';
import { completeIfDue } from '../complete-booking/complete-booking.ts';

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

/** `POST /api/admin/problems/:id/settle`: settles a problem. Idempotent for the same admin and note. */
export const settleProblem = ({ pool, config }: Deps) =>
  handle(routes.settleProblem, async ({ user, params, body }) => {
    await inTransaction(pool, async (tx) => {
      const settlement = { adminId: user.userId, note: body.note };
      const bookingId = await settle(tx, params.id, settlement);
      // Complete the booking in the same transaction, so that no other problem can be reported in between.
      const now = await databaseNow(tx);
      await completeIfDue(tx, bookingId, { now, afterHours: config.COMPLETE_AFTER_HOURS });
    });
    return { problem: await readProblem(pool, params.id) };
  });

/** @returns the id of the booking, which stays locked */
const settle = async (
  tx: Transaction,
  id: string,
  settlement: { adminId: string; note: string },
): Promise<string> => {
  const bookingId = await findBookingOfProblem(tx, id);
  const booking = bookingId && (await lockBooking(tx, bookingId));
  const problem = booking && (await lockProblem(tx, id));
  if (!problem) throw problemNotFound();
  rejectParty(booking, settlement.adminId);
  const { settledBy, note } = problem;
  if (settledBy === settlement.adminId && note === settlement.note) return booking.id;
  if (settledBy) throw problemSettled();
  await saveSettlement(tx, problem, settlement);
  const changed = await renewVersion(tx, booking);
  const event = newEvent('BookingProblemSettled', changed, {
    ...partiesOf(changed),
    paymentIds: await findPaymentIds(tx, booking.id),
    bookingCode: changed.code,
    problemId: id,
    kind: problem.kind,
    by: reporterOf(problem, changed),
    ...settlement,
  });
  await addToOutbox(tx, event);
  return booking.id;
};
