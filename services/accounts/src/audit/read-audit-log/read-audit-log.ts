import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AuditEntry, auditWords, maxPageSize, routes } from '@lendtools/contracts';
import { type CsvColumn, csvHead, csvLines } from '@lendtools/contracts/csv';
import {
  handle,
  type Pool,
  readCursor,
  scaled,
  setFileHeaders,
  spend,
  splitPage,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { type EntryFilter, findActorIds, listEntries } from '../../store/audit-repository.ts';

export const readAuditLog = ({ pool }: Deps) =>
  handle(routes.auditLog, async ({ query: { limit = maxPageSize, cursor, ...filter } }) => {
    const before = readCursor(cursor);
    const actorIds = await findActorIds(pool, filter.who);
    const found = await listEntries(pool, { ...filter, actorIds }, { before, limit: limit + 1 });
    const { items, nextCursor } = splitPage(found, limit);
    return { entries: items, nextCursor };
  });

/** Streams the entries, newest first. An admin who stops the download ends the reading. */
export const downloadAuditLog = ({ pool, rateLimitFactor }: Deps) =>
  handle(routes.auditLogCsv, async ({ query, user, response }) => {
    await spend(pool, user.userId, filesAnHour(rateLimitFactor));
    setFileHeaders(response, { name: 'audit-log.csv', type: 'text/csv' });
    await pipeline(Readable.from(auditCsv(pool, query)), response).catch((error) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
    return undefined;
  });

const filesAnHour = (factor: number) => ({
  kind: 'audit-files',
  limit: scaled(60, factor),
  windowSeconds: 3_600,
  rejection: 'You have downloaded the audit log often within an hour.',
});

const atOnce = 1_000;

/** @param most limits the entries: a last line tells that there are more */
export const auditCsv = async function* (
  pool: Pool,
  filter: EntryFilter,
  most = 100_000,
): AsyncGenerator<string> {
  yield csvHead(columns);
  const actorIds = await findActorIds(pool, filter.who);
  let before: string | undefined;
  let left = most;
  do {
    const limit = Math.min(atOnce, left);
    const found = await listEntries(pool, { ...filter, actorIds }, { before, limit: limit + 1 });
    const { items, nextCursor } = splitPage(found, limit);
    yield csvLines(columns, items);
    left -= items.length;
    before = nextCursor ?? undefined;
  } while (before && left > 0);
  if (before)
    yield `There are older entries. This file has the newest ${most}: choose earlier days for the rest.\r\n`;
};

const columns: CsvColumn<AuditEntry>[] = [
  { title: 'Time (UTC)', value: ({ at }) => at },
  { title: 'Admin', value: ({ actor }) => (actor ? `${actor.first_name} ${actor.last_name}` : '') },
  { title: 'Admin id', value: ({ actor }) => actor?.id ?? null },
  { title: 'Role', value: ({ role }) => role },
  {
    title: 'Action',
    value: ({ action }) => auditWords[action as keyof typeof auditWords] ?? action,
  },
  { title: 'Action id', value: ({ action }) => action },
  { title: 'Subject', value: ({ subject }) => subject },
  { title: 'Details', value: ({ details }) => JSON.stringify(details) },
  { title: 'Network (hash)', value: ({ network }) => network },
  { title: 'Request id', value: ({ requestId }) => requestId },
];
