import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  password,
  startAccountsService,
} from '../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService({ RATE_LIMIT_FACTOR: '1' });
});
afterAll(() => accounts.stop());

describe('POST /internal/users/:userId/check-password', () => {
  it("checks only the caller's own password, a limited number of times", async () => {
    const person = await accounts.signUp();
    const { token } = await accounts.logIn(person.email);
    const other = await accounts.signUp();
    const check = (id: string, typed: string) =>
      accounts.http.post(`/internal/users/${id}/check-password`, {
        token,
        body: { password: typed },
      });

    expect((await check(person.id, password)).status).toBe(200);
    expect((await check(other.id, password)).status).toBe(403);
    const guesses = [];
    for (let i = 0; i < 11; i++) guesses.push(await check(person.id, 'a guess'));

    expect(guesses.map(({ status }) => status)).toEqual([...Array(10).fill(403), 429]);
    expect(guesses[0]?.body).toMatchObject({
      code: 'PASSWORD_WRONG',
      errors: [{ path: 'password' }],
    });
  });
});
