import { z } from 'zod';
import { fields, id, longText, nextCursor, page, person } from './common.ts';

/**
 * `reported`: a party reported it. `owner-disabled`: the owner's account was disabled while the tool was rented out.
 */
export const problemKind = z.enum(['reported', 'owner-disabled']);
export type ProblemKind = z.infer<typeof problemKind>;
export const problemReporter = z.enum(['renter', 'owner', 'system']);
export type ProblemReporter = z.infer<typeof problemReporter>;

export const reportProblemBody = fields({ text: longText('what is wrong', 1000) });

const bookingProblem = z.object({
  id,
  kind: problemKind,
  bookingId: id,
  booking_code: z.string(),
  name: z.string(),
  renter: person,
  owner: person,
  by: problemReporter,
  text: z.string(),
  openedAt: z.iso.datetime(),
  settledAt: z.iso.datetime().nullable(),
  settledBy: person.nullable(),
  /** The admin's note to both parties, written when settling the problem. */
  note: z.string(),
});
export type BookingProblem = z.infer<typeof bookingProblem>;

export const problemsQuery = fields({
  ...page,
  /** The default is `open`. */
  state: z.enum(['open', 'settled'], 'Please ask for open or settled').optional(),
});
export const problemsReply = z.object({
  problems: z.array(bookingProblem),
  /** The total number of open problems. */
  open: z.number().int(),
  nextCursor,
});
export const settleProblemBody = fields({ note: longText('a note', 1000) });
export const problemReply = z.object({ problem: bookingProblem });
