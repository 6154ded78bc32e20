import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  randomAddress,
  startAccountsService,
} from '../../../test/accounts-service.ts';
import { addTool, reportOf, reportsOf } from '../../../test/reports.ts';

let accounts: AccountsService;
let reports: ReturnType<typeof reportsOf>;
beforeAll(async () => {
  accounts = await startAccountsService();
  reports = reportsOf(accounts, await accounts.logInAdmin());
});
afterAll(() => accounts.stop());

describe('POST /api/reports', () => {
  it('takes a report with a copy of the tool, and confirms it with a number', async () => {
    const { owner, reporter, toolId, number, report } = await reports.reported();

    const { data } = await accounts.broker.expectEvent(
      'ReportReceived',
      (received) => received.number === number,
    );

    expect(number).toMatch(/^R-\d+$/);
    expect(data).toMatchObject({ email: reporter.email, firstName: 'Rita', reason: 'scam' });
    expect(report).toMatchObject({
      contentId: toolId,
      title: 'Cordless drill',
      content: 'Strong.',
      author: { id: owner.id },
      reporter: { first_name: 'Rita' },
      reporterEmail: reporter.email,
      takenBy: null,
      decisions: [],
      appeals: [],
    });
  });

  it('takes a report without an account, with the email that the answer is sent to', async () => {
    const { id } = await accounts.signUp();
    const reply = await reports.send(
      reportOf(addTool(accounts, id), { email: 'Anna@Example.com' }),
    );

    expect(reply.status).toBe(201);
    expect(await reports.find(reply.body.number)).toMatchObject({
      reporter: null,
      reporterEmail: 'anna@example.com',
    });
  });

  it('keeps the first of two reports of a user about the same tool', async () => {
    const { reporter, toolId, number } = await reports.reported();

    const again = await reports.send(reportOf(toolId, { text: 'Still there.' }), reporter.token);

    expect(again.body.number).toBe(number);
  });

  it('returns a new number to a visitor who enters a reporter’s email', async () => {
    const { reporter, toolId, number } = await reports.reported();

    const probe = await reports.send(reportOf(toolId, { email: reporter.email }));

    expect(probe).toMatchObject({ status: 201 });
    expect(probe.body.number).not.toBe(number);
  });

  it.each([
    ['no email', {}, 'email'],
    ['an unknown reason', { email: 'a@example.com', reason: 'boring' }, 'reason'],
    ['no text', { email: 'a@example.com', text: ' ' }, 'text'],
  ])('rejects a report of a stranger with %s', async (_, changes, path) => {
    const reply = await reports.send(reportOf(randomUUID(), changes));

    expect(reply).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it('rejects a report of one’s own tool, and of a tool that visitors cannot see', async () => {
    const owner = await reports.newUser();

    const own = await reports.send(reportOf(addTool(accounts, owner.id)), owner.token);
    const unknown = await reports.send(reportOf(randomUUID()), owner.token);

    expect([own.body.code, unknown.body.code]).toEqual(['REPORT_IS_YOURS', 'TOOL_NOT_FOUND']);
  });

  it('rejects a report by a page of another site', async () => {
    const reply = await accounts.http.post('/api/reports', {
      body: reportOf(randomUUID(), { email: 'a@example.com' }),
      headers: { 'sec-fetch-site': 'cross-site' },
    });

    expect(reply.body.code).toBe('CROSS_SITE');
  });
});

describe('the limits on reports', () => {
  let limited: AccountsService;
  beforeAll(async () => {
    limited = await startAccountsService({ RATE_LIMIT_FACTOR: '1' });
  });
  afterAll(() => limited.stop());

  const flood = async (addressOf: (n: number) => string, emailOf: (n: number) => string) => {
    const owner = await limited.signUp();
    const toolId = randomUUID();
    limited.catalog.owners.set(toolId, owner.id);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) {
      const { status } = await limited.http.post('/api/reports', {
        body: reportOf(toolId, { email: emailOf(n) }),
        headers: { 'x-forwarded-for': addressOf(n) },
      });
      statuses.push(status);
    }
    return statuses;
  };

  it('takes five reports an hour from a network, and five with an email', async () => {
    const address = randomAddress();

    const ofNetwork = await flood(
      () => address,
      (n) => `flood-${n}@example.com`,
    );
    const withEmail = await flood(randomAddress, () => 'victim@example.com');

    expect([ofNetwork, withEmail]).toEqual(
      Array.from({ length: 2 }, () => [201, 201, 201, 201, 201, 429]),
    );
  });

  it('accepts a report, but confirms it to no address that got its emails of the hour', async () => {
    const victim = await limited.signUp();
    const { token } = await limited.logIn(victim.email);
    for (let n = 0; n < 5; n++)
      await limited.http.post(`/api/user/${victim.id}/send-verification`, {
        token,
        headers: { 'x-forwarded-for': randomAddress() },
      });
    const toolId = randomUUID();
    limited.catalog.owners.set(toolId, victim.id);
    const sendFrom = (email: string) =>
      limited.http.post('/api/reports', {
        body: reportOf(toolId, { email }),
        headers: { 'x-forwarded-for': randomAddress() },
      });

    const [unconfirmed, confirmed] = [
      await sendFrom(victim.email),
      await sendFrom('unmailed@example.com'),
    ];

    expect([unconfirmed.status, confirmed.status]).toEqual([201, 201]);
    const isConfirmed = ({ body }: typeof confirmed) =>
      limited.broker.expectEvent('ReportReceived', ({ number }) => number === body.number);
    await isConfirmed(confirmed);
    const numbers = limited.broker.received
      .filter(({ type }) => type === 'ReportReceived')
      .map(({ data }) => (data as { number: string }).number);
    expect(numbers).not.toContain(unconfirmed.body.number);
  });
});
