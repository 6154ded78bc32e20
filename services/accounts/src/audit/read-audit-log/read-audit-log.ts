import { Readable } from 'node:stream';
import { type AuditEntry, auditWords, maxPageSize, routes } from '@lendtools/contracts';
import { type CsvColumn, csvHead, csvLines } from '@lendtools/contracts/csv';
import {
  handle,
  type Pool,
  readCursor,
  spend,
  splitPage,
  streamFile,
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

/** Streams the entries, newest first. */
export const downloadAuditLog = ({ pool, quotas }: Deps) =>
  handle(routes.auditLogCsv, async ({ query, user, response }) => {
    await spend(pool, user.userId, quotas.auditFiles);
    const body = Readable.from(auditCsv(pool, query));
    await streamFile(response, { name: 'audit-log.csv', type: 'text/csv', body });
    return undefined;
  });

const atOnce = 1_000;

/** @param most limits the entries: if there are more, a last line explains how to get them */
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
