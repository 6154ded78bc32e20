import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsService, startAccountsService } from '../../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const newUser = async () => {
  const person = await accounts.signUp();
  return { ...person, ...(await accounts.logIn(person.email)) };
};
type Person = Awaited<ReturnType<typeof newUser>>;

const links = ({ userId }: { userId: string }) =>
  accounts.broker.received
    .filter((event) => event.type === 'EmailVerificationRequested')
    .filter((event) => event.data.userId === userId)
    .map((event) => event.data);

const welcomed = async (person: Person): Promise<string> => {
  const { data } = await accounts.broker.expectEvent(
    'EmailVerificationRequested',
    ({ userId, isWelcome }) => userId === person.userId && isWelcome,
  );
  return data.token;
};

const confirm = (token: string) => accounts.http.post('/api/confirm-email', { body: { token } });
const resend = ({ userId, token }: Person) =>
  accounts.http.post(`/api/user/${userId}/send-verification`, { token });
const isVerified = async ({ email, token }: { email: string; token: string }) => {
  const reply = await accounts.http.get(`/api/get-user-by-email/${email}`, { token });
  return reply.body.user.emailVerified;
};

describe('the accounts service', () => {
  it('verifies an email by the link in the welcome email, which works once', async () => {
    const person = await newUser();
    const token = await welcomed(person);
    const before = await isVerified(person);

    const replies = await Promise.all([confirm(token), confirm(token)]);

    expect(before).toBe(false);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await isVerified(person)).toBe(true);
    await accounts.broker.expectEvent(
      'AccountUpdated',
      ({ userId, emailVerified }) => userId === person.userId && emailVerified === true,
    );
    expect(links(person)).toEqual([expect.objectContaining({ email: person.email })]);
  });

  it('verifies an email when the user resets the password by an emailed link', async () => {
    const person = await newUser();
    await accounts.http.post('/api/request-password-token', { body: { email: person.email } });
    const { data } = await accounts.broker.expectEvent(
      'PasswordResetRequested',
      ({ userId }) => userId === person.userId,
    );

    const newPassword = 'a quite different one';
    await accounts.http.post('/api/reset-password', { body: { token: data.token, newPassword } });

    const again = await accounts.logIn(person.email, newPassword);
    expect(await isVerified({ ...again, email: person.email })).toBe(true);
    await accounts.broker.expectEvent(
      'AccountUpdated',
      ({ userId, emailVerified }) => userId === person.userId && emailVerified === true,
    );
  });

  it('does not verify a new email by the link in the earlier welcome email', async () => {
    const person = await newUser();
    const token = await welcomed(person);

    const followed = await (await accounts.requestNewEmail(person.email))();
    const late = await confirm(token);

    expect(followed.status).toBe(200);
    expect(late).toMatchObject({ status: 400, body: { code: 'EMAIL_TOKEN_INVALID' } });
    expect(await isVerified({ ...person, email: `new-${person.email}` })).toBe(true);
  });

  it('does not invalidate the link sent to a requested new email when the current email is verified', async () => {
    const person = await newUser();
    const follow = await accounts.requestNewEmail(person.email);

    await confirm(await welcomed(person));

    expect((await follow()).status).toBe(200);
  });
});

describe('POST /api/user/:userId/send-verification', () => {
  it('sends another verification link, but none to a verified email', async () => {
    const person = await newUser();
    await welcomed(person);

    const reply = await resend(person);
    const { data } = await accounts.broker.expectEvent(
      'EmailVerificationRequested',
      ({ userId, isWelcome }) => userId === person.userId && !isWelcome,
    );
    await confirm(data.token);
    const needless = await resend(person);

    expect(reply).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining(person.email) },
    });
    expect(needless.body.message).toBe('Your email is verified already.');
    expect(links(person)).toHaveLength(2);
  });

  it('lets users request a verification link only for themselves', async () => {
    const [person, other] = [await newUser(), await newUser()];

    const reply = await resend({ ...person, token: other.token });

    expect(reply.status).toBe(403);
  });

  it('sends at most five verification links an hour', async () => {
    const person = await newUser();
    const replica = await accounts.startReplica({ RATE_LIMIT_FACTOR: '1' });

    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      const path = `/api/user/${person.userId}/send-verification`;
      statuses.push((await replica.http.post(path, { token: person.token })).status);
    }
    await replica.stop();

    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});
