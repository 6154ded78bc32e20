import { type Envelope, type ReportDecision, type ReportSide, routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { checkRevision, handle, requireFreshLogin, type Transaction } from '@lendtools/service-kit';
import { changeUser } from '../../admins/manage-users/manage-users.ts';
import type { Deps } from '../../deps.ts';
import { personNotHidden, reportNotFound } from '../../domain/errors.ts';
import { cutAccess } from '../../sessions/cut-access.ts';
import {
  findHiddenReason,
  lockModeration,
  lockReport,
  readReport,
  renewAppealToken,
  reportNumber,
  type StoredReport,
  saveDecision,
} from '../../store/report-repository.ts';
import { findUser } from '../../store/user-repository.ts';

/**
 * Decides a report, or replaces its decision: dismissing a report that hid content, or only warning, shows the content again,
 * unless another report hides it too. A disabled account stays disabled until an admin enables it.
 */
export const decideReport = (deps: Deps) =>
  handle(routes.decideReport, async ({ params, body, user, request }) => {
    if (body.decision === 'disable') requireFreshLogin(user);
    await cutAccess(deps, async (tx, publish) => {
      const report = await lockReport(tx, params.id);
      if (!report) throw reportNotFound();
      checkRevision(request, report.version, 'report');
      if (report.about === 'person' && body.decision === 'hide') throw personNotHidden();
      const replaces = report.decision;
      // Before the decision, whose row locks the admin's: a change of a user locks in this order.
      if (body.decision === 'disable')
        await changeUser(tx, publish, { id: report.authorId, disabled: true });
      const saved = await saveDecision(tx, report, { ...body, adminId: user.userId });
      if (body.decision === 'hide' || saved.hides !== report.hides)
        publish(await moderation(tx, saved));
      publish(...(await answers(tx, saved, { ...body, replaces })));
    });
    const report = await readReport(deps.pool, params.id);
    if (!report) throw reportNotFound();
    return { report };
  });

const moderation = async (tx: Transaction, report: StoredReport): Promise<Envelope> => {
  const { about, contentId, authorId } = report;
  // Lock first: of two concurrent decisions about the same content, the later event must contain both.
  const version = await lockModeration(tx, report);
  const hiddenReason = await findHiddenReason(tx, report);
  const data = { about, contentId, authorId, hiddenReason };
  return newEvent('ContentModerated', { id: contentId, version }, data);
};

interface Answer {
  decision: ReportDecision;
  replaces: ReportDecision | null;
  reason: string;
}

/** The answers to both sides. An author against whom nothing was decided is not told about the report. */
const answers = async (
  tx: Transaction,
  report: StoredReport,
  answer: Answer,
): Promise<Envelope[]> => {
  const { reporterId, reporterEmail, authorId } = report;
  const [reporter, author] = await Promise.all([
    reporterId === null ? undefined : findUser(tx, reporterId),
    findUser(tx, authorId),
  ]);
  const about = {
    reportId: report.id,
    number: reportNumber(report.number),
    about: report.about,
    contentId: report.contentId,
    title: report.title,
    decision: answer.decision,
    replaces: answer.replaces,
    reason: answer.reason,
  };
  const to = async (
    side: ReportSide,
    person: Awaited<ReturnType<typeof findUser>>,
    emailWithoutAccount = '',
  ): Promise<Envelope[]> => {
    const email = person?.email ?? emailWithoutAccount;
    // A deleted user has no address any more, and the purge of reports deletes those of strangers.
    if (person?.deletedAt || email === '') return [];
    const token = await renewAppealToken(tx, report.id, side);
    const data = {
      ...about,
      to: side,
      userId: person?.id ?? null,
      email,
      firstName: person?.firstName ?? '',
      emailVerified: Boolean(person?.emailVerifiedAt),
      ...(token && { token }),
    };
    return [newEvent('ReportAnswered', report, data)];
  };
  const isAgainstAuthor = [answer.decision, answer.replaces ?? 'dismiss'].some(
    (decision) => decision !== 'dismiss',
  );
  return [
    ...(await to('reporter', reporter, reporterEmail ?? '')),
    ...(isAgainstAuthor ? await to('author', author) : []),
  ];
};
