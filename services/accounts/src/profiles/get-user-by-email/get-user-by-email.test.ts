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

describe('GET /api/get-user-by-email/:email', () => {
  it('shows an account to its owner and admins, and does not reveal to others whether it exists', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const admin = await accounts.logInAdmin();
    const get = (email: string, token?: string) =>
      accounts.http.get(`/api/get-user-by-email/${encodeURIComponent(email)}`, { token });

    const own = await get(user.email.toUpperCase(), user.token);
    const byAdmin = await get(user.email, admin.token);
    const [known, unknown] = [
      await get(other.email, user.token),
      await get('no@example.com', user.token),
    ];

    expect(own.body).toEqual(byAdmin.body);
    expect(own.body.user.email).toBe(user.email);
    expect(JSON.stringify(own.body)).not.toMatch(/password|hash|token/i);
    expect({ ...known.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
    expect([known.status, unknown.status]).toEqual([403, 403]);
    expect((await get('no@example.com', admin.token)).status).toBe(404);
    expect((await get(user.email)).status).toBe(401);
  });
});
