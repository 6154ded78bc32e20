import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inTransaction } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import {
  type AccountsService,
  randomAddress,
  startAccountsService,
} from '../../test/accounts-service.ts';

let accounts: AccountsService;
let admin: { token: string };
beforeAll(async () => {
  accounts = await startAccountsService();
  admin = await accounts.logInAdmin();
});
afterAll(() => accounts.stop());

const newUser = async (typed: Record<string, string> = {}) => {
  const user = await accounts.signUp(typed);
  return { ...user, ...(await accounts.logIn(user.email)) };
};

const addTool = (ownerId: string): string => {
  const id = randomUUID();
  accounts.catalog.owners.set(id, ownerId);
  return id;
};

const reportOf = (id: string, changes: Record<string, unknown> = {}) => ({
  about: 'tool',
  id,
  reason: 'scam',
  text: 'He wants to be paid in gift cards.',
  ...changes,
});

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
  const toolId = addTool(owner.id);
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

describe('POST /api/reports', () => {
  it('takes a report with a copy of the tool, and confirms it with a number', async () => {
    const { owner, reporter, toolId, number, report } = await reported();

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
    const reply = await send(reportOf(addTool(id), { email: 'Anna@Example.com' }));

    expect(reply.status).toBe(201);
    expect(await find(reply.body.number)).toMatchObject({
      reporter: null,
      reporterEmail: 'anna@example.com',
    });
  });

  it('keeps the first of two reports of a user about the same tool', async () => {
    const { reporter, toolId, number } = await reported();

    const again = await send(reportOf(toolId, { text: 'Still there.' }), reporter.token);

    expect(again.body.number).toBe(number);
  });

  it('returns a new number to a visitor who enters a reporter’s email', async () => {
    const { reporter, toolId, number } = await reported();

    const probe = await send(reportOf(toolId, { email: reporter.email }));

    expect(probe).toMatchObject({ status: 201 });
    expect(probe.body.number).not.toBe(number);
  });

  it.each([
    ['no email', {}, 'email'],
    ['an unknown reason', { email: 'a@example.com', reason: 'boring' }, 'reason'],
    ['no text', { email: 'a@example.com', text: ' ' }, 'text'],
  ])('rejects a report of a stranger with %s', async (_, changes, path) => {
    const reply = await send(reportOf(randomUUID(), changes));

    expect(reply).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it('rejects a report of one’s own tool, and of a tool that visitors cannot see', async () => {
    const owner = await newUser();

    const own = await send(reportOf(addTool(owner.id)), owner.token);
    const unknown = await send(reportOf(randomUUID()), owner.token);

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

describe('POST /api/admin/reports/:id/decide', () => {
  it('hides a tool with a reason, and answers both sides', async () => {
    const { owner, reporter, toolId, number, report } = await reported();

    const { body } = await decide(report.id, 'hide', { reason: 'Gift cards are a scam.' });

    const { data } = await moderation(toolId, true);
    const [toReporter, toAuthor] = await Promise.all([
      answerTo('reporter', number),
      answerTo('author', number),
    ]);
    expect(body.report).toMatchObject({
      waitingSince: null,
      decisions: [{ decision: 'hide', reason: 'Gift cards are a scam.' }],
    });
    expect(data.hiddenReason).toBe('Gift cards are a scam.');
    expect(toReporter.data).toMatchObject({ email: reporter.email, decision: 'hide' });
    expect(toAuthor.data).toMatchObject({ email: owner.email, reason: 'Gift cards are a scam.' });
    expect([await find(number), (await find(number, 'decided'))?.number]).toEqual([
      undefined,
      number,
    ]);
  });

  it('publishes nothing about the reporter to the author or to other services', async () => {
    const { reporter, toolId, number, report } = await reported();

    await decide(report.id, 'hide');
    await moderation(toolId, true);
    const toAuthor = await answerTo('author', number);

    const others = accounts.broker.received.filter(
      (event) => event.type === 'ContentModerated' || event.id === toAuthor.id,
    );
    for (const secret of [reporter.id, reporter.email, 'Rita', 'Reporter', report.text])
      expect(JSON.stringify(others)).not.toContain(secret);
  });

  it('shows the tool again when the decision is replaced, and notifies the author', async () => {
    const { toolId, number, report } = await reported();
    await decide(report.id, 'hide');
    const hidden = await moderation(toolId, true);

    await decide(report.id, 'dismiss', { reason: 'We were wrong.' });

    const shown = await moderation(toolId, false);
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
    const { toolId, report } = await reported();
    const other = await newUser();
    const { body } = await send(reportOf(toolId), other.token);
    const second = await find(body.number);
    await decide(report.id, 'hide', { reason: 'The first.' });
    await decide(second.id, 'hide', { reason: 'The second.' });

    await decide(report.id, 'dismiss');

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
    const { toolId, report } = await reported();
    const other = await newUser();
    const { body } = await send(reportOf(toolId), other.token);
    const second = await find(body.number);
    await decide(report.id, 'hide', { reason: 'The first.' });

    await decide(report.id, 'disable');
    await decide(second.id, 'hide', { reason: 'The second.' });
    await decide(second.id, 'warn');
    await decide(report.id, 'dismiss');

    await moderation(toolId, false);
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
    const { number, report } = await reported();
    const next = await reported();

    await decide(report.id, 'dismiss');
    await decide(next.report.id, 'warn');
    await answerTo('author', next.number);

    const answers = accounts.broker.received.filter(
      ({ type, data }) =>
        type === 'ReportAnswered' && (data as { number: string }).number === number,
    );
    expect(answers.map(({ data }) => (data as { to: string }).to)).toEqual(['reporter']);
  });

  it('disables the author’s account', async () => {
    const { owner, report } = await reported();

    await decide(report.id, 'disable');

    const { body } = await accounts.http.get(`/api/users/${owner.id}`, admin);
    expect(body.user.disabled).toBe(true);
  });

  it('needs a fresh login to disable an account, not for other decisions', async () => {
    const { owner, report } = await reported();
    const boss = await accounts.logInAdmin();
    await accounts.pool.query(
      `UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`,
      [boss.userId],
    );
    const { token } = (await accounts.refresh(boss.cookie)).body;

    const disabled = await decide(report.id, 'disable', { token });
    const hidden = await decide(report.id, 'hide', { token });

    expect([disabled.body.code, hidden.status]).toEqual(['REAUTHENTICATION_REQUIRED', 200]);
    const { body } = await accounts.http.get(`/api/users/${owner.id}`, admin);
    expect(body.user.disabled).toBe(false);
  });

  it('rejects a decision about a version that another admin has decided', async () => {
    const { report } = await reported();
    await decide(report.id, 'warn');

    const late = await decide(report.id, 'hide', {
      headers: { 'if-match': `"${report.revision}"` },
    });

    expect(late).toMatchObject({ status: 412, body: { code: 'EDITED_ELSEWHERE' } });
  });

  it('counts the other reports about the author', async () => {
    const { owner, report } = await reported();
    await decide(report.id, 'warn');
    const other = await newUser();

    const { body } = await send(reportOf(addTool(owner.id)), other.token);

    expect((await find(body.number)).others).toEqual({ reports: 1, decisionsAgainst: 1 });
    const history = await accounts.http.get(`/api/admin/reports?authorId=${owner.id}`, admin);
    expect(history.body.reports).toHaveLength(2);
  });
});

describe('the reports', () => {
  it('are neither listed, taken nor decided by the author, the reporter or a visitor', async () => {
    const { reporter, report, owner } = await reported();
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
    const { report } = await reported();
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
    const reporter = await newUser();

    const { body } = await send(reportOf(id, { about }), reporter.token);

    const report = await find(body.number);
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

    const reply = await send(reportOf(id, { about, email: 'anna@example.com' }));

    expect(reply.status).toBe(401);
  });

  it.each([
    ['person', 'USER_NOT_FOUND'],
    ['review', 'REVIEW_NOT_FOUND'],
    ['message', 'MESSAGE_NOT_FOUND'],
  ])('is rejected if the reporter cannot see the %s', async (about, code) => {
    const reporter = await newUser();

    const reply = await send(reportOf(randomUUID(), { about }), reporter.token);

    expect(reply).toMatchObject({ status: 404, body: { code } });
  });

  const erasePerson = (db: Pick<typeof accounts.pool, 'query'>, id: string) =>
    db.query(`UPDATE users SET first_name = 'Deleted', deleted_at = now() WHERE id = $1`, [id]);

  it('is rejected if the person is deleted, also while the report is sent', async () => {
    const reporter = await newUser();
    const { id } = await contentOf('person');

    const crossing = await inTransaction(accounts.pool, async (tx) => {
      await tx.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [id]);
      await erasePerson(tx, id);
      const reply = send(reportOf(id, { about: 'person' }), reporter.token);
      await waitFor('the report to wait for the deletion', async () => {
        const { rowCount } = await tx.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rowCount;
      });
      return { reply };
    });

    const later = await send(reportOf(id, { about: 'person' }), reporter.token);
    const { body, status } = await crossing.reply;
    expect([status, body.code, later.status]).toEqual([404, 'USER_NOT_FOUND', 404]);
  });

  it('contains no copy of what a deleted person published', async () => {
    const { author, id } = await contentOf('message');
    await erasePerson(accounts.pool, author.id);
    const reporter = await newUser();

    const { body } = await send(reportOf(id, { about: 'message' }), reporter.token);

    expect(await find(body.number)).toMatchObject({ title: '', content: '', images: [] });
  });

  it('can warn a person, but not hide them', async () => {
    const { id } = await contentOf('person');
    const reporter = await newUser();
    const { body } = await send(reportOf(id, { about: 'person' }), reporter.token);
    const report = await find(body.number);

    const hidden = await decide(report.id, 'hide');
    const warned = await decide(report.id, 'warn');

    expect([hidden.status, warned.status]).toEqual([400, 200]);
    expect(hidden.body.errors).toMatchObject([{ path: 'decision' }]);
  });
});

describe('POST /api/reports/appeal', () => {
  const appeal = (token: string | undefined, text = 'It was a joke.') =>
    accounts.http.post('/api/reports/appeal', { body: { token, text } });

  const decided = async (decision = 'hide') => {
    const made = await reported();
    await decide(made.report.id, decision);
    const [toAuthor, toReporter] = await Promise.all([
      answerTo('author', made.number),
      answerTo('reporter', made.number),
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
    const report = await find(number);
    expect(report.waitingSince).not.toBeNull();
    expect(report.appeals).toMatchObject([
      { side: 'reporter', text: 'Too mild.' },
      { side: 'author', text: 'It was a joke.' },
    ]);
  });

  it('is answered by the next decision, which the side that appealed cannot appeal again', async () => {
    const { number, report, author } = await decided();
    await appeal(author);
    const stale = await decide(report.id, 'hide', { headers: { 'if-match': '"2"' } });

    await decide(report.id, 'dismiss');

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
    expect(await find(number)).toBeUndefined();
  });

  it('accepts an author whose account is disabled', async () => {
    const { author } = await decided('disable');

    expect((await appeal(author)).status).toBe(200);
  });

  it('rejects the token of a replaced decision, an old one and a guessed one', async () => {
    const [replaced, old] = [await decided(), await decided()];
    await decide(replaced.report.id, 'warn');
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
