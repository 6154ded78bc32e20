import { z } from 'zod';
import { longestReportText } from '../report-words.ts';
import {
  bounded,
  email,
  fields,
  id,
  idOf,
  longText,
  nextCursor,
  page,
  person,
  revision,
} from './common.ts';

/** What can be reported: tools by anyone, the others only with an account. */
export const reportedKind = z.enum(
  ['tool', 'person', 'review', 'message'],
  'Please report a tool, a person, a review or a message',
);
export type ReportedKind = z.infer<typeof reportedKind>;

export const reportReason = z.enum(
  ['scam', 'illegal', 'dangerous', 'misleading', 'offensive', 'private', 'copied', 'spam', 'other'],
  'Please choose a reason',
);
export type ReportReason = z.infer<typeof reportReason>;

/** `hide`: others no longer see the content; a person cannot be hidden. `disable`: the author's account is disabled. */
export const reportDecision = z.enum(
  ['dismiss', 'warn', 'hide', 'disable'],
  'Please choose a decision',
);
export type ReportDecision = z.infer<typeof reportDecision>;

export const addReportBody = fields({
  about: reportedKind,
  id: idOf('Please name what you report'),
  reason: reportReason,
  text: longText('what is wrong', longestReportText),
  /** Where the answer is sent. Ignored if the caller is signed in. */
  email: email.optional(),
});
/** `number` is what people quote, such as `R-1001`. */
export const addReportReply = z.object({ message: z.string(), number: z.string() });

export const reportSide = z.enum(['reporter', 'author']);
export type ReportSide = z.infer<typeof reportSide>;

const decided = z.object({
  decision: reportDecision,
  reason: z.string(),
  by: person,
  at: z.iso.datetime(),
});

const report = z.object({
  id,
  number: z.string(),
  about: reportedKind,
  contentId: id,
  /** The booking that a review or a message belongs to; null if there is none. */
  bookingId: id.nullable(),
  /** Title, text and pictures as they were when they were reported. */
  title: z.string(),
  content: z.string(),
  images: z.array(z.string()),
  author: person,
  /** Other reports about this author, and how many led to a decision against them. */
  others: z.object({ reports: z.number().int(), decisionsAgainst: z.number().int() }),
  reason: reportReason,
  text: z.string(),
  /** Null if the reporter has no account. Never shown to the author. */
  reporter: person.nullable(),
  reporterEmail: z.string(),
  createdAt: z.iso.datetime(),
  takenBy: person.nullable(),
  /** Since when it waits for a decision; null once it is decided. */
  waitingSince: z.iso.datetime().nullable(),
  /** The last one first. */
  decisions: z.array(decided),
  /** At most one of each side. */
  appeals: z.array(z.object({ side: reportSide, text: z.string(), at: z.iso.datetime() })),
  revision,
});
export type Report = z.infer<typeof report>;

export const reportsQuery = fields({
  ...page,
  /** The default is `open`, oldest first; `decided` are listed newest first. */
  state: z.enum(['open', 'decided'], 'Please ask for open or decided').optional(),
  /** Only reports about this author, open or decided. */
  authorId: id.optional(),
});
export const reportsReply = z.object({
  reports: z.array(report),
  /** How many wait for a decision. */
  open: z.number().int(),
  nextCursor,
});

/** The token is in the email about the decision. */
export const appealBody = fields({
  token: bounded(100, 'This link is incomplete'),
  text: longText('why you disagree', longestReportText),
});

export const takeReportBody = fields({ taken: z.boolean('Please say whether you take it') });
/** Both sides read the reason, so it must not name the reporter. */
export const decideReportBody = fields({
  decision: reportDecision,
  reason: longText('the reasons', longestReportText),
});
export const reportReply = z.object({ report });
