import { z } from 'zod';
import { fields, id, longText, nextCursor, page, person } from './common.ts';

/** `reported`: by a party. `owner_disabled`: the owner's account was disabled while the tool was rented out. */
export const problemKind = z.enum(['reported', 'owner_disabled']);
export type ProblemKind = z.infer<typeof problemKind>;
export const problemReporter = z.enum(['renter', 'owner', 'system']);
export type ProblemReporter = z.infer<typeof problemReporter>;

export const reportProblemBody = fields({ text: longText('what is wrong', 1000) });

/** As admins see it. */
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
  /** What the admin who settled it wrote to both parties. */
  note: z.string(),
});
export type BookingProblem = z.infer<typeof bookingProblem>;

export const problemsQuery = fields({
  ...page,
  /** `open` unless given. */
  state: z.enum(['open', 'settled'], 'Please ask for open or settled').optional(),
});
export const problemsReply = z.object({
  problems: z.array(bookingProblem),
  /** How many are open. */
  open: z.number().int(),
  nextCursor,
});
export const settleProblemBody = fields({ note: longText('a note', 1000) });
export const problemReply = z.object({ problem: bookingProblem });
