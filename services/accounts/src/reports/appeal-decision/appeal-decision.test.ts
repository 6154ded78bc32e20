import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsService, startAccountsService } from '../../../test/accounts-service.ts';
import { reportsOf } from '../../../test/reports.ts';

let accounts: AccountsService;
let reports: ReturnType<typeof reportsOf>;
beforeAll(async () => {
  accounts = await startAccountsService();
  reports = reportsOf(accounts, await accounts.logInAdmin());
});
afterAll(() => accounts.stop());

describe('POST /api/reports/appeal', () => {
  const appeal = (token: string | undefined, text = 'It was a joke.') =>
    accounts.http.post('/api/reports/appeal', { body: { token, text } });

  const decided = async (decision = 'hide') => {
    const made = await reports.reported();
    await reports.decide(made.report.id, decision);
    const [toAuthor, toReporter] = await Promise.all([
      reports.answerTo('author', made.number),
      reports.answerTo('reporter', made.number),
    ]);
    return { ...made, author: toAuthor.data.token, reporter: toReporter.data.token };
  };

  it('lets each side appeal once, and makes the report wait again', async () => {
    const { number, author, reporter } = await decided();

    const replies = [
      await appeal(author),
      await appeal(reporter, 'Too mild.'),
      await appeal(author),
    ];

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(replies[2]?.body.code).toBe('APPEAL_LINK_INVALID');
    const report = await reports.find(number);
    expect(report.waitingSince).not.toBeNull();
    expect(report.appeals).toMatchObject([
      { side: 'reporter', text: 'Too mild.' },
      { side: 'author', text: 'It was a joke.' },
    ]);
  });

  it('is answered by the next decision, which the side that appealed cannot appeal again', async () => {
    const { number, report, author } = await decided();
    await appeal(author);
    const stale = await reports.decide(report.id, 'hide', { headers: { 'if-match': '"2"' } });

    await reports.decide(report.id, 'dismiss');

    const [toAuthor, toReporter] = await Promise.all(
      (['author', 'reporter'] as const).map((side) =>
        accounts.broker.expectEvent(
          'ReportAnswered',
          ({ to, number: of, replaces }) => to === side && of === number && replaces === 'hide',
        ),
      ),
    );
    expect(stale.status).toBe(412);
    expect(toAuthor?.data).not.toHaveProperty('token');
    expect(toReporter?.data.token).toEqual(expect.any(String));
    expect(await reports.find(number)).toBeUndefined();
  });

  it('accepts an author whose account is disabled', async () => {
    const { author } = await decided('disable');

    expect((await appeal(author)).status).toBe(200);
  });

  it('rejects the token of a replaced decision, an old one and a guessed one', async () => {
    const [replaced, old] = [await decided(), await decided()];
    await reports.decide(replaced.report.id, 'warn');
    await accounts.pool.query(
      `UPDATE reports SET decided_at = decided_at - interval '7 months' WHERE id = $1`,
      [old.report.id],
    );

    const replies = [
      await appeal(replaced.author),
      await appeal(old.author),
      await appeal('guessed'),
    ];

    expect(replies.map(({ body }) => body.code)).toEqual(Array(3).fill('APPEAL_LINK_INVALID'));
  });

  it('stores only hashes of the tokens, and the outbox drops them', async () => {
    const { author } = await decided();

    const { rows } = await accounts.pool.query<{ stored: string }>(
      `SELECT (SELECT json_agg(a) FROM report_appeals a)::text || (SELECT json_agg(r) FROM reports r)::text AS stored`,
    );

    expect(author).toEqual(expect.any(String));
    expect(rows[0]?.stored).not.toContain(author);
  });
});
