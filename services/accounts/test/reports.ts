import { randomUUID } from 'node:crypto';
import { type AccountsService, randomAddress } from './accounts-service.ts';

export const reportOf = (id: string, changes: Record<string, unknown> = {}) => ({
  about: 'tool',
  id,
  reason: 'scam',
  text: 'He wants to be paid in gift cards.',
  ...changes,
});

export const addTool = (accounts: AccountsService, ownerId: string): string => {
  const id = randomUUID();
  accounts.catalog.owners.set(id, ownerId);
  return id;
};

/** Calls about reports, and the events that they publish. */
export const reportsOf = (accounts: AccountsService, admin: { token: string }) => {
  const newUser = async (typed: Record<string, string> = {}) => {
    const user = await accounts.signUp(typed);
    return { ...user, ...(await accounts.logIn(user.email)) };
  };

  const send = (body: Record<string, unknown>, token?: string) =>
    accounts.http.post('/api/reports', {
      token,
      body,
      headers: { 'x-forwarded-for': randomAddress() },
    });

  const find = async (number: string, state = 'open') => {
    const { body } = await accounts.http.get(`/api/admin/reports?state=${state}`, admin);
    return body.reports.find((report: { number: string }) => report.number === number);
  };

  const decide = (
    id: string,
    decision: string,
    { token = admin.token, reason = 'It breaks our rules.', headers = {} } = {},
  ) =>
    accounts.http.post(`/api/admin/reports/${id}/decide`, {
      token,
      body: { decision, reason },
      headers,
    });

  /** An owner's tool, reported by a user. */
  const reported = async () => {
    const [owner, reporter] = await Promise.all([
      accounts.signUp(),
      newUser({ first_name: 'Rita', last_name: 'Reporter' }),
    ]);
    const toolId = addTool(accounts, owner.id);
    const { body } = await send(reportOf(toolId), reporter.token);
    return { owner, reporter, toolId, number: body.number, report: await find(body.number) };
  };

  const moderation = (toolId: string, isHidden: boolean) =>
    accounts.broker.expectEvent(
      'ContentModerated',
      (data) => data.contentId === toolId && (data.hiddenReason !== null) === isHidden,
    );

  const answerTo = (side: string, number: string) =>
    accounts.broker.expectEvent(
      'ReportAnswered',
      (data) => data.number === number && data.to === side,
    );

  return { newUser, send, find, decide, reported, moderation, answerTo };
};
