import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type AccountsService,
  anyId,
  startAccountsService,
} from '../../../test/accounts-service.ts';

let accounts: AccountsService;
let admin: { userId: string; token: string };
beforeAll(async () => {
  accounts = await startAccountsService();
  admin = await accounts.logInAdmin();
});
afterAll(() => accounts.stop());

const newUser = async (typed: Record<string, string> = {}) => {
  const person = await accounts.signUp(typed);
  return { ...person, ...(await accounts.logIn(person.email)) };
};

const set = (userId: string, body: unknown, token = admin.token) =>
  accounts.http.put(`/api/users/${userId}`, { token, body });

const statusOf = async (
  { userId, token }: { userId: string; token: string },
  http = accounts.http,
) => (await http.put(`/api/update-account/${userId}`, { token, body: {} })).status;

describe('GET /api/all-users', () => {
  it('lists users newest first in pages, with the total', async () => {
    const tag = `tag${anyId().slice(0, 8)}`;
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((await accounts.signUp({ user_name: `${tag} ${i}` })).id);
    const get = (cursor = '') =>
      accounts.http.get(
        `/api/all-users?limit=2&q=${tag.toUpperCase()}${cursor && `&cursor=${cursor}`}`,
        {
          token: admin.token,
        },
      );

    const first = await get();
    const second = await get(first.body.nextCursor);
    const third = await get(second.body.nextCursor);

    const listed = [first, second, third].flatMap(({ body }) => body.users);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(ids.reverse());
    expect([first, second, third].map(({ body }) => body.total)).toEqual([5, undefined, undefined]);
    expect(third.body.nextCursor).toBeNull();
    expect(JSON.stringify(first.body)).not.toMatch(/password|hash/i);
  });

  it('filters users by role and by whether they are disabled', async () => {
    const tag = `role${anyId().slice(0, 8)}`;
    const [plain, off, boss] = [
      await accounts.signUp({ user_name: `${tag} a` }),
      await accounts.signUp({ user_name: `${tag} b` }),
      await accounts.signUp({ user_name: `${tag} c` }),
    ];
    await set(off.id, { disabled: true });
    await set(boss.id, { role: 'Admin' });
    const found = async (query: string) => {
      const { body } = await accounts.http.get(`/api/all-users?q=${tag}&${query}`, admin);
      expect(body.total).toBe(body.users.length);
      return body.users.map(({ id }: { id: string }) => id);
    };

    expect(await found('role=Admin')).toEqual([boss.id]);
    expect(await found('role=User')).toEqual([off.id, plain.id]);
    expect(await found('disabled=true')).toEqual([off.id]);
    expect(await found('disabled=false&role=User')).toEqual([plain.id]);
  });

  it.each([
    'role=Boss',
    'disabled=maybe',
    'limit=0',
    'limit=201',
    'limit=1e9',
    'cursor=1%20OR%201=1',
    'q=%00',
    `q=${'x'.repeat(101)}`,
  ])('rejects the query %s', async (query) => {
    const reply = await accounts.http.get(`/api/all-users?${query}`, { token: admin.token });

    expect(reply.status).toBe(400);
  });

  it('rejects an invalid cursor', async () => {
    const reply = await accounts.http.get('/api/all-users?cursor=nonsense', admin);

    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'CURSOR_INVALID', errors: [{ path: 'cursor' }] },
    });
  });

  it('treats wildcards and quotes in a search as plain characters', async () => {
    for (const q of ['%', '_', "' OR true --"]) {
      const path = `/api/all-users?q=${encodeURIComponent(q)}`;
      const reply = await accounts.http.get(path, { token: admin.token });

      expect(reply.body).toMatchObject({ users: [], total: 0 });
    }
  });
});

describe('an admin route', () => {
  it.each([
    ['GET', '/api/all-users'],
    ['GET', '/api/users/:userId'],
    ['PUT', '/api/users/:userId'],
    ['GET', '/api/admin/stats/accounts'],
  ])(
    'rejects a caller who is not an admin, even for the caller’s own account: %s %s',
    async (method, path) => {
      const user = await newUser();
      const verb = method === 'GET' ? accounts.http.get : accounts.http.put;
      const ask = (token?: string) =>
        verb(path.replace(':userId', user.userId), {
          token,
          ...(method === 'PUT' && { body: { role: 'Admin' } }),
        });

      expect([(await ask(user.token)).status, (await ask()).status]).toEqual([403, 401]);
    },
  );
});

describe('GET /api/users/:userId', () => {
  it('returns a user, or 404 for an unknown id', async () => {
    const user = await newUser();

    const found = await accounts.http.get(`/api/users/${user.userId.toUpperCase()}`, admin);
    const missing = await accounts.http.get(`/api/users/${anyId()}`, admin);

    expect(found.body.user).toMatchObject({ id: user.userId, email: user.email });
    expect(missing).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
  });
});

describe('PUT /api/users/:userId', () => {
  it('disables a user and ends their access and sessions immediately on every replica', async () => {
    const user = await newUser();
    const replica = await accounts.startReplica();
    await waitFor('the replica', async () => (await statusOf(user, replica.http)) === 200);

    const reply = await set(user.userId, { disabled: true });
    const event = await accounts.broker.expectEvent(
      'AccountDisabled',
      ({ userId }) => userId === user.userId,
    );

    expect(reply.body.user).toMatchObject({ id: user.userId, disabled: true });
    expect(event.data.disabled).toBe(true);
    expect(await statusOf(user)).toBe(401);
    await waitFor(
      'the replica to refuse',
      async () => (await statusOf(user, replica.http)) === 401,
    );
    expect((await accounts.refresh(user.cookie)).status).toBe(403);
    await expect(accounts.logIn(user.email)).rejects.toThrow('403');
    await replica.stop();
  });

  it('enables a disabled user, who then has to log in again', async () => {
    const user = await newUser();
    await set(user.userId, { disabled: true });

    const reply = await set(user.userId, { disabled: false });
    await accounts.broker.expectEvent(
      'AccountDisabled',
      ({ userId, disabled }) => userId === user.userId && !disabled,
    );

    expect(reply.body.user.disabled).toBe(false);
    expect(await statusOf(user)).toBe(401);
    expect((await accounts.refresh(user.cookie)).status).toBe(401);
    expect(await statusOf(await accounts.logIn(user.email))).toBe(200);
  });

  it('changes a role, invalidates the old sessions, and lets a new admin log in again', async () => {
    const user = await newUser();

    await set(user.userId, { role: 'Admin' });
    const event = await accounts.broker.expectEvent(
      'RoleChanged',
      ({ userId }) => userId === user.userId,
    );
    const old = await accounts.http.get('/api/all-users', { token: user.token });
    const renewed = await accounts.refresh(user.cookie);
    const login = await accounts.logIn(user.email);
    const list = await accounts.http.get('/api/all-users?limit=1', { token: login.token });
    await set(user.userId, { role: 'User' });
    const after = await accounts.http.get('/api/all-users', { token: login.token });
    const demoted = await accounts.refresh(login.cookie);

    expect(event.data.role).toBe('Admin');
    expect([old.status, renewed.status, list.status, after.status]).toEqual([401, 401, 200, 401]);
    expect(demoted.status).toBe(401);
  });

  it.each([-5, 5])(
    'invalidates a token from before the change, but not one from after it, on a replica whose clock is %d minutes off',
    async (minutes) => {
      const person = await accounts.signUp();
      const realNow = Date.now;
      const logInThere = async () => {
        const clock = jest
          .spyOn(Date, 'now')
          .mockImplementation(() => realNow() + minutes * 60_000);
        return accounts.logIn(person.email).finally(() => clock.mockRestore());
      };
      const before = await logInThere();

      await set(person.id, { role: 'Admin' });
      const after = await logInThere();

      expect([await statusOf(before), await statusOf(after)]).toEqual([401, 200]);
    },
  );

  it.each([{ disabled: true }, { role: 'Admin' }])(
    'invalidates the links emailed to a user when it sets %j',
    async (change) => {
      const user = await newUser();
      const confirm = await accounts.requestNewEmail(user.email);

      await set(user.userId, change);

      expect((await confirm()).status).toBe(400);
    },
  );

  it("changes only a user's `role` and `disabled`, and nothing if both stay the same", async () => {
    const user = await newUser();

    const reply = await set(user.userId, {
      role: 'User',
      email: 'evil@example.com',
      password: 'x',
    });

    expect(reply.body.user).toMatchObject({ email: user.email, role: 'User' });
    expect(await statusOf(user)).toBe(200);
  });

  it.each(['Support', 'Finance'] as const)(
    'makes a user a %s admin, who reads users but changes no roles',
    async (role) => {
      const user = await newUser();

      const reply = await set(user.userId, { role });
      const event = await accounts.broker.expectEvent(
        'RoleChanged',
        ({ userId }) => userId === user.userId,
      );
      const { token } = await accounts.logIn(user.email);

      expect(reply.body.user.role).toBe(role);
      // Replicas of 1.0 take them for a member.
      expect(event.data).toMatchObject({ role: 'User', adminRole: role });
      expect(await statusOf(user)).toBe(401);
      const list = await accounts.http.get('/api/all-users?limit=1', { token });
      const promotion = await set(user.userId, { role: 'Admin' }, token);
      const log = await accounts.http.get('/api/admin/audit-log', { token });
      expect([list.status, promotion.status, log.status]).toEqual([200, 403, 403]);
    },
  );

  it('ends all sessions of an admin who becomes a member', async () => {
    const user = await newUser();
    await set(user.userId, { role: 'Support' });
    await accounts.logIn(user.email);
    const sessions = async () => {
      const { rows } = await accounts.pool.query(
        'SELECT 1 FROM sessions WHERE user_id = $1 AND ended_at IS NULL',
        [user.userId],
      );
      return rows.length;
    };
    const before = await sessions();

    await set(user.userId, { role: 'User' });

    expect([before, await sessions()]).toEqual([1, 0]);
  });

  it('lets a support admin disable members, but no admin', async () => {
    const [support, member, finance] = [await newUser(), await newUser(), await newUser()];
    await set(support.userId, { role: 'Support' });
    await set(finance.userId, { role: 'Finance' });
    const { token } = await accounts.logIn(support.email);

    const replies = [
      await set(member.userId, { disabled: true }, token),
      await set(finance.userId, { disabled: true }, token),
      await set(admin.userId, { disabled: true }, token),
      await set(member.userId, { role: 'Support' }, token),
    ];

    expect(replies.map(({ status }) => status)).toEqual([200, 403, 403, 403]);
    expect(replies[1]?.body.message).toBe(
      'Only an administrator changes roles, and accounts of admins.',
    );
  });

  it('applies the role that a replica of 1.0 sets', async () => {
    const user = await newUser();
    await set(user.userId, { role: 'Support' });

    await accounts.pool.query(
      `UPDATE users SET role = 'User', version = version + 1 WHERE id = $1`,
      [user.userId],
    );
    const { token } = await accounts.logIn(user.email);

    expect((await accounts.http.get('/api/all-users', { token })).status).toBe(403);
  });

  it('rejects a change that would leave no admin, also under concurrent requests', async () => {
    const own = await startAccountsService();
    try {
      const first = await own.logInAdmin();
      const put = (userId: string, body: unknown, token: string) =>
        own.http.put(`/api/users/${userId}`, { token, body });
      const alone = [
        await put(first.userId, { role: 'User' }, first.token),
        await put(first.userId, { disabled: true }, first.token),
        await put(first.userId, { role: 'Support' }, first.token),
      ];
      const person = await own.signUp();
      await put(person.id, { role: 'Admin' }, first.token);
      const second = await own.logIn(person.email);

      const both = await Promise.all([
        put(first.userId, { role: 'User' }, second.token),
        put(second.userId, { role: 'User' }, first.token),
      ]);

      expect(alone.map(({ status, body }) => [status, body.code])).toEqual(
        Array(3).fill([409, 'USER_LAST_ADMIN']),
      );
      const { rows } = await own.pool.query(`SELECT 1 FROM users WHERE role = 'Admin'`);
      expect(rows).toHaveLength(1);
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    } finally {
      await own.stop();
    }
  });
});
