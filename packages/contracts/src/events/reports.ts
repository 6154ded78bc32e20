import { z } from 'zod';
import { id } from '../api/common.ts';
import { reportDecision, reportedKind, reportReason, reportSide } from '../api/reports.ts';

/** Confirms a report to its reporter, who may have no account. */
export const reportReceived = z.object({
  /** Null for a reporter without an account; replicas of 1.0 omit it. */
  userId: id.nullable().optional(),
  reportId: id,
  number: z.string(),
  about: reportedKind,
  reason: reportReason,
  email: z.string(),
  firstName: z.string(),
});
/** The answer to one side. The reporter and the author get an event each, so that neither contains the other's data. */
export const reportAnswered = z.object({
  reportId: id,
  number: z.string(),
  to: reportSide,
  /** Null for a reporter without an account. */
  userId: id.nullable(),
  email: z.string(),
  firstName: z.string(),
  emailVerified: z.boolean(),
  about: reportedKind,
  contentId: id,
  title: z.string(),
  decision: reportDecision,
  /** The decision that this one replaces. */
  replaces: reportDecision.nullable(),
  reason: z.string(),
  /** Lets this side appeal. Missing if it has appealed already. */
  token: z.string().optional(),
});
/** Hides content, or shows it again if `hiddenReason` is null. The version counts the decisions about this content. */
export const contentModerated = z.object({
  about: reportedKind,
  contentId: id,
  authorId: id,
  hiddenReason: z.string().nullable(),
});
