import { generateSync } from 'otplib';
import { type AccountsService, password, randomAddress } from './accounts-service.ts';

/** Six digits for the step that is `steps` after the current one. */
export const codeOf = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });

/** A user with an authenticator app, and calls as they or an attacker would make them. */
export const withSecondFactor = async (accounts: AccountsService) => {
  const person = await accounts.signUp();
  const session = await accounts.logIn(person.email);
  const path = `/api/user/${session.userId}/second-factors`;
  const { token } = session;
  const started = await accounts.http.post(`${path}/totp`, { token });
  const secret = started.body.secret as string;
  // The code of the step before: the current one is then still unused.
  const confirmed = await accounts.http.post(`${path}/totp/confirm`, {
    token,
    body: { code: codeOf(secret, -1) },
  });
  if (confirmed.status !== 200) throw new Error(`confirm answered ${confirmed.status}`);
  return {
    ...person,
    ...session,
    path,
    secret,
    recoveryCodes: confirmed.body.recoveryCodes as string[],
    /** Sends the password, and returns the challenge. */
    async startLogin(headers: Record<string, string> = {}): Promise<string> {
      const { status, body } = await accounts.http.post('/api/login', {
        body: { email: person.email, password },
        headers: { 'x-forwarded-for': randomAddress(), ...headers },
      });
      if (status !== 403) throw new Error(`login answered ${status}`);
      return body.challenge;
    },
    finishLogin: (challenge: string, code: string, headers: Record<string, string> = {}) =>
      accounts.http.post('/api/login/second-factor', { body: { challenge, code }, headers }),
  };
};
