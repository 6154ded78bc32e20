import { routes } from '@lendtools/contracts';
import { handle, inTransaction, readCursor, splitPage } from '@lendtools/service-kit';
import { deadLetterWork } from '@lendtools/service-runtime';
import type { Deps } from '../../deps.ts';
import { reportNotFound } from '../../domain/errors.ts';
import {
  countWaitingReports,
  pageOfReports,
  readReport,
  saveTaker,
} from '../../store/report-repository.ts';

const defaultLimit = 50;

export const listReports = ({ pool }: Deps) =>
  handle(routes.reports, async ({ query }) => {
    const { limit = defaultLimit, authorId = null } = query;
    const state = query.state ?? (authorId === null ? 'open' : 'all');
    const after = readCursor(query.cursor) ?? null;
    const [rows, { count }] = await Promise.all([
      pageOfReports(pool, { state, authorId, after, limit: limit + 1 }),
      countWaitingReports(pool),
    ]);
    const { items, nextCursor } = splitPage(rows, limit);
    return { reports: items, open: count, nextCursor };
  });

/** `PUT /api/admin/reports/:id/taker`: shows other admins who works on a report. It does not keep them from deciding it. */
export const takeReport = ({ pool }: Deps) =>
  handle(routes.takeReport, async ({ params, body, user }) => {
    const takenBy = body.taken ? user.userId : null;
    await inTransaction(pool, async (tx) => {
      if (!(await saveTaker(tx, params.id, takenBy))) throw reportNotFound();
    });
    const report = await readReport(pool, params.id);
    if (!report) throw reportNotFound();
    return { report };
  });

export const workOfAccounts = (deps: Deps) =>
  handle(routes.workOfAccounts, async () => {
    const [{ count, since }, deadLetters] = await Promise.all([
      countWaitingReports(deps.pool),
      deadLetterWork(deps),
    ]);
    const reports = {
      kind: 'report' as const,
      count,
      since: since?.toISOString() ?? null,
      dueAt: null,
    };
    return { work: [reports, deadLetters] };
  });
