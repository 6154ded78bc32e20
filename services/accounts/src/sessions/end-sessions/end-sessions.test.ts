import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  anyId,
  type Session,
  startAccountsService,
} from '../../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const logInTwice = async () => {
  const { email } = await accounts.signUp();
  return [await accounts.logIn(email), await accounts.logIn(email)] as const;
};

const pathOf = ({ userId }: Session) => `/api/user/${userId}/sessions`;

const idOf = async (session: Session): Promise<string> => {
  const { body } = await accounts.http.get(pathOf(session), { token: session.token });
  return body.sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).id;
};

const works = async (session: Session): Promise<boolean> => {
  const { status } = await accounts.http.get(pathOf(session), { token: session.token });
  const refresh = await accounts.refresh(session.cookie);
  return status === 200 && refresh.status === 200;
};

/** As if the session had begun an hour ago: its next access token says so. */
const age = async (session: Session): Promise<Session> => {
  await accounts.pool.query(
    `UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE id = $1`,
    [await idOf(session)],
  );
  const { body } = await accounts.refresh(session.cookie);
  return { ...session, token: body.token };
};

describe('DELETE /api/user/:userId/sessions/:id', () => {
  it('ends that session immediately and no other one', async () => {
    const [one, other] = await logInTwice();

    const path = `${pathOf(one)}/${await idOf(other)}`;
    const reply = await accounts.http.delete(path, { token: one.token });

    expect(reply.status).toBe(200);
    expect(await works(other)).toBe(false);
    expect(await works(one)).toBe(true);
    const again = await accounts.http.delete(path, { token: one.token });
    expect(again).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
  });

  it("does not end another user's session", async () => {
    const [one] = await logInTwice();
    const [stranger] = await logInTwice();

    const reply = await accounts.http.delete(`${pathOf(one)}/${await idOf(stranger)}`, {
      token: one.token,
    });

    expect(reply.status).toBe(404);
    expect(await works(stranger)).toBe(true);
  });

  it.each(['one session', 'all other sessions'])(
    'rejects an hour-old access token that ends %s',
    async (which) => {
      const [one, other] = await logInTwice();
      const stolen = await age(one);
      const path = which === 'one session' ? `${pathOf(one)}/${await idOf(other)}` : pathOf(one);

      const reply = await accounts.http.delete(path, { token: stolen.token });

      expect(reply).toMatchObject({ status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } });
      expect(await works(other)).toBe(true);
    },
  );

  it('replies with 404 for an unknown session', async () => {
    const [one] = await logInTwice();
    const reply = await accounts.http.delete(`${pathOf(one)}/${anyId()}`, { token: one.token });
    expect(reply.status).toBe(404);
  });
});

describe('DELETE /api/user/:userId/sessions', () => {
  it('ends all sessions except the current one', async () => {
    const [one, other] = await logInTwice();
    const third = await accounts.logIn((await accounts.signUp()).email);

    const reply = await accounts.http.delete(pathOf(one), { token: one.token });

    expect(reply.status).toBe(200);
    expect(await works(one)).toBe(true);
    expect(await works(other)).toBe(false);
    expect(await works(third)).toBe(true);
  });
});
