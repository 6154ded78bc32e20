import { routes, type Statement } from '@lendtools/contracts';
import {
  forbidden,
  handle,
  inTransaction,
  recordAct,
  scaled,
  sendFile,
  spend,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { spanOfMonth } from '../../domain/month.ts';
import { listLines, sumMonth } from '../../store/earnings-repository.ts';
import { readEarnedBookings } from '../read-earned-bookings.ts';
import { statementCsv } from './statement-csv.ts';
import { statementPdf } from './statement-pdf.ts';

/** Files are limited, because each is rendered. */
const filesAnHour = (factor: number) => ({
  kind: 'statement-files',
  limit: scaled(120, factor),
  windowSeconds: 3_600,
  rejection: 'You have downloaded many statements within an hour.',
});

export const showStatement = (deps: Deps) =>
  handle(routes.statement, async ({ params, allow }) => {
    const answer = allow([params.userId], forbidden);
    return answer({ statement: await readStatement(deps, params) });
  });

export const downloadStatementCsv = (deps: Deps) =>
  handle(routes.statementCsv, async ({ params, user, allow, response }) => {
    const answer = allow([params.userId], forbidden);
    await recordAct();
    await spend(deps.pool, user.userId, filesAnHour(deps.config.RATE_LIMIT_FACTOR));
    const body = Buffer.from(statementCsv(await readStatement(deps, params)));
    sendFile(response, { name: `statement-${params.month}.csv`, type: 'text/csv', body });
    return answer(undefined);
  });

export const downloadStatementPdf = (deps: Deps) =>
  handle(routes.statementPdf, async ({ params, user, allow, response }) => {
    const answer = allow([params.userId], forbidden);
    await recordAct();
    await spend(deps.pool, user.userId, filesAnHour(deps.config.RATE_LIMIT_FACTOR));
    const body = await statementPdf(await readStatement(deps, params), deps.config.PUBLIC_URL);
    sendFile(response, { name: `statement-${params.month}.pdf`, type: 'application/pdf', body });
    return answer(undefined);
  });

/** @throws AppError 503 while bookings is unavailable */
const readStatement = async (
  deps: Deps,
  { userId, month }: { userId: string; month: string },
): Promise<Statement> => {
  const span = spanOfMonth(month);
  const { sums, lines } = await inTransaction(deps.pool, async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return {
      sums: await sumMonth(tx, userId, span),
      lines: await listLines(tx, userId, span),
    };
  });
  const { bookingOf, ownerNameOf } = await readEarnedBookings(deps, {
    bookings: lines.map(({ bookingId }) => bookingId),
    owners: [userId],
  });
  return {
    month,
    ownerName: ownerNameOf(userId),
    isClosed: span.closedAt <= new Date(),
    ...sums,
    lines: lines.map(({ at, bookingId, ...line }) => {
      const { bookingCode, toolName } = bookingOf(bookingId);
      return { at: at.toISOString(), bookingId, bookingCode, toolName, ...line };
    }),
  };
};
