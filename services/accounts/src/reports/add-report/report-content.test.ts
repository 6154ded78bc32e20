import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inTransaction } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import { type AccountsService, startAccountsService } from '../../../test/accounts-service.ts';
import { reportOf, reportsOf } from '../../../test/reports.ts';

let accounts: AccountsService;
let reports: ReturnType<typeof reportsOf>;
beforeAll(async () => {
  accounts = await startAccountsService();
  reports = reportsOf(accounts, await accounts.logInAdmin());
});
afterAll(() => accounts.stop());

describe('a report of a person, a review or a message', () => {
  const kinds = ['person', 'review', 'message'] as const;

  const contentOf = async (kind: (typeof kinds)[number]) => {
    const author = await accounts.signUp();
    if (kind === 'person') return { author, id: author.id };
    const id = randomUUID();
    const content = { title: 'Message about a drill', content: 'Pay me in cash.' };
    accounts.contents.byId.set(id, { ...content, authorId: author.id, bookingId: randomUUID() });
    return { author, id };
  };

  it.each(kinds)('copies what the %s is, as its reporter sees it', async (about) => {
    const { author, id } = await contentOf(about);
    const reporter = await reports.newUser();

    const { body } = await reports.send(reportOf(id, { about }), reporter.token);

    const report = await reports.find(body.number);
    expect(report).toMatchObject({ about, contentId: id, author: { id: author.id } });
    if (about === 'person') return;
    expect(report).toMatchObject({
      content: 'Pay me in cash.',
      bookingId: accounts.contents.byId.get(id)?.bookingId,
    });
    expect(accounts.contents.tokens.at(-1)).toBe(`Bearer ${reporter.token}`);
  });

  it.each(kinds)('needs an account: %s', async (about) => {
    const { id } = await contentOf(about);

    const reply = await reports.send(reportOf(id, { about, email: 'anna@example.com' }));

    expect(reply.status).toBe(401);
  });

  it.each([
    ['person', 'USER_NOT_FOUND'],
    ['review', 'REVIEW_NOT_FOUND'],
    ['message', 'MESSAGE_NOT_FOUND'],
  ])('is rejected if the reporter cannot see the %s', async (about, code) => {
    const reporter = await reports.newUser();

    const reply = await reports.send(reportOf(randomUUID(), { about }), reporter.token);

    expect(reply).toMatchObject({ status: 404, body: { code } });
  });

  const erasePerson = (db: Pick<typeof accounts.pool, 'query'>, id: string) =>
    db.query(`UPDATE users SET first_name = 'Deleted', deleted_at = now() WHERE id = $1`, [id]);

  it('is rejected if the person is deleted, also while the report is sent', async () => {
    const reporter = await reports.newUser();
    const { id } = await contentOf('person');

    const crossing = await inTransaction(accounts.pool, async (tx) => {
      await tx.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [id]);
      await erasePerson(tx, id);
      const reply = reports.send(reportOf(id, { about: 'person' }), reporter.token);
      await waitFor('the report to wait for the deletion', async () => {
        const { rowCount } = await tx.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rowCount;
      });
      return { reply };
    });

    const later = await reports.send(reportOf(id, { about: 'person' }), reporter.token);
    const { body, status } = await crossing.reply;
    expect([status, body.code, later.status]).toEqual([404, 'USER_NOT_FOUND', 404]);
  });

  it('contains no copy of what a deleted person published', async () => {
    const { author, id } = await contentOf('message');
    await erasePerson(accounts.pool, author.id);
    const reporter = await reports.newUser();

    const { body } = await reports.send(reportOf(id, { about: 'message' }), reporter.token);

    expect(await reports.find(body.number)).toMatchObject({ title: '', content: '', images: [] });
  });

  it('can warn a person, but not hide them', async () => {
    const { id } = await contentOf('person');
    const reporter = await reports.newUser();
    const { body } = await reports.send(reportOf(id, { about: 'person' }), reporter.token);
    const report = await reports.find(body.number);

    const hidden = await reports.decide(report.id, 'hide');
    const warned = await reports.decide(report.id, 'warn');

    expect([hidden.status, warned.status]).toEqual([400, 200]);
    expect(hidden.body.errors).toMatchObject([{ path: 'decision' }]);
  });
});
