import { z } from 'zod';
import { auditActions } from '../audit-words.ts';
import { roles } from '../permissions.ts';
import { fields, id, nearDate, nextCursor, page, person, words } from './common.ts';

export const auditAction = z.enum(auditActions, 'Please choose an action of the audit log');

const details = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** What an admin did or read. A service publishes it with the act, or stores it itself. */
export const adminAct = z.object({
  id,
  at: z.iso.datetime(),
  actorId: id,
  actorRole: z.enum(roles),
  action: z.string(),
  /** The id of what it is about; null for a list. */
  subject: z.string().nullable(),
  /** Fields of the request, as the route names them. */
  details,
  requestId: z.string(),
});
export type AdminAct = z.infer<typeof adminAct>;

const filters = {
  /** Part of the name or email of an admin, or an id. */
  who: words.optional(),
  action: auditAction.optional(),
  /** The whole id of a user, booking, tool, payment or report. */
  subject: words.optional(),
  /** The first and the last day, in UTC. */
  from: nearDate.optional(),
  to: nearDate.optional(),
};
export const auditLogQuery = fields({ ...page, ...filters });
export const auditLogCsvQuery = fields(filters);

const auditEntry = z.object({
  id,
  at: z.iso.datetime(),
  /** Null for a command of the operator. The names of a deleted account are those of "Deleted user". */
  actor: person.nullable(),
  /** The role at that time; null for a command. */
  role: z.enum(roles).nullable(),
  /** A name in `auditWords`, or one of a later version. */
  action: z.string(),
  subject: z.string().nullable(),
  details,
  /** A keyed hash of the network, of logins only. */
  network: z.string().nullable(),
  /** `X-Request-Id` of the request; null for a command. */
  requestId: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;
/** Newest first. */
export const auditLogReply = z.object({ entries: z.array(auditEntry), nextCursor });
