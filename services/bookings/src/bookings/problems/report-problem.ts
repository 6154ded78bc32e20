import { routes } from '@lendtools/contracts';
import { databaseNow, handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import * as rules from '../../domain/booking.ts';
import { lockAsParty } from '../../store/booking-repository.ts';
import { readBooking } from '../../store/booking-view.ts';
import { findProblemsOf } from '../../store/problem-repository.ts';
import { openProblem } from './open-problem.ts';

interface Report {
  bookingId: string;
  user: { userId: string; role: 'User' | 'Admin' };
  text: string;
}

/** `POST …/report-problem/:id`: a party reports a problem. Idempotent for the same text. */
export const reportProblem = ({ pool }: Deps) =>
  handle(routes.reportProblem, async ({ user, params, body }) => {
    await inTransaction(pool, (tx) => report(tx, { bookingId: params.id, user, text: body.text }));
    return { rental: await readBooking(pool, params.id, user) };
  });

const report = async (tx: Transaction, { bookingId, user, text }: Report): Promise<void> => {
  const { booking, by } = await lockAsParty(tx, bookingId, user);
  const mine = (await findProblemsOf(tx, bookingId)).find(
    ({ reportedBy, settledAt }) => reportedBy === user.userId && !settledAt,
  );
  if (mine?.text === text) return;
  rules.reportProblem(booking, by, { now: await databaseNow(tx), hasReported: Boolean(mine) });
  await openProblem(tx, booking, { kind: 'reported', reportedBy: user.userId, text });
};
