import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  anyId,
  password,
  startAccountsService,
} from '../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const newUser = async () => {
  const person = await accounts.signUp();
  return { ...person, ...(await accounts.logIn(person.email)) };
};

const update = (user: { userId: string; token: string }, body: unknown) =>
  accounts.http.put(`/api/update-account/${user.userId}`, { token: user.token, body });

const newEmailOf = (user: { email: string }): string => `new-${user.email}`;

const mailedToken = async (userId: string): Promise<string> =>
  (await accounts.broker.expectEvent('EmailChangeRequested', (data) => data.userId === userId)).data
    .token;

const confirm = (token: string) => accounts.http.post('/api/confirm-email', { body: { token } });

describe('PUT /api/update-account/:userId', () => {
  it('saves what was sent, leaves the rest, and tells the other services', async () => {
    const user = await newUser();

    const reply = await update(user, { first_name: 'Alex', state: 'Oregon', city: 'portland' });
    const { data } = await accounts.broker.expectEvent(
      'AccountUpdated',
      ({ userId }) => userId === user.userId,
    );

    expect(reply.status).toBe(200);
    expect(reply.body.message).toBe('Your account is updated.');
    expect(reply.body.user).toMatchObject({
      first_name: 'Alex',
      last_name: user.last_name,
      state: 'Oregon',
      city: 'Portland',
    });
    expect(data).toMatchObject({
      firstName: 'Alex',
      timeZone: 'America/Los_Angeles',
      lat: 45.5234,
    });
  });

  it("raises the account's version with each change", async () => {
    const user = await newUser();

    await update(user, { first_name: 'One' });
    await update(user, { first_name: 'Two' });
    const versionOf = async (name: string) =>
      (
        await accounts.broker.expectEvent(
          'AccountUpdated',
          ({ userId, firstName }) => userId === user.userId && firstName === name,
        )
      ).version;

    expect([await versionOf('One'), await versionOf('Two')]).toEqual([2, 3]);
  });

  it('takes the documented form, whose empty password changes nothing', async () => {
    const user = await newUser();
    const form = new FormData();
    for (const name of [
      'user_name',
      'first_name',
      'last_name',
      'phone',
      'email',
      'country',
      'state',
      'city',
      'address',
    ] as const)
      form.set(name, user[name]);
    form.set('password', '');
    form.set('userId', anyId());

    const reply = await update(user, form);

    expect(reply.status).toBe(200);
    await expect(accounts.logIn(user.email)).resolves.toBeDefined();
  });

  it('never changes role, id, state or password by it', async () => {
    const user = await newUser();
    const sent = {
      role: 'Admin',
      id: anyId(),
      userId: anyId(),
      disabled: true,
      image: '/etc/passwd',
      password: 'another password',
    };

    const reply = await update(user, sent);

    expect(reply.body.user).toMatchObject({
      id: user.userId,
      role: 'User',
      disabled: false,
      image: 'null',
    });
    await expect(accounts.logIn(user.email)).resolves.toBeDefined();
  });

  it('is for oneself alone', async () => {
    const [one, other] = [await newUser(), await newUser()];
    const admin = await accounts.logInAdmin();

    const replies = [
      await update({ ...one, token: other.token }, { first_name: 'Evil' }),
      await update({ ...one, token: admin.token }, { first_name: 'Evil' }),
      await update({ ...one, token: '' }, { first_name: 'Evil' }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 401]);
  });

  it('when the city is not in the state, keeps nothing', async () => {
    const user = await newUser();

    const reply = await update(user, { first_name: 'Alex', state: 'Hawaii' });
    const { body } = await accounts.http.get(`/api/get-user-by-email/${user.email}`, user);

    expect(reply).toMatchObject({ status: 400, body: { code: 'PLACE_UNKNOWN' } });
    expect(body.user.first_name).toBe(user.first_name);
  });
});

describe('a new email', () => {
  it("is the account's once the mailed link is followed", async () => {
    const user = await newUser();
    const email = newEmailOf(user);

    const asked = await update(user, { email, password });
    const { data } = await accounts.broker.expectEvent(
      'EmailChangeRequested',
      ({ userId }) => userId === user.userId,
    );
    const before = await accounts.logIn(user.email);
    const confirmed = await confirm(data.token);
    const after = await accounts.logIn(email);

    expect(asked.body.message).toContain(`To use ${email}, follow the link`);
    expect(asked.body.user.email).toBe(user.email);
    expect(data).toMatchObject({ oldEmail: user.email, newEmail: email });
    expect(confirmed.status).toBe(200);
    expect(after.userId).toBe(before.userId);
    await expect(accounts.logIn(user.email)).rejects.toThrow('401');
    await accounts.broker.expectEvent('AccountUpdated', (updated) => updated.email === email);
  });

  it.each([[{}], [{ password: '' }], [{ password: 'not the password' }]])(
    'with %j for the current password, changes nothing at all',
    async (typed) => {
      const user = await newUser();

      const reply = await update(user, { first_name: 'Evil', email: newEmailOf(user), ...typed });
      const { body } = await accounts.http.get(`/api/get-user-by-email/${user.email}`, user);

      expect(reply).toMatchObject({
        status: 403,
        body: { code: 'PASSWORD_WRONG', errors: [{ path: 'password' }] },
      });
      expect(body.user.first_name).toBe(user.first_name);
    },
  );

  it('confirms once, even by two clicks at once', async () => {
    const user = await newUser();
    await update(user, { email: newEmailOf(user), password });
    const token = await mailedToken(user.userId);

    const replies = await Promise.all([confirm(token), confirm(token), confirm('unknown')]);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it('when somebody signed up with it meanwhile, stays theirs', async () => {
    const user = await newUser();
    await update(user, { email: newEmailOf(user), password });
    const token = await mailedToken(user.userId);
    const other = await accounts.signUp({ email: newEmailOf(user) });

    const reply = await confirm(token);

    expect(reply).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
    expect((await accounts.logIn(other.email)).userId).toBe(other.id);
  });

  it('that is taken is refused', async () => {
    const [user, other] = [await newUser(), await newUser()];

    const reply = await update(user, { email: other.email, password });

    expect(reply).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
  });

  it('waits in vain once the password was reset', async () => {
    const user = await newUser();
    await update(user, { email: newEmailOf(user), password });
    const token = await mailedToken(user.userId);

    await accounts.http.post('/api/reset-password', {
      token: user.token,
      body: { currentPassword: password, newPassword: 'another password' },
    });

    expect((await confirm(token)).status).toBe(400);
  });
});

describe('GET /api/get-user-by-email/:email', () => {
  it('answers oneself, and an admin; a stranger learns not even whether it exists', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const admin = await accounts.logInAdmin();
    const get = (email: string, token?: string) =>
      accounts.http.get(`/api/get-user-by-email/${encodeURIComponent(email)}`, { token });

    const own = await get(user.email.toUpperCase(), user.token);
    const byAdmin = await get(user.email, admin.token);
    const [known, unknown] = [
      await get(other.email, user.token),
      await get('no@example.com', user.token),
    ];

    expect(own.body).toEqual(byAdmin.body);
    expect(own.body.user.email).toBe(user.email);
    expect(JSON.stringify(own.body)).not.toMatch(/password|hash|token/i);
    expect({ ...known.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
    expect([known.status, unknown.status]).toEqual([403, 403]);
    expect((await get('no@example.com', admin.token)).status).toBe(404);
    expect((await get(user.email)).status).toBe(401);
  });
});
