import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  cookieOf,
  password,
  startAccountsService,
} from '../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

describe('POST /api/login', () => {
  it('answers the user with a token that opens what is theirs', async () => {
    const person = await accounts.signUp();

    const reply = await accounts.http.post('/api/login', {
      body: { email: person.email.toUpperCase(), password },
    });
    const self = await accounts.http.get(`/api/get-user-by-email/${person.email}`, {
      token: reply.body.token,
    });

    expect(reply.status).toBe(200);
    expect(reply.body.user).toMatchObject({ id: person.id, token: reply.body.token, role: 'User' });
    expect(self.body.user).toMatchObject({ id: person.id, email: person.email });
    expect(cookieOf(reply.headers)).toMatch(/^refresh_token=[\w-]{43}$/);
    expect(reply.headers.get('set-cookie')).toMatch(/; Path=\/api;.* HttpOnly; SameSite=Strict$/);
  });
});
