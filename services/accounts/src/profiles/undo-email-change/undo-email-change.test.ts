import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashToken } from '@lendtools/service-kit';
import {
  type AccountsService,
  anyId,
  newPerson,
  password,
  startAccountsService,
} from '../../../test/accounts-service.ts';
import { addPasskey, loginOptions, passkeyLogin } from '../../../test/passkeys.ts';
import { codeOf } from '../../../test/second-factor.ts';
import type { Authenticator } from '../../../test/software-authenticator.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const newVerifiedUser = async () => {
  const person = await accounts.signUp();
  await accounts.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [
    person.id,
  ]);
  return { ...person, ...(await accounts.logIn(person.email)) };
};
type Account = Awaited<ReturnType<typeof newVerifiedUser>>;

/** Changes the email as a thief with the password does. Returns the token that the old address gets. */
const changeEmail = async (user: Account, from: string, to: string): Promise<string> => {
  const { token } = await accounts.logIn(from);
  await accounts.http.put(`/api/update-account/${user.id}`, {
    token,
    body: { email: to, password },
  });
  const { data } = await accounts.broker.expectEvent(
    'EmailChangeRequested',
    ({ newEmail }) => newEmail === to,
  );
  await accounts.http.post('/api/confirm-email', { body: { token: data.token } });
  const changed = await accounts.broker.expectEvent(
    'EmailChanged',
    ({ newEmail }) => newEmail === to,
  );
  expect(changed.data.oldEmail).toBe(from);
  return changed.data.token;
};

const undo = (token: string) => accounts.http.post('/api/undo-email-change', { body: { token } });

const emailOf = async (id: string): Promise<string> => {
  const { rows } = await accounts.pool.query('SELECT email FROM users WHERE id = $1', [id]);
  return rows[0].email;
};

const thiefsAddress = () => `thief-${anyId()}@example.com`;

describe('POST /api/undo-email-change', () => {
  it('gives the account back to the old address after a takeover', async () => {
    const user = await newVerifiedUser();
    const stolen = thiefsAddress();
    const token = await changeEmail(user, user.email, stolen);
    const thief = await accounts.logIn(stolen);
    const factors = `/api/user/${user.id}/second-factors/totp`;
    const { body } = await accounts.http.post(factors, { token: thief.token });
    const confirmation = { token: thief.token, body: { code: codeOf(body.secret) } };
    expect((await accounts.http.post(`${factors}/confirm`, confirmation)).status).toBe(200);

    const reply = await undo(token);

    expect(reply).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining(user.email) },
    });
    expect(await emailOf(user.id)).toBe(user.email);
    for (const { token, cookie } of [thief, user]) {
      const path = `/api/user/${user.id}/sessions`;
      expect((await accounts.http.get(path, { token })).status).toBe(401);
      expect((await accounts.refresh(cookie)).status).toBe(401);
    }
    await expect(accounts.logIn(user.email)).rejects.toThrow('401');
    await expect(accounts.logIn(stolen)).rejects.toThrow('401');
    const { data } = await accounts.broker.expectEvent(
      'PasswordResetRequested',
      ({ userId }) => userId === user.id,
    );
    expect(data.email).toBe(user.email);
    const newPassword = 'quite another battery horse';
    await accounts.http.post('/api/reset-password', { body: { token: data.token, newPassword } });
    expect((await accounts.logIn(user.email, newPassword)).userId).toBe(user.id);
  });

  it('removes a second factor that a thief confirmed shortly before, but never one of an admin', async () => {
    const [user, admin] = [await newVerifiedUser(), await newVerifiedUser()];
    const tokens = [];
    for (const { id, email } of [user, admin]) {
      await accounts.pool.query(
        `INSERT INTO totp_factors (user_id, secret, created_at, confirmed_at)
         VALUES ($1, '', now() - interval '30 hours', now())`,
        [id],
      );
      const { rows } = await accounts.pool.query(
        `UPDATE users SET email = $2, role = $3 WHERE id = $1 RETURNING email`,
        [id, thiefsAddress(), id === admin.id ? 'Admin' : 'User'],
      );
      expect(rows).toHaveLength(1);
      const token = `undo-${id}`;
      await accounts.pool.query(
        `INSERT INTO former_emails (hash, user_id, email) VALUES ($1, $2, $3)`,
        [hashToken(token), id, email],
      );
      tokens.push(token);
    }

    for (const token of tokens) expect((await undo(token)).status).toBe(200);

    const { rows } = await accounts.pool.query(
      'SELECT user_id FROM totp_factors WHERE user_id = ANY ($1)',
      [[user.id, admin.id]],
    );
    expect(rows).toEqual([{ user_id: admin.id }]);
  });

  it('is no longer possible once the user is an admin', async () => {
    const user = await newVerifiedUser();
    const token = await changeEmail(user, user.email, thiefsAddress());
    const { token: admin } = await accounts.logInAdmin();

    await accounts.http.put(`/api/users/${user.id}`, { token: admin, body: { role: 'Admin' } });

    expect((await undo(token)).status).toBe(400);
  });

  it('works once, and not after 72 hours', async () => {
    const user = await newVerifiedUser();
    const token = await changeEmail(user, user.email, thiefsAddress());
    const other = await newVerifiedUser();
    const late = await changeEmail(other, other.email, thiefsAddress());
    await accounts.pool.query(
      `UPDATE former_emails SET changed_at = now() - interval '72 hours' WHERE user_id = $1`,
      [other.id],
    );

    const replies = await Promise.all([undo(token), undo(token), undo(late), undo('unknown')]);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(await emailOf(other.id)).not.toBe(other.email);
  });

  it("works after further changes, whose own links can't take the account again", async () => {
    const user = await newVerifiedUser();
    const [first, second] = [thiefsAddress(), thiefsAddress()];
    const token = await changeEmail(user, user.email, first);
    const thiefs = await changeEmail(user, first, second);

    expect((await undo(token)).status).toBe(200);
    expect((await undo(thiefs)).status).toBe(400);
    expect(await emailOf(user.id)).toBe(user.email);
  });

  it('works after a thief has undone a further change', async () => {
    const user = await newVerifiedUser();
    const first = thiefsAddress();
    const token = await changeEmail(user, user.email, first);
    const thiefs = await changeEmail(user, first, thiefsAddress());

    expect((await undo(thiefs)).status).toBe(200);
    expect((await undo(token)).status).toBe(200);
    expect(await emailOf(user.id)).toBe(user.email);
  });

  it('finds the old address still free, because no other account can use it meanwhile', async () => {
    const user = await newVerifiedUser();
    const token = await changeEmail(user, user.email, thiefsAddress());
    const accomplice = await newVerifiedUser();

    const signUp = await accounts.http.post('/api/create-account', {
      body: newPerson({ email: user.email }),
    });
    const edit = await accounts.http.put(`/api/update-account/${accomplice.id}`, {
      token: accomplice.token,
      body: { email: user.email, password },
    });

    for (const reply of [signUp, edit])
      expect(reply).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
    expect((await undo(token)).status).toBe(200);
  });

  it('is not offered to an address that was never verified, which may be a stranger’s', async () => {
    const user = await accounts.signUp();
    const follow = await accounts.requestNewEmail(user.email);

    await follow();

    const { rowCount } = await accounts.pool.query(
      `SELECT FROM outbox_messages WHERE type = 'EmailChanged' AND envelope->'data'->>'userId' = $1`,
      [user.id],
    );
    expect(await emailOf(user.id)).toBe(`new-${user.email}`);
    expect(rowCount).toBe(0);
  });

  it('rejects a page of another site', async () => {
    const reply = await accounts.http.post('/api/undo-email-change', {
      body: { token: 'unknown' },
      headers: { origin: 'https://evil.example' },
    });
    expect(reply).toMatchObject({ status: 403, body: { code: 'CROSS_SITE' } });
  });
});

describe('the undo of a thief’s change of the email', () => {
  const takeOver = async (user: Account) => {
    const own = await addPasskey(accounts, user);
    await accounts.pool.query(
      `UPDATE passkeys SET created_at = now() - interval '1 month' WHERE user_id = $1`,
      [user.id],
    );
    const thiefs = await addPasskey(accounts, user);
    return { own, thiefs };
  };
  const undoAfter = async (user: Account) => {
    const token = `undo-${user.id}`;
    await accounts.pool.query(
      'INSERT INTO former_emails (hash, user_id, email) VALUES ($1, $2, $3)',
      [hashToken(token), user.id, user.email],
    );
    return undo(token);
  };
  const logIn = async ({ authenticator }: { authenticator: Authenticator }) =>
    (await passkeyLogin(accounts, authenticator.get(await loginOptions(accounts)))).status;

  it.each(['User', 'Admin'])('removes the passkey that the thief added to a %s', async (role) => {
    const user = await newVerifiedUser();
    const { own, thiefs } = await takeOver(user);
    await accounts.pool.query('UPDATE users SET role = $2 WHERE id = $1', [user.id, role]);

    const reply = await undoAfter(user);

    expect(reply.status).toBe(200);
    expect(await logIn(thiefs)).toBe(403);
    expect(await logIn(own)).toBe(200);
  });

  it('keeps an admin’s only passkey as the second factor alone, because a thief may have added it', async () => {
    const user = await newVerifiedUser();
    const only = await addPasskey(accounts, user);
    await accounts.pool.query(`UPDATE users SET role = 'Admin' WHERE id = $1`, [user.id]);
    expect((await undoAfter(user)).status).toBe(200);
    expect(await logIn(only)).toBe(403);
    const { rows } = await accounts.pool.query('SELECT id FROM passkeys WHERE user_id = $1', [
      user.id,
    ]);
    expect(rows).toEqual([{ id: only.id }]);
  });
});

describe('POST /api/users/:userId/restore-email', () => {
  const restore = async (id: string, email: string, caller?: { token: string }) => {
    const { token } = caller ?? (await accounts.logInAdmin());
    const body = { email, reason: 'They showed us a passport.' };
    return accounts.http.post(`/api/users/${id}/restore-email`, { token, body });
  };

  it('lets an admin restore an address also after 72 hours, and ends all sessions', async () => {
    const user = await newVerifiedUser();
    const stolen = thiefsAddress();
    await changeEmail(user, user.email, stolen);
    const thief = await accounts.logIn(stolen);
    await accounts.pool.query(
      `UPDATE former_emails SET changed_at = now() - interval '80 days' WHERE user_id = $1`,
      [user.id],
    );
    const { token } = await accounts.logInAdmin();
    const listed = await accounts.http.get(`/api/users/${user.id}/former-emails`, { token });

    const reply = await restore(user.id, user.email);

    expect(listed.body.formerEmails).toMatchObject([{ email: user.email }]);
    expect(reply).toMatchObject({ status: 200, body: { user: { email: user.email } } });
    expect((await accounts.refresh(thief.cookie)).status).toBe(401);
    const { data } = await accounts.broker.expectEvent(
      'EmailRestored',
      ({ userId }) => userId === user.id,
    );
    expect(data).toMatchObject({
      email: user.email,
      replacedEmail: stolen,
      reason: 'They showed us a passport.',
    });
  });

  it('needs a reason, which the user gets', async () => {
    const user = await newVerifiedUser();
    const { token } = await accounts.logInAdmin();
    const reply = await accounts.http.post(`/api/users/${user.id}/restore-email`, {
      token,
      body: { email: user.email, reason: ' ' },
    });
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ path: 'reason' }] } });
  });

  it('restores only an address that the user had, and only for admins', async () => {
    const user = await newVerifiedUser();
    const stranger = await newVerifiedUser();

    const unknown = await restore(user.id, thiefsAddress());
    const byUser = await restore(user.id, user.email, stranger);

    expect(unknown).toMatchObject({ status: 404, body: { code: 'FORMER_EMAIL_NOT_FOUND' } });
    expect(byUser).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});
