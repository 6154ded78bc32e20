import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsService, startAccountsService } from '../../../test/accounts-service.ts';
import { purgeReports } from './purge-reports.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

/** A stranger's report with these decisions, the last one `daysAgo`. @returns its id */
const decidedReport = async (
  decisions: string[],
  { daysAgo = 740, authorId = '' } = {},
): Promise<string> => {
  const { rows } = await accounts.pool.query<{ id: string }>(
    `INSERT INTO reports (about, content_id, title, content, author_id, reason, text, reporter_email)
     VALUES ('tool', uuidv7(), 'Saw', 'A saw.', $1, 'scam', 'Anna saw it.', 'anna@example.com') RETURNING id`,
    [authorId || (await accounts.signUp()).id],
  );
  const id = rows[0]?.id as string;
  const { token } = await accounts.logInAdmin();
  for (const decision of decisions) {
    const reply = await accounts.http.post(`/api/admin/reports/${id}/decide`, {
      token,
      body: { decision, reason: 'It breaks our rules.' },
    });
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  }
  await accounts.pool.query(
    'UPDATE reports SET decided_at = now() - make_interval(days => $2) WHERE id = $1',
    [id, daysAgo],
  );
  return id;
};

const stored = async (id: string) => {
  const { rows } = await accounts.pool.query(
    'SELECT title, text, reporter_email AS email FROM reports WHERE id = $1',
    [id],
  );
  return rows[0];
};

describe('the purge of reports', () => {
  it('deletes reports two years after the decision', async () => {
    const [old, recent] = [
      await decidedReport(['warn']),
      await decidedReport(['warn'], { daysAgo: 720 }),
    ];

    await purgeReports(accounts.pool)();

    expect(await stored(old)).toBeUndefined();
    expect(await stored(recent)).toMatchObject({ text: 'Anna saw it.' });
  });

  it.each([
    ['"hide"', ['hide']],
    ['"disable" after "hide"', ['hide', 'disable']],
  ])(
    'keeps a report that hides content by %s, without the text and email of its reporter',
    async (_, decisions) => {
      const [old, recent] = [
        await decidedReport(decisions),
        await decidedReport(decisions, { daysAgo: 720 }),
      ];

      await purgeReports(accounts.pool)();

      expect(await stored(old)).toEqual({ title: 'Saw', text: '', email: '' });
      expect(await stored(recent)).toMatchObject({
        text: 'Anna saw it.',
        email: 'anna@example.com',
      });
    },
  );

  it('answers only the author when the decision of such a report is replaced', async () => {
    const old = await decidedReport(['hide']);
    await purgeReports(accounts.pool)();
    const { token } = await accounts.logInAdmin();

    const { status } = await accounts.http.post(`/api/admin/reports/${old}/decide`, {
      token,
      body: { decision: 'dismiss', reason: 'We were wrong.' },
    });

    expect(status).toBe(200);
    const isAnswer = ({ reportId, decision }: { reportId: string; decision: string }) =>
      reportId === old && decision === 'dismiss';
    await accounts.broker.expectEvent('ReportAnswered', isAnswer);
    const sides = accounts.broker.received
      .filter((event) => event.type === 'ReportAnswered' && isAnswer(event.data))
      .map((event) => event.data);
    expect(sides).toMatchObject([{ to: 'author' }]);
  });

  it('deletes a report that hid content of a deleted user', async () => {
    const { id: authorId } = await accounts.signUp();
    const report = await decidedReport(['hide'], { authorId });
    await accounts.pool.query('UPDATE users SET deleted_at = now() WHERE id = $1', [authorId]);

    await purgeReports(accounts.pool)();

    expect(await stored(report)).toBeUndefined();
  });
});
