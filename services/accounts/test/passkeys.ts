import type { AccountsService, Session } from './accounts-service.ts';
import { createAuthenticator } from './software-authenticator.ts';

/** Adds a passkey to an account. */
export const addPasskey = async (
  accounts: AccountsService,
  { userId, token }: Pick<Session, 'userId' | 'token'>,
  authenticator = createAuthenticator(),
) => {
  const path = `/api/user/${userId}/passkeys`;
  const { body: options } = await accounts.http.post(`${path}/options`, { token });
  const body = { passkey: authenticator.create(options), name: 'My phone' };
  const reply = await accounts.http.post(path, { token, body });
  if (reply.status !== 201) throw new Error(`adding answered ${JSON.stringify(reply.body)}`);
  const { passkey, recoveryCodes } = reply.body;
  return { authenticator, id: passkey.id as string, recoveryCodes: recoveryCodes as string[] };
};

/** A user with a passkey and no authenticator app, and calls as they or an attacker would make them. */
export const withPasskey = async (accounts: AccountsService) => {
  const person = await accounts.signUp();
  const session = await accounts.logIn(person.email);
  const { id: passkeyId, ...added } = await addPasskey(accounts, session);
  return { ...person, ...session, ...added, passkeyId };
};

export const loginOptions = async (accounts: AccountsService) =>
  (await accounts.http.post('/api/login/passkey/options')).body;

export const passkeyLogin = (
  accounts: AccountsService,
  passkey: unknown,
  headers: Record<string, string> = {},
) => accounts.http.post('/api/login/passkey', { body: { passkey }, headers });
