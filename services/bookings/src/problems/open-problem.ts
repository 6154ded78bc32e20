import type { ProblemKind } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';
import { partiesOf } from '../booking-events.ts';
import { type BookingRow, renewVersion } from '../booking-repository.ts';
import { insertProblem, reporterOf } from '../problem-repository.ts';

/**
 * Opens a problem with a locked booking and publishes it for the admins. The booking is not completed until they settle it. No-op if
 * the reporter, or the system (null), already has an open problem of this kind.
 */
export const openProblem = async (
  tx: Transaction,
  booking: BookingRow,
  opened: { kind: ProblemKind; reportedBy: string | null; text: string },
): Promise<void> => {
  const problem = await insertProblem(tx, booking, opened);
  if (!problem) return;
  const changed = await renewVersion(tx, booking);
  const event = newEvent('BookingProblemReported', changed, {
    ...partiesOf(changed),
    bookingCode: changed.code,
    problemId: problem.id,
    kind: problem.kind,
    by: reporterOf(problem, changed),
    text: problem.text,
  });
  await addToOutbox(tx, event);
};
