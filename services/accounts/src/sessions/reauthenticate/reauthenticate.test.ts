import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  cookieOf,
  password,
  type Session,
  startAccountsService,
} from '../../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService({ RATE_LIMIT_FACTOR: '1' });
});
afterAll(() => accounts.stop());

const newSession = async (): Promise<Session> => accounts.logIn((await accounts.signUp()).email);

const confirm = ({ userId, token }: Session, typed = password) =>
  accounts.http.post(`/api/user/${userId}/reauthenticate`, { token, body: { password: typed } });

const statusOf = async ({ userId }: Session, token: string): Promise<number> =>
  (await accounts.http.get(`/api/user/${userId}/sessions`, { token })).status;

describe('POST /api/user/:userId/reauthenticate', () => {
  it('replaces the session by a fresh one, so that a stolen token gains nothing', async () => {
    const session = await newSession();

    const reply = await confirm(session);

    expect(reply.status).toBe(200);
    expect(await statusOf(session, session.token)).toBe(401);
    expect((await accounts.refresh(session.cookie)).status).toBe(401);
    expect(await statusOf(session, reply.body.token)).toBe(200);
    expect((await accounts.refresh(cookieOf(reply.headers))).status).toBe(200);
  });

  it('allows what needs a fresh login, for 15 minutes after it', async () => {
    const session = await newSession();
    await accounts.pool.query(
      `UPDATE sessions SET authenticated_at = now() - interval '16 minutes' WHERE user_id = $1`,
      [session.userId],
    );
    const { body: old } = await accounts.refresh(session.cookie);
    const endOthers = (token: string) =>
      accounts.http.delete(`/api/user/${session.userId}/sessions`, { token });

    const before = await endOthers(old.token);
    const { body } = await confirm({ ...session, token: old.token });
    const after = await endOthers(body.token);

    expect(before).toMatchObject({ status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } });
    expect(after.status).toBe(200);
  });

  it('limits guesses at the password, and keeps the session', async () => {
    const session = await newSession();

    const guesses = [];
    for (let i = 0; i < 11; i++) guesses.push((await confirm(session, 'a guess')).status);

    expect(guesses).toEqual([...Array(10).fill(403), 429]);
    expect(await statusOf(session, session.token)).toBe(200);
  });
});
