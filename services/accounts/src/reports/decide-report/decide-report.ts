import { type Envelope, type ReportDecision, type ReportSide, routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import {
  checkRevision,
  forbidden,
  handle,
  requireFreshLogin,
  type Transaction,
} from '@lendtools/service-kit';
import { changeUser } from '../../admins/manage-users/manage-users.ts';
import type { Deps } from '../../deps.ts';
import { personNotHidden, reportNotFound } from '../../domain/errors.ts';
import type { User } from '../../domain/user.ts';
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
      if ([report.authorId, report.reporterId].includes(user.userId)) throw forbidden();
      checkRevision(request, report.version, 'report');
      if (report.about === 'person' && body.decision === 'hide') throw personNotHidden();
      const replaces = report.decision;
      // Before the decision, whose row locks the admin's: a change of a user locks in this order.
      if (body.decision === 'disable')
        await changeUser(tx, publish, {
          id: report.authorId,
          by: user.accountRole,
          disabled: true,
        });
      const saved = await saveDecision(tx, report, { ...body, adminId: user.userId });
      if (body.decision === 'hide' || saved.hides !== report.hides)
        publish(await newModerationEvent(tx, saved));
      publish(...(await answerBothSides(tx, saved, { ...body, replaces })));
    });
    const report = await readReport(deps.pool, params.id);
    if (!report) throw reportNotFound();
    return { report };
  });

const newModerationEvent = async (tx: Transaction, report: StoredReport): Promise<Envelope> => {
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

/** One event per side. The author gets none unless a decision is or was against them. */
const answerBothSides = async (
  tx: Transaction,
  report: StoredReport,
  answer: Answer,
): Promise<Envelope[]> => {
  const { reporterId, reporterEmail, authorId } = report;
  const [reporter, author] = await Promise.all([
    reporterId === null ? undefined : findUser(tx, reporterId),
    findUser(tx, authorId),
  ]);
  const isAgainstAuthor = [answer.decision, answer.replaces ?? 'dismiss'].some(
    (decision) => decision !== 'dismiss',
  );
  return [
    ...(await answerSide(tx, report, {
      ...answer,
      side: 'reporter',
      user: reporter,
      emailWithoutAccount: reporterEmail ?? '',
    })),
    ...(isAgainstAuthor
      ? await answerSide(tx, report, { ...answer, side: 'author', user: author })
      : []),
  ];
};

interface SideAnswer extends Answer {
  side: ReportSide;
  user: User | undefined;
  emailWithoutAccount?: string;
}

/** @returns no event without an email: the user is deleted, or the purge of reports deleted the visitor's */
const answerSide = async (
  tx: Transaction,
  report: StoredReport,
  { side, user, emailWithoutAccount = '', decision, replaces, reason }: SideAnswer,
): Promise<Envelope[]> => {
  const email = user?.email ?? emailWithoutAccount;
  if (user?.deletedAt || email === '') return [];
  const token = await renewAppealToken(tx, report.id, side);
  const data = {
    reportId: report.id,
    number: reportNumber(report.number),
    about: report.about,
    contentId: report.contentId,
    title: report.title,
    decision,
    replaces,
    reason,
    to: side,
    userId: user?.id ?? null,
    email,
    firstName: user?.firstName ?? '',
    emailVerified: Boolean(user?.emailVerifiedAt),
    ...(token && { token }),
  };
  return [newEvent('ReportAnswered', report, data)];
};
