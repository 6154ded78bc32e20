import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  password,
  startAccountsService,
} from '../../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const newUser = async () => {
  const person = await accounts.signUp();
  return { ...person, ...(await accounts.logIn(person.email)) };
};

const newEmailOf = (user: { email: string }): string => `new-${user.email}`;

const requestNewEmail = (user: { userId: string; token: string; email: string }) =>
  accounts.http.put(`/api/update-account/${user.userId}`, {
    token: user.token,
    body: { email: newEmailOf(user), password },
  });

const mailedToken = async (userId: string): Promise<string> =>
  (await accounts.broker.expectEvent('EmailChangeRequested', (data) => data.userId === userId)).data
    .token;

const confirm = (token: string) => accounts.http.post('/api/confirm-email', { body: { token } });

describe('POST /api/confirm-email', () => {
  it("changes the account's email to the one that the link was sent to", async () => {
    const user = await newUser();
    const email = newEmailOf(user);

    const reply = await requestNewEmail(user);
    const { data } = await accounts.broker.expectEvent(
      'EmailChangeRequested',
      ({ userId }) => userId === user.userId,
    );
    const before = await accounts.logIn(user.email);
    const confirmed = await confirm(data.token);
    const after = await accounts.logIn(email);

    expect(reply.body.message).toContain(`To use ${email}, follow the link`);
    expect(reply.body.user.email).toBe(user.email);
    expect(data).toMatchObject({ oldEmail: user.email, newEmail: email });
    expect(confirmed.status).toBe(200);
    expect(after.userId).toBe(before.userId);
    await expect(accounts.logIn(user.email)).rejects.toThrow('401');
    await accounts.broker.expectEvent('AccountUpdated', (updated) => updated.email === email);
  });

  it('accepts a link once, even from two concurrent requests', async () => {
    const user = await newUser();
    await requestNewEmail(user);
    const token = await mailedToken(user.userId);

    const replies = await Promise.all([confirm(token), confirm(token), confirm('unknown')]);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it('rejects the link when another user has signed up with the email since', async () => {
    const user = await newUser();
    await requestNewEmail(user);
    const token = await mailedToken(user.userId);
    const other = await accounts.signUp({ email: newEmailOf(user) });

    const reply = await confirm(token);

    expect(reply).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
    expect((await accounts.logIn(other.email)).userId).toBe(other.id);
  });

  it('rejects the link after a change of the password', async () => {
    const user = await newUser();
    await requestNewEmail(user);
    const token = await mailedToken(user.userId);

    await accounts.http.post('/api/reset-password', {
      token: user.token,
      body: { currentPassword: password, newPassword: 'another password' },
    });

    expect((await confirm(token)).status).toBe(400);
  });
});
