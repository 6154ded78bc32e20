import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  password,
  sameSite,
  startAccountsService,
} from '../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService({ PUBLIC_URL: 'https://lendtools.test' });
});
afterAll(() => accounts.stop());

const logIn = async () => {
  const { email } = await accounts.signUp();
  const { headers, body } = await accounts.http.post('/api/login', { body: { email, password } });
  const cookie = headers.getSetCookie().find((one) => one.includes('refresh_token=')) ?? '';
  return { userId: body.user.id, cookie, token: /refresh_token=([^;]+)/.exec(cookie)?.[1] ?? '' };
};
const post = (path: string, cookie: string) =>
  accounts.http.post(path, { headers: { cookie, ...sameSite } });

describe('the accounts service on an https site', () => {
  it('names the refresh cookie with the prefix __Host-, so that no subdomain can set it', async () => {
    const { cookie } = await logIn();

    expect(cookie).toMatch(
      /^__Host-refresh_token=[\w-]{43}; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it('ignores a refresh cookie without the prefix, which a subdomain may have set', async () => {
    const { token } = await logIn();

    const reply = await post('/api/refresh-token', `refresh_token=${token}`);

    expect(reply).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
  });

  it('prefers the __Host- cookie to a refresh cookie without the prefix', async () => {
    const [own, planted] = [await logIn(), await logIn()];

    const { body } = await post(
      '/api/refresh-token',
      `refresh_token=${planted.token}; __Host-refresh_token=${own.token}`,
    );

    expect(body.user.id).toBe(own.userId);
  });

  it('clears the refresh cookie at logout', async () => {
    const { token } = await logIn();

    const reply = await post('/api/logout', `__Host-refresh_token=${token}`);

    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-refresh_token=; Path=\/; Expires=Thu, 01 Jan/),
    ]);
    expect((await post('/api/refresh-token', `__Host-refresh_token=${token}`)).status).toBe(401);
  });
});
