import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type AccountsService,
  sameSite,
  startAccountsService,
} from '../../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const newSession = async () => accounts.logIn((await accounts.signUp()).email);
type Session = Awaited<ReturnType<typeof newSession>>;

const statusOf = async ({ userId, token }: Session, http = accounts.http) =>
  (await http.put(`/api/update-account/${userId}`, { token, body: {} })).status;

describe('POST /api/logout', () => {
  it.each([
    ['the cookie', ({ cookie }: Session) => ({ headers: { cookie, ...sameSite } })],
    ['the Bearer token', ({ token }: Session) => ({ token })],
    [
      'the refresh token in the body',
      ({ cookie }: Session) => ({
        body: { refreshToken: cookie.split('=')[1] },
      }),
    ],
  ])('ends the session immediately, given %s', async (_name, ask) => {
    const session = await newSession();

    const reply = await accounts.http.post('/api/logout', ask(session));
    const ended = await accounts.broker.expectEvent(
      'SessionEnded',
      ({ userId }) => userId === session.userId,
    );

    expect(reply).toMatchObject({ status: 200, body: { message: 'You are logged out.' } });
    expect(reply.headers.get('set-cookie')).toContain(
      'refresh_token=; Path=/api; Expires=Thu, 01 Jan',
    );
    expect(await statusOf(session)).toBe(401);
    expect((await accounts.refresh(session.cookie)).status).toBe(401);
    expect(ended.data.userId).toBe(session.userId);
  });

  it('ends the session on other replicas, including one that starts later', async () => {
    const replica = await accounts.startReplica();
    const session = await newSession();
    await waitFor(
      'the replica to accept the token',
      async () => (await statusOf(session, replica.http)) === 200,
    );

    await accounts.http.post('/api/logout', { token: session.token });
    await waitFor(
      'the other replica to reject the token',
      async () => (await statusOf(session, replica.http)) === 401,
    );
    const later = await accounts.startReplica();
    await waitFor(
      'a later replica to reject the token',
      async () => (await statusOf(session, later.http)) === 401,
    );

    await Promise.all([replica.stop(), later.stop()]);
  });

  it('sends the same reply to a first logout, a repeated one and one without a session', async () => {
    const { token } = await newSession();

    const replies = [
      await accounts.http.post('/api/logout'),
      await accounts.http.post('/api/logout', { token }),
      await accounts.http.post('/api/logout', { token }),
      await accounts.http.post('/api/logout', { body: { refreshToken: 'unknown' } }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('does not clear the cookie when a page of another site sends a request without it', async () => {
    const reply = await accounts.http.post('/api/logout', {
      headers: { 'sec-fetch-site': 'cross-site' },
    });

    expect(reply.status).toBe(403);
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  it("keeps the user's other sessions", async () => {
    const { email } = await accounts.signUp();
    const [phone, laptop] = [await accounts.logIn(email), await accounts.logIn(email)];

    await accounts.http.post('/api/logout', { token: phone.token });

    expect(await statusOf(laptop)).toBe(200);
  });
});
