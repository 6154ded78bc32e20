import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { internalRoutes, type Role } from '@lendtools/contracts';
import { tokenAudience, tokenIssuer } from '@lendtools/service-kit';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { stubServerOptions } from './hangs-after.ts';

export const currentPassword = 'a-password-of-tests';

export interface TestAccounts {
  url: string;
  /** Signs an access token. `claims` override its contents, for forged or expired tokens. */
  sign(claims?: {
    userId?: string;
    role?: Role;
    sessionId?: string;
    /** The user's version when the token was issued. */
    version?: number;
    expiresInSeconds?: number;
    /** When the user logged in; by default now. */
    authenticatedSecondsAgo?: number;
  }): Promise<string>;
  stop(): Promise<void>;
}

const wrongPassword = {
  code: 'PASSWORD_WRONG',
  detail: 'The current password is wrong.',
  errors: [{ msg: 'The current password is wrong.', path: 'password' }],
};

export const startTestAccounts = async (kid = 'test'): Promise<TestAccounts> => {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', {
    crv: 'Ed25519',
    extractable: true,
  });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' };
  const answers: Record<string, unknown> = {
    [internalRoutes.publicKeys.path]: { keys: [jwk] },
    [internalRoutes.revocations.path]: { sessions: [], users: [] },
  };
  const server = createServer(stubServerOptions, async (request, response) => {
    if (request.url?.endsWith('/check-password')) {
      const isCurrent =
        ((await json(request)) as { password: string }).password === currentPassword;
      response.writeHead(isCurrent ? 200 : 403, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isCurrent ? { message: 'Right.' } : wrongPassword));
      return;
    }
    const answer = answers[request.url ?? ''];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sign: ({
      userId = randomUUID(),
      role = 'User',
      sessionId = randomUUID(),
      version = 0,
      expiresInSeconds = 900,
      authenticatedSecondsAgo = 0,
    } = {}) => {
      const nowSeconds = Math.floor(Date.now() / 1000);
      const auth_time = nowSeconds - authenticatedSecondsAgo;
      return new SignJWT({ role, sid: sessionId, ver: version, auth_time })
        .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'at+jwt' })
        .setSubject(userId)
        .setIssuer(tokenIssuer)
        .setAudience(tokenAudience)
        .setExpirationTime(nowSeconds + expiresInSeconds)
        .sign(privateKey);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
