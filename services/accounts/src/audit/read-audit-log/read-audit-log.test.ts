import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import {
  type AccountsService,
  anyId,
  password,
  sameSite,
  startAccountsService,
} from '../../../test/accounts-service.ts';
import { codeOf, withSecondFactor } from '../../../test/second-factor.ts';
import { makeAdmin } from '../../admins/make-first-admin/make-first-admin.ts';
import { createPasswordHasher } from '../../credentials/password-hasher.ts';
import { insertEntry } from '../../store/audit-repository.ts';
import { auditCsv } from './read-audit-log.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

let admin: { userId: string; token: string };
beforeEach(async () => {
  admin = await accounts.logInAdmin();
});

const anEntry = {
  actorId: null,
  actorRole: null,
  action: 'getUser',
  details: {},
  requestId: null,
};

/** A UUIDv7 of a time. */
const idAt = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${anyId().slice(13)}`;
};

const read = async (query = ''): Promise<AuditEntry[]> => {
  const { status, body } = await accounts.http.get(`/api/admin/audit-log?${query}`, admin);
  if (status !== 200) throw new Error(`the audit log answered ${status}`);
  return body.entries;
};

const requestOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id');

/** The entries about an account, once there are as many; the oldest first. */
const entriesOf = (who: string, count: number) =>
  waitFor('the entries', async () => {
    const found = await read(`who=${who}`);
    return found.length >= count && found.reverse();
  });

const newAdmin = async (role: 'Support' | 'Finance' | 'Admin') => {
  const person = await accounts.signUp();
  await accounts.http.put(`/api/users/${person.id}`, { token: admin.token, body: { role } });
  return person;
};

describe('the audit log', () => {
  it('has one entry for each act of an admin: who, what, about whom, when and in which request', async () => {
    const person = await accounts.signUp();
    const start = Date.now();

    const replies = [
      await accounts.http.get(`/api/users/${person.id}`, admin),
      await accounts.http.put(`/api/users/${person.id}`, { ...admin, body: { role: 'Support' } }),
    ];

    const entries = await read(`subject=${person.id}`);
    expect(entries).toMatchObject([
      {
        action: 'setUser',
        actor: { id: admin.userId, first_name: 'Admin' },
        role: 'Admin',
        subject: person.id,
        details: { role: 'Support' },
        network: null,
        requestId: requestOf(replies[1] as never),
      },
      { action: 'getUser', details: {}, requestId: requestOf(replies[0] as never) },
    ]);
    for (const { at } of entries) expect(Date.parse(at)).toBeGreaterThanOrEqual(start - 1_000);
  });

  it('has no entry for a rejected or failed act, nor for what a member does', async () => {
    const [person, member] = [await accounts.signUp(), await accounts.signUp()];
    const { token } = await accounts.logIn(member.email);
    const { token: support } = await accounts.logIn((await newAdmin('Support')).email);
    const put = (userId: string, by: string) =>
      accounts.http.put(`/api/users/${userId}`, { token: by, body: { role: 'Finance' } });

    const replies = [
      await put(person.id, token),
      await put(person.id, support),
      await put(anyId(), admin.token),
      await accounts.http.put(`/api/admin/reports/${anyId()}/taker`, {
        ...admin,
        body: { taken: true },
      }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 404, 404]);
    const requests = replies.map(requestOf);
    expect((await read()).filter(({ requestId }) => requests.includes(requestId))).toEqual([]);
    expect(await read(`who=${member.id}`)).toEqual([]);
  });

  it('has no entry for an email that another administrator restored first', async () => {
    const person = await accounts.signUp();
    await accounts.pool.query(
      `INSERT INTO former_emails (hash, user_id, email) VALUES ($1, $2, 'former@example.org')`,
      [Buffer.from(anyId()), person.id],
    );
    const restore = () =>
      accounts.http.post(`/api/users/${person.id}/restore-email`, {
        ...admin,
        body: { email: 'former@example.org', reason: 'The owner called.' },
      });

    const replies = await Promise.all([restore(), restore()]);

    const accepted = replies.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(1);
    expect(await read(`action=restoreEmail&subject=${person.id}`)).toMatchObject([
      { requestId: requestOf(accepted[0] as never) },
    ]);
  });

  it('names an account read by its email by its id', async () => {
    const person = await accounts.signUp();

    await accounts.http.get(`/api/get-user-by-email/${person.email}`, admin);

    expect(await read('action=getUserByEmail')).toMatchObject([{ subject: person.id }]);
    expect(JSON.stringify(await read())).not.toContain(person.email);
  });

  it('has logins and rejected logins of admins, with a hash of their network', async () => {
    const person = await newAdmin('Finance');
    const typed = async (body: object, from: string) =>
      accounts.http.post('/api/login', { body, headers: { 'x-forwarded-for': from, ...sameSite } });

    await typed({ email: person.email, password: 'a guess' }, '198.51.100.7');
    const login = await typed({ email: person.email, password }, '198.51.100.9');
    const path = `/api/user/${person.id}/reauthenticate`;
    const { token } = login.body;
    await accounts.http.post(path, { token, body: { password: 'a guess' }, headers: sameSite });
    await accounts.http.post(path, { token, body: { password }, headers: sameSite });

    const entries = await entriesOf(person.id, 4);
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['rejectedLogin', { code: 'LOGIN_FAILED' }],
      ['logIn', {}],
      ['rejectedLogin', { code: 'PASSWORD_WRONG' }],
      ['confirmLogin', {}],
    ]);
    const networks = entries.map(({ network }) => network);
    expect(networks[0]).toMatch(/^[\w-]{16}$/);
    expect(networks[1]).toBe(networks[0]);
    expect(JSON.stringify(entries)).not.toContain('198.51');
  });

  it("records an admin's right password without a code, and a wrong code", async () => {
    const person = await withSecondFactor(accounts);
    await accounts.http.put(`/api/users/${person.id}`, { ...admin, body: { role: 'Support' } });

    const challenge = await person.startLogin();
    await person.finishLogin(challenge, '000000');
    await person.finishLogin(challenge, codeOf(person.secret));

    const entries = await entriesOf(person.id, 3);
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['enteredPassword', {}],
      ['rejectedLogin', { code: 'SECOND_FACTOR_WRONG' }],
      ['logIn', {}],
    ]);
  });

  it('has no rejected logins of an admin beyond the limit, but the logins after them', async () => {
    const person = await newAdmin('Support');
    const guess = () =>
      accounts.http.post('/api/login', { body: { email: person.email, password: 'a guess' } });
    await guess();
    await entriesOf(person.id, 1);
    await accounts.pool.query('UPDATE quotas SET used = 1e9 WHERE user_id = $1', [person.id]);

    await guess();
    await accounts.logIn(person.email);

    const entries = await entriesOf(person.id, 2);
    expect(entries.map(({ action }) => action)).toEqual(['rejectedLogin', 'logIn']);
  });

  it('has no logins of members', async () => {
    const person = await accounts.signUp();
    await accounts.http.post('/api/login', { body: { email: person.email, password: 'a guess' } });
    await accounts.logIn(person.email);

    expect(await read(`who=${person.id}`)).toEqual([]);
  });

  it('has the command that makes an administrator', async () => {
    const person = await accounts.signUp();
    const { pool } = accounts;
    const hasher = await createPasswordHasher();

    await makeAdmin({ pool, hasher }, { email: person.email, password, promote: true });

    expect(await read(`action=makeAdmin&subject=${person.id}`)).toMatchObject([
      { actor: null, role: null, requestId: null },
    ]);
  });

  it.each([
    'UPDATE audit_entries SET actor_id = NULL',
    'DELETE FROM audit_entries',
    `DELETE FROM audit_entries WHERE at < now() - interval '10 years'`,
  ])('cannot be changed by the user of the service: %s', async (statement) => {
    const count = async () => {
      const { rows } = await accounts.pool.query(
        'SELECT count(*) AS n, max(at) FROM audit_entries',
      );
      return rows[0];
    };
    const before = await count();

    await expect(accounts.pool.query(statement)).rejects.toThrow(/append-only|permission denied/);

    expect(await count()).toEqual(before);
  });

  it('keeps the id of a deleted admin, and shows no name', async () => {
    const person = await newAdmin('Support');
    await accounts.logIn(person.email);

    await accounts.pool.query(
      `UPDATE users SET first_name = 'Deleted', last_name = 'user', role = 'User', deleted_at = now() WHERE id = $1`,
      [person.id],
    );

    expect(await read(`who=${person.id}`)).toMatchObject([
      { actor: { id: person.id, first_name: 'Deleted', last_name: 'user' }, role: 'Support' },
    ]);
  });
});

describe('GET /api/admin/audit-log', () => {
  it('lists pages, newest first', async () => {
    const person = await accounts.signUp();
    for (let i = 0; i < 3; i++) await accounts.http.get(`/api/users/${person.id}`, admin);
    const path = `/api/admin/audit-log?subject=${person.id}&limit=2`;

    const first = await accounts.http.get(path, admin);
    const second = await accounts.http.get(`${path}&cursor=${first.body.nextCursor}`, admin);

    const ids = [...first.body.entries, ...second.body.entries].map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(second.body.nextCursor).toBeNull();
  });

  it('finds entries by the admin’s name, email and id, by action, and by days', async () => {
    const person = await accounts.signUp({ first_name: `Zoe${anyId().slice(0, 6)}` });
    await accounts.http.put(`/api/users/${person.id}`, { ...admin, body: { role: 'Support' } });
    await accounts.logIn(person.email);
    const today = new Date().toISOString().slice(0, 10);
    const count = async (query: string) => (await read(query)).length;

    expect(await count(`who=${person.first_name}`)).toBe(1);
    expect(await count(`who=${encodeURIComponent(person.email)}`)).toBe(1);
    expect(await count(`who=${person.id}&action=logIn`)).toBe(1);
    expect(await count(`who=${person.id}&action=setUser`)).toBe(0);
    expect(await count(`who=${person.id}&from=${today}&to=${today}`)).toBe(1);
    expect(await count(`who=${person.id}&to=2026-01-01`)).toBe(0);
    expect(await count(`who=${person.id}&from=2999-01-01`)).toBe(0);
  });

  it.each([
    ['2020-02-01T00:00:00.000Z', 400],
    ['2020-02-02T23:59:59.999Z', -400],
  ])('finds an entry of %s whose id was made %d ms after or before', async (at, ms) => {
    const subject = anyId();
    const insert = (time: string, idMs: number) =>
      insertEntry(accounts.pool, {
        ...anEntry,
        id: idAt(Date.parse(time) + idMs),
        at: time,
        subject,
      });
    await insert(at, -ms);
    await insert('2020-01-31T23:59:59.999Z', 0);
    await insert('2020-02-03T00:00:00.000Z', 0);

    const found = await read(`subject=${subject}&from=2020-02-01&to=2020-02-02`);

    expect(found.map((entry) => entry.at)).toEqual([at]);
  });

  it.each(['action=nonsense', 'from=yesterday', 'cursor=nonsense', 'limit=0', 'subject=%00'])(
    'rejects the query %s',
    async (query) => {
      expect((await accounts.http.get(`/api/admin/audit-log?${query}`, admin)).status).toBe(400);
    },
  );
});

describe('GET /api/admin/audit-log/csv', () => {
  it('downloads the entries that the filters choose, and records the download', async () => {
    const person = await accounts.signUp();
    await accounts.http.get(`/api/users/${person.id}`, admin);

    const reply = await fetch(`${accounts.url}/api/admin/audit-log/csv?subject=${person.id}`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const lines = (await reply.text()).trim().split('\r\n');

    expect(reply.headers.get('content-type')).toContain('text/csv');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(
      `Admin LendTools,${admin.userId},Admin,Read an account,getUser,${person.id}`,
    );
    expect(await read('action=auditLogCsv&limit=1')).toMatchObject([
      { requestId: reply.headers.get('x-request-id') },
    ]);
  });

  it('ends after the newest entries, and says so', async () => {
    const person = await accounts.signUp();
    for (let i = 0; i < 3; i++) await accounts.http.get(`/api/users/${person.id}`, admin);
    const csvOf = async (most: number) => {
      const parts = Readable.from(auditCsv(accounts.pool, { subject: person.id }, most));
      return (await text(parts)).trim().split('\r\n').slice(1);
    };

    const [whole, part] = [await csvOf(3), await csvOf(2)];

    expect(whole).toHaveLength(3);
    expect(part).toEqual([
      ...whole.slice(0, 2),
      'There are older entries. This file has the newest 2: choose earlier days for the rest.',
    ]);
  });

  it('needs the role of an administrator', async () => {
    const { email } = await newAdmin('Support');
    const { token } = await accounts.logIn(email);

    const reply = await accounts.http.get('/api/admin/audit-log/csv', { token });

    expect(reply.status).toBe(403);
  });
});
