import type { ProblemKind } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';
import { partiesOf } from '../../store/booking-events.ts';
import { type BookingRow, renewVersion } from '../../store/booking-repository.ts';
import { insertProblem, reporterOf } from '../../store/problem-repository.ts';

/** Opens a problem, which delays completion until an admin settles it. No-op if the reporter already has one open. */
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
