import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  adminLogin,
  cookieOf,
  password,
  randomAddress,
  type Session,
  startAccountsService,
} from '../../../test/accounts-service.ts';
import { codeOf, withSecondFactor } from '../../../test/second-factor.ts';

const dayMs = 86_400_000;

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const newUser = async () => {
  const person = await accounts.signUp();
  return { ...person, ...(await accounts.logIn(person.email)) };
};

const requestDeletion = ({ userId, token }: Pick<Session, 'userId' | 'token'>) =>
  accounts.http.post(`/api/user/${userId}/deletion`, { token });

const logIn = (email: string, more: object = {}) =>
  accounts.http.post('/api/login', {
    body: { email, password, ...more },
    headers: { 'x-forwarded-for': randomAddress() },
  });

const events = (userId: string, type: string) =>
  accounts.broker.received.filter((event) => event.type === type && event.aggregateId === userId);

const scheduled = async (userId: string): Promise<Date | undefined> => {
  const { rows } = await accounts.pool.query(
    `SELECT run_at FROM graphile_worker.jobs WHERE key = 'delete-account:' || $1`,
    [userId],
  );
  return rows[0]?.run_at;
};

describe('POST /api/user/:userId/deletion', () => {
  it('closes the account at once, and schedules its deletion in 14 days', async () => {
    const user = await newUser();

    const reply = await requestDeletion(user);

    const dueAt = new Date(reply.body.deletionDueAt);
    expect(reply.status).toBe(200);
    expect(Math.abs(dueAt.getTime() - Date.now() - 14 * dayMs)).toBeLessThan(dayMs);
    expect(await scheduled(user.userId)).toEqual(dueAt);
    expect(cookieOf(reply.headers)).toBe('');
    expect((await requestDeletion(user)).status).toBe(401);
    expect((await accounts.refresh(user.cookie)).status).toBe(401);
    await accounts.broker.expectEvent(
      'AccountDisabled',
      ({ userId, disabled }) => userId === user.userId && disabled,
    );
    await accounts.broker.expectEvent(
      'AccountDeletionChanged',
      ({ userId, deletionDueAt }) =>
        userId === user.userId && deletionDueAt === reply.body.deletionDueAt,
    );
  });

  it('is rejected with every reason while bookings, payments or problems are open', async () => {
    const user = await newUser();
    accounts.openMatters.set(user.userId, { rentals: 1, refunds: 2, problems: 1 });

    const reply = await requestDeletion(user);

    expect(reply).toMatchObject({ status: 409, body: { code: 'ACCOUNT_HAS_OPEN_MATTERS' } });
    expect(reply.body.errors).toEqual([
      { path: 'rentals', msg: '1 rental of yours is not completed.' },
      { path: 'problems', msg: '1 reported problem is not settled.' },
      { path: 'refunds', msg: '2 refunds to you are on the way.' },
    ]);
    expect((await logIn(user.email)).status).toBe(200);
  });

  it('replies 503 while bookings or payments is unavailable', async () => {
    const user = await newUser();
    accounts.servicesOutage.isOn = true;

    const reply = await requestDeletion(user).finally(() => {
      accounts.servicesOutage.isOn = false;
    });

    expect(reply.status).toBe(503);
    expect(await scheduled(user.userId)).toBeUndefined();
  });

  it('rejects a stolen access token of a login that is not fresh', async () => {
    const user = await newUser();
    await accounts.pool.query(
      `UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`,
      [user.userId],
    );
    const stolen = (await accounts.refresh(user.cookie)).body.token;

    const reply = await requestDeletion({ ...user, token: stolen });

    expect(reply).toMatchObject({ status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } });
    expect(await scheduled(user.userId)).toBeUndefined();
  });

  it('rejects another user and an admin with 403', async () => {
    const user = await newUser();
    const { token } = await newUser();
    const admin = await accounts.logInAdmin();

    const replies = [
      await requestDeletion({ userId: user.userId, token }),
      await requestDeletion({ userId: user.userId, token: admin.token }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([403, 403]);
  });

  it('rejects the last admin', async () => {
    const reply = await requestDeletion(await accounts.logInAdmin());

    expect(reply).toMatchObject({ status: 409, body: { code: 'USER_LAST_ADMIN' } });
    expect((await accounts.logIn(adminLogin.email, adminLogin.password)).token).toBeTruthy();
  });
});

describe('a login to a closed account', () => {
  it('names the date of the deletion, and keeps the account if the user chooses to', async () => {
    const user = await newUser();
    const { deletionDueAt } = (await requestDeletion(user)).body;

    const rejected = await logIn(user.email);
    const kept = await logIn(user.email, { keepAccount: true });

    expect(rejected).toMatchObject({
      status: 403,
      body: { code: 'ACCOUNT_CLOSED', deletionDueAt },
    });
    expect(kept.status).toBe(200);
    expect(kept.body.user).not.toHaveProperty('deletionDueAt');
    expect(await scheduled(user.userId)).toBeUndefined();
    expect((await logIn(user.email)).status).toBe(200);
    await accounts.broker.expectEvent(
      'AccountDisabled',
      ({ userId, disabled }) => userId === user.userId && !disabled,
    );
    await accounts.broker.expectEvent(
      'AccountDeletionChanged',
      (data) => data.userId === user.userId && data.deletionDueAt === null,
    );
  });

  it('does not reveal the deletion to a wrong password', async () => {
    const user = await newUser();
    await requestDeletion(user);

    const reply = await logIn(user.email, { password: 'wrong', keepAccount: true });

    expect(reply).toMatchObject({ status: 401, body: { code: 'LOGIN_FAILED' } });
    expect(await scheduled(user.userId)).toBeDefined();
  });

  it('keeps the account only with the second factor', async () => {
    const user = await withSecondFactor(accounts);
    await requestDeletion(user);

    const byPassword = await logIn(user.email, { keepAccount: true });
    const { challenge } = byPassword.body;
    const code = codeOf(user.secret);
    const unsure = await user.finishLogin(challenge, code);
    const kept = await accounts.http.post('/api/login/second-factor', {
      body: { challenge, code, keepAccount: true },
    });

    expect(byPassword.body.code).toBe('SECOND_FACTOR_REQUIRED');
    expect(unsure.body.code).toBe('ACCOUNT_CLOSED');
    expect(kept.status).toBe(200);
  });

  it('works with a new password too', async () => {
    const user = await newUser();
    await requestDeletion(user);
    const newPassword = 'a new one for the old house';

    await accounts.http.post('/api/request-password-token', { body: { email: user.email } });
    const { data } = await accounts.broker.expectEvent(
      'PasswordResetRequested',
      ({ userId }) => userId === user.userId,
    );
    await accounts.http.post('/api/reset-password', { body: { token: data.token, newPassword } });
    const kept = await logIn(user.email, { password: newPassword, keepAccount: true });

    expect(kept.status).toBe(200);
  });
});

describe('a closed account', () => {
  it('is kept by the link that undoes a change of the email: a thief may have closed it', async () => {
    const user = await newUser();
    await accounts.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [
      user.userId,
    ]);
    await (await accounts.requestNewEmail(user.email))();
    const { data } = await accounts.broker.expectEvent(
      'EmailChanged',
      ({ userId }) => userId === user.userId,
    );
    const thief = await accounts.logIn(`new-${user.email}`);
    expect((await requestDeletion(thief)).status).toBe(200);

    const undone = await accounts.http.post('/api/undo-email-change', {
      body: { token: data.token },
    });

    expect(undone.status).toBe(200);
    expect(await scheduled(user.userId)).toBeUndefined();
    await accounts.broker.expectEvent(
      'AccountDisabled',
      ({ userId, disabled }) => userId === user.userId && !disabled,
    );
  });

  it('shows admins when it is deleted, and is not deleted once an admin disables it', async () => {
    const user = await newUser();
    const { deletionDueAt } = (await requestDeletion(user)).body;
    const { token } = await accounts.logInAdmin();
    const set = (body: object) => accounts.http.put(`/api/users/${user.userId}`, { token, body });

    const enabled = await set({ disabled: false });
    const disabled = await set({ disabled: true });

    expect(enabled.body.user).toMatchObject({ disabled: false, deletionDueAt });
    expect(disabled.body.user.disabled).toBe(true);
    expect(disabled.body.user).not.toHaveProperty('deletionDueAt');
    expect((await logIn(user.email, { keepAccount: true })).body.code).toBe('ACCOUNT_DISABLED');
    expect(events(user.userId, 'AccountDeleted')).toEqual([]);
    await accounts.broker.expectEvent(
      'AccountDeletionChanged',
      (data) => data.userId === user.userId && data.deletionDueAt === null && data.disabled,
    );
  });

  it('is kept when a replica of version 1.0.0, which has no deletions, enables it', async () => {
    const user = await newUser();
    await requestDeletion(user);

    for (const disabledAt of [null, new Date()])
      await accounts.pool.query('UPDATE users SET disabled_at = $2 WHERE id = $1', [
        user.userId,
        disabledAt,
      ]);

    expect((await logIn(user.email)).body.code).toBe('ACCOUNT_DISABLED');
  });
});
