import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  password,
  startAccountsService,
} from '../../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  // This factor limits sessions to three per user.
  accounts = await startAccountsService({ RATE_LIMIT_FACTOR: '0.03' });
});
afterAll(() => accounts.stop());

const useUp = (userId: string, kind: string) =>
  accounts.pool.query(
    `INSERT INTO quotas (user_id, kind, used, ends_at) VALUES ($1, $2, 1e9, now() + interval '20 minutes')
     ON CONFLICT (user_id, kind) DO UPDATE SET used = 1e9, ends_at = now() + interval '20 minutes'`,
    [userId, kind],
  );

describe('the accounts service', () => {
  it("keeps a user's newest sessions, and ends older ones on every replica", async () => {
    const { email } = await accounts.signUp();
    const first = await accounts.logIn(email);
    const second = await accounts.logIn(email);
    await accounts.logIn(email);
    const fourth = await accounts.logIn(email);

    const event = await accounts.broker.expectEvent(
      'SessionEnded',
      (data) => data.userId === first.userId,
    );
    const [refreshed, kept, newest] = [
      await accounts.refresh(first.cookie),
      await accounts.refresh(second.cookie),
      await accounts.refresh(fourth.cookie),
    ];
    const profile = await accounts.http.get(`/api/get-user-by-email/${email}`, first);

    expect(event.data.userId).toBe(first.userId);
    expect([refreshed.status, kept.status, newest.status]).toEqual([401, 200, 200]);
    expect(profile.status).toBe(401);
  });

  it("replies 429 to logins and refreshes beyond a user's limits", async () => {
    const { email } = await accounts.signUp();
    const { userId, cookie } = await accounts.logIn(email);
    await useUp(userId, 'logins');
    await useUp(userId, 'refreshes');

    const login = await accounts.http.post('/api/login', { body: { email, password } });
    const refresh = await accounts.refresh(cookie);
    await accounts.pool.query('DELETE FROM quotas WHERE user_id = $1', [userId]);
    const later = await accounts.refresh(cookie);

    expect(login).toMatchObject({
      status: 429,
      body: { detail: 'You have logged in many times. Please try again in 20 minutes.' },
    });
    expect(refresh.status).toBe(429);
    expect(Number(refresh.headers.get('retry-after'))).toBeGreaterThan(1_100);
    expect(later.status).toBe(200);
  });
});

describe('PUT /api/update-account/:userId', () => {
  it("replies 429 to edits and uploads beyond a user's limits", async () => {
    const { email } = await accounts.signUp();
    const { userId, token } = await accounts.logIn(email);
    const save = (body: FormData | Record<string, string>) =>
      accounts.http.put(`/api/update-account/${userId}`, { token, body });
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(2 * 1024 * 1024)]), 'picture.png');

    const tooMuch = await save(form);
    await useUp(userId, 'profile-edits');
    const tooOften = await save({ phone: '+1 512 555 0199' });

    expect([tooMuch.status, tooOften.status]).toEqual([429, 429]);
    expect(tooMuch.body.detail).toMatch(/^You have reached today’s limit for uploaded pictures/);
  });
});

describe('POST /api/login with made-up emails', () => {
  it("stores no further counters once the network's login limit is reached", async () => {
    const guess = (i: number) =>
      accounts.http.post('/api/login', {
        body: { email: `nobody-${i}@example.com`, password: 'a guess' },
        headers: { 'x-forwarded-for': '203.0.113.7' },
      });
    const countRows = async (): Promise<number> =>
      (await accounts.pool.query(`SELECT FROM rate_limits WHERE key LIKE 'login-account-ip%'`))
        .rowCount ?? 0;
    for (const i of [0, 1, 2]) await guess(i);
    const before = await countRows();

    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => guess(i + 3)));

    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([429]));
    expect(await countRows()).toBe(before);
  });
});
