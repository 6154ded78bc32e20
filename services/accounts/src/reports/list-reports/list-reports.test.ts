import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsService, startAccountsService } from '../../../test/accounts-service.ts';
import { reportsOf } from '../../../test/reports.ts';

let accounts: AccountsService;
let admin: { token: string };
let reports: ReturnType<typeof reportsOf>;
beforeAll(async () => {
  accounts = await startAccountsService();
  admin = await accounts.logInAdmin();
  reports = reportsOf(accounts, admin);
});
afterAll(() => accounts.stop());

describe('the reports', () => {
  it('are neither listed, taken nor decided by the author, the reporter or a visitor', async () => {
    const { reporter, report, owner } = await reports.reported();
    const author = await accounts.logIn(owner.email);

    for (const token of [reporter.token, author.token, undefined]) {
      const replies = await Promise.all([
        accounts.http.get('/api/admin/reports', { token }),
        accounts.http.put(`/api/admin/reports/${report.id}/taker`, {
          token,
          body: { taken: true },
        }),
        accounts.http.post(`/api/admin/reports/${report.id}/decide`, {
          token,
          body: { decision: 'dismiss', reason: 'Not me.' },
        }),
      ]);
      const status = token ? 403 : 401;
      expect(replies.map((reply) => reply.status)).toEqual([status, status, status]);
    }
  });

  it('show who has taken one, and how many wait', async () => {
    const { report } = await reports.reported();
    const path = `/api/admin/reports/${report.id}/taker`;

    const taken = await accounts.http.put(path, { ...admin, body: { taken: true } });
    const left = await accounts.http.put(path, { ...admin, body: { taken: false } });
    const { body } = await accounts.http.get('/api/admin/work/accounts', admin);

    expect(taken.body.report.takenBy).toMatchObject({ id: expect.any(String) });
    expect(left.body.report.takenBy).toBeNull();
    const work = body.work.find(({ kind }: { kind: string }) => kind === 'report');
    expect(work).toMatchObject({ count: expect.any(Number), since: expect.any(String) });
    expect(work.count).toBeGreaterThan(0);
  });
});
