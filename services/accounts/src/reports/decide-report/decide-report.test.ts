import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsService, startAccountsService } from '../../../test/accounts-service.ts';
import { addTool, reportOf, reportsOf } from '../../../test/reports.ts';

let accounts: AccountsService;
let admin: { token: string };
let reports: ReturnType<typeof reportsOf>;
beforeAll(async () => {
  accounts = await startAccountsService();
  admin = await accounts.logInAdmin();
  reports = reportsOf(accounts, admin);
});
afterAll(() => accounts.stop());

describe('POST /api/admin/reports/:id/decide', () => {
  it('hides a tool with a reason, and answers both sides', async () => {
    const { owner, reporter, toolId, number, report } = await reports.reported();

    const { body } = await reports.decide(report.id, 'hide', { reason: 'Gift cards are a scam.' });

    const { data } = await reports.moderation(toolId, true);
    const [toReporter, toAuthor] = await Promise.all([
      reports.answerTo('reporter', number),
      reports.answerTo('author', number),
    ]);
    expect(body.report).toMatchObject({
      waitingSince: null,
      decisions: [{ decision: 'hide', reason: 'Gift cards are a scam.' }],
    });
    expect(data.hiddenReason).toBe('Gift cards are a scam.');
    expect(toReporter.data).toMatchObject({ email: reporter.email, decision: 'hide' });
    expect(toAuthor.data).toMatchObject({ email: owner.email, reason: 'Gift cards are a scam.' });
    expect([await reports.find(number), (await reports.find(number, 'decided'))?.number]).toEqual([
      undefined,
      number,
    ]);
  });

  it('rejects an admin who wrote the report, or whom it is about', async () => {
    const [author, reporter] = [await reports.newUser(), await reports.newUser()];
    for (const { userId } of [author, reporter])
      await accounts.http.put(`/api/users/${userId}`, { ...admin, body: { role: 'Support' } });
    const tokens = [
      (await accounts.logIn(author.email)).token,
      (await accounts.logIn(reporter.email)).token,
    ] as const;
    const { body } = await reports.send(reportOf(addTool(accounts, author.userId)), tokens[1]);
    const { id } = await reports.find(body.number);

    const statuses = [];
    for (const token of tokens)
      statuses.push((await reports.decide(id, 'dismiss', { token })).status);

    expect(statuses).toEqual([403, 403]);
    expect((await reports.decide(id, 'dismiss')).status).toBe(200);
  });

  it('publishes nothing about the reporter to the author or to other services', async () => {
    const { reporter, toolId, number, report } = await reports.reported();

    await reports.decide(report.id, 'hide');
    await reports.moderation(toolId, true);
    const toAuthor = await reports.answerTo('author', number);

    const others = accounts.broker.received.filter(
      (event) => event.type === 'ContentModerated' || event.id === toAuthor.id,
    );
    for (const secret of [reporter.id, reporter.email, 'Rita', 'Reporter', report.text])
      expect(JSON.stringify(others)).not.toContain(secret);
  });

  it('shows the tool again when the decision is replaced, and notifies the author', async () => {
    const { toolId, number, report } = await reports.reported();
    await reports.decide(report.id, 'hide');
    const hidden = await reports.moderation(toolId, true);

    await reports.decide(report.id, 'dismiss', { reason: 'We were wrong.' });

    const shown = await reports.moderation(toolId, false);
    expect(shown.version).toBeGreaterThan(hidden.version);
    await accounts.broker.expectEvent(
      'ReportAnswered',
      (data) =>
        data.number === number &&
        data.to === 'author' &&
        data.decision === 'dismiss' &&
        data.replaces === 'hide',
    );
  });

  it('keeps a tool hidden while another report hides it', async () => {
    const { toolId, report } = await reports.reported();
    const other = await reports.newUser();
    const { body } = await reports.send(reportOf(toolId), other.token);
    const second = await reports.find(body.number);
    await reports.decide(report.id, 'hide', { reason: 'The first.' });
    await reports.decide(second.id, 'hide', { reason: 'The second.' });

    await reports.decide(report.id, 'dismiss');

    await accounts.broker.expectEvent(
      'ContentModerated',
      (data) => data.contentId === toolId && data.hiddenReason === 'The second.',
    );
    const last = accounts.broker.received
      .filter(({ type, aggregateId }) => type === 'ContentModerated' && aggregateId === toolId)
      .sort((one, two) => two.version - one.version)[0];
    expect(last?.data).toMatchObject({ hiddenReason: 'The second.' });
  });

  it('keeps a tool hidden when "disable" replaces "hide", until the report is dismissed', async () => {
    const { toolId, report } = await reports.reported();
    const other = await reports.newUser();
    const { body } = await reports.send(reportOf(toolId), other.token);
    const second = await reports.find(body.number);
    await reports.decide(report.id, 'hide', { reason: 'The first.' });

    await reports.decide(report.id, 'disable');
    await reports.decide(second.id, 'hide', { reason: 'The second.' });
    await reports.decide(second.id, 'warn');
    await reports.decide(report.id, 'dismiss');

    await reports.moderation(toolId, false);
    const events = accounts.broker.received
      .filter(({ type, aggregateId }) => type === 'ContentModerated' && aggregateId === toolId)
      .sort((one, two) => one.version - two.version);
    expect(events.map(({ data }) => (data as { hiddenReason: string }).hiddenReason)).toEqual([
      'The first.',
      'The second.',
      'The first.',
      null,
    ]);
  });

  it('answers only the reporter when a report is dismissed', async () => {
    const { number, report } = await reports.reported();
    const next = await reports.reported();

    await reports.decide(report.id, 'dismiss');
    await reports.decide(next.report.id, 'warn');
    await reports.answerTo('author', next.number);

    const answers = accounts.broker.received.filter(
      ({ type, data }) =>
        type === 'ReportAnswered' && (data as { number: string }).number === number,
    );
    expect(answers.map(({ data }) => (data as { to: string }).to)).toEqual(['reporter']);
  });

  it('disables the author’s account', async () => {
    const { owner, report } = await reports.reported();

    await reports.decide(report.id, 'disable');

    const { body } = await accounts.http.get(`/api/users/${owner.id}`, admin);
    expect(body.user.disabled).toBe(true);
  });

  it('needs a fresh login to disable an account, not for other decisions', async () => {
    const { owner, report } = await reports.reported();
    const boss = await accounts.logInAdmin();
    await accounts.pool.query(
      `UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`,
      [boss.userId],
    );
    const { token } = (await accounts.refresh(boss.cookie)).body;

    const disabled = await reports.decide(report.id, 'disable', { token });
    const hidden = await reports.decide(report.id, 'hide', { token });

    expect([disabled.body.code, hidden.status]).toEqual(['REAUTHENTICATION_REQUIRED', 200]);
    const { body } = await accounts.http.get(`/api/users/${owner.id}`, admin);
    expect(body.user.disabled).toBe(false);
  });

  it('rejects a decision about a version that another admin has decided', async () => {
    const { report } = await reports.reported();
    await reports.decide(report.id, 'warn');

    const late = await reports.decide(report.id, 'hide', {
      headers: { 'if-match': `"${report.revision}"` },
    });

    expect(late).toMatchObject({ status: 412, body: { code: 'EDITED_ELSEWHERE' } });
  });

  it('counts the other reports about the author', async () => {
    const { owner, report } = await reports.reported();
    await reports.decide(report.id, 'warn');
    const other = await reports.newUser();

    const { body } = await reports.send(reportOf(addTool(accounts, owner.id)), other.token);

    expect((await reports.find(body.number)).others).toEqual({ reports: 1, decisionsAgainst: 1 });
    const history = await accounts.http.get(`/api/admin/reports?authorId=${owner.id}`, admin);
    expect(history.body.reports).toHaveLength(2);
  });
});
