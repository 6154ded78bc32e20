import { routes } from '@lendtools/contracts';
import { handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import { readBooking } from '../booking-view.ts';
import type { Deps } from '../deps.ts';
import * as rules from '../domain/booking.ts';
import { lockAsParty } from '../lock-as-party.ts';
import { findProblemsOf } from '../problem-repository.ts';
import { databaseNow } from '../purchase-repository.ts';
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
  // `actorOfRequest` returns the party even if the user is an admin too.
  const { booking, by } = await lockAsParty(tx, bookingId, user, rules.actorOfRequest);
  const mine = (await findProblemsOf(tx, bookingId)).find(
    ({ reportedBy, settledAt }) => reportedBy === user.userId && !settledAt,
  );
  if (mine?.text === text) return;
  rules.reportProblem(booking, by, { now: await databaseNow(tx), hasReported: Boolean(mine) });
  await openProblem(tx, booking, { kind: 'reported', reportedBy: user.userId, text });
};
