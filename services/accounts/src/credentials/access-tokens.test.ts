import { execFile } from 'node:child_process';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Authenticator,
  createLogger,
  readConfig,
  tokenAudience,
  tokenIssuer,
} from '@lendtools/service-kit';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, SignJWT } from 'jose';
import {
  type AccountsService,
  cookieOf,
  password,
  sameSite,
  startAccountsService,
} from '../../test/accounts-service.ts';
import { config } from '../config.ts';
import { retireKey } from '../store/signing-key-repository.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const newSession = async () => {
  const { email } = await accounts.signUp();
  return { email, ...(await accounts.logIn(email)) };
};

const statusWith = async (userId: string, token: string): Promise<number> =>
  (await accounts.http.put(`/api/update-account/${userId}`, { token, body: {} })).status;

/** Signs an access token as the accounts service does, but with the given changes. */
const forge = async (
  userId: string,
  {
    claims = {},
    header = {},
    key = accounts.config.JWT_PRIVATE_KEY as JWK,
    issuer = tokenIssuer,
    audience = tokenAudience,
    expires = '15m',
  }: {
    claims?: object;
    header?: object;
    key?: JWK;
    issuer?: string;
    audience?: string;
    expires?: string | number;
  },
): Promise<string> => {
  const { kid } = (await accounts.http.get('/.well-known/jwks.json')).body.keys[0];
  return new SignJWT({ sid: 'any', role: 'User', ver: 1, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'at+jwt', ...header })
    .setSubject(userId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(await importJWK(key, 'EdDSA'));
};

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the accounts service', () => {
  it('issues access tokens for 15 minutes to clients that can refresh them, and for 12 hours to others', async () => {
    const { email } = await accounts.signUp();
    const lifetimeOf = async (more: object, headers: Record<string, string> = {}) => {
      const body = { email, password, ...more };
      const reply = await accounts.http.post('/api/login', { body, headers });
      const { exp = 0, iat = 0 } = decodeJwt(reply.body.token);
      return exp - iat;
    };

    expect(await lifetimeOf({}, sameSite)).toBe(900);
    expect(await lifetimeOf({ returnRefreshToken: true })).toBe(900);
    expect(await lifetimeOf({})).toBe(12 * 3600);
  });

  it('revokes a 12-hour token with its session, also on a replica that starts hours later', async () => {
    const { token, userId } = await newSession();
    const { sid } = decodeJwt(token);
    await accounts.pool.query(
      `UPDATE sessions SET ended_at = now() - interval '11 hours', access_until = now() + interval '1 hour'
       WHERE id = $1`,
      [sid],
    );

    const replica = await accounts.startReplica();
    const { sessions } = (await accounts.http.get('/internal/revocations')).body;
    const rejected = await replica.http.put(`/api/update-account/${userId}`, { token, body: {} });
    await replica.stop();

    expect(sessions).toContainEqual({ sessionId: sid, accessUntil: expect.any(String) });
    expect(rejected.status).toBe(401);
  });

  it('puts only the user, the session, the expiry and the standard claims into an access token', async () => {
    const { token, userId } = await newSession();

    const { exp = 0, iat = 0, ...claims } = decodeJwt(token);

    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'EdDSA',
      kid: expect.any(String),
      typ: 'at+jwt',
    });
    expect(exp - iat).toBeGreaterThan(0);
    expect(claims).toEqual({
      sub: userId,
      sid: expect.any(String),
      role: 'User',
      ver: 1,
      auth_time: expect.any(Number),
      iss: tokenIssuer,
      aud: tokenAudience,
    });
  });

  it('accepts a correctly signed token, as a control for the tests of forged tokens', async () => {
    const { userId } = await newSession();

    expect(await statusWith(userId, await forge(userId, {}))).toBe(200);
  });

  it('rejects a token with an unknown key id, and still accepts valid tokens after reloading the keys', async () => {
    const { userId } = await newSession();

    const byUnknownKey = await forge(userId, { header: { kid: 'unknown' } });

    expect(await statusWith(userId, byUnknownKey)).toBe(401);
    expect(await statusWith(userId, await forge(userId, {}))).toBe(200);
  });

  it.each([
    [
      'signed by another key',
      { key: generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK },
    ],
    ['for another audience', { audience: 'another-api' }],
    ['from another issuer', { issuer: 'evil' }],
    ['that has expired', { expires: Math.floor(Date.now() / 1000) - 1 }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['with an unknown key id', { header: { kid: '../../etc/passwd' } }],
    [
      'that brings its own key',
      {
        key: generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK,
        header: { jku: 'http://evil.example/jwks.json', jwk: { kty: 'OKP' } },
      },
    ],
    ['without a session', { claims: { sid: undefined } }],
    ['without a version of its user', { claims: { ver: undefined } }],
  ])('rejects a token %s', async (_name, forgery) => {
    const { userId } = await newSession();

    expect(await statusWith(userId, await forge(userId, forgery))).toBe(401);
  });

  it.each([
    ['none', (signed: string) => `${signed}.`],
    [
      'HS256',
      (signed: string) =>
        `${signed}.${createHmac('sha256', accounts.config.JWT_PRIVATE_KEY.x).update(signed).digest('base64url')}`,
    ],
  ])('rejects a token with alg %s', async (alg, sign) => {
    const { userId, token } = await newSession();
    const signed = `${base64({ ...decodeProtectedHeader(token), alg })}.${base64(decodeJwt(token))}`;

    expect(await statusWith(userId, sign(signed))).toBe(401);
  });
});

describe('the accounts service with a new signing key', () => {
  const newKey = () =>
    JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
  const kidOf = (token: string) => decodeProtectedHeader(token).kid as string;

  it('accepts the tokens of the old and the new key on every replica', async () => {
    const old = await newSession();
    const service = new Authenticator([accounts.url], createLogger('test', 'silent'));
    await service.verify(old.token);

    const replica = await accounts.startReplica({ JWT_PRIVATE_KEY: newKey() });
    const renewed = await accounts.logIn(old.email, undefined, replica.http);

    expect(kidOf(renewed.token)).not.toBe(kidOf(old.token));
    for (const { userId, token } of [old, renewed]) {
      for (const http of [accounts.http, replica.http])
        expect((await http.put(`/api/update-account/${userId}`, { token, body: {} })).status).toBe(
          200,
        );
      expect(await service.verify(token)).toMatchObject({ userId });
    }
    await replica.stop();
  });

  it('accepts a refresh token again on a replica with the other key, if the first reply was lost', async () => {
    const { cookie } = await newSession();
    const replica = await accounts.startReplica({ JWT_PRIVATE_KEY: newKey() });

    await accounts.refresh(cookie);
    const repeated = await accounts.refresh(cookie, replica.http);
    const next = await accounts.refresh(cookieOf(repeated.headers), replica.http);

    expect([repeated.status, next.status]).toEqual([200, 200]);
    await replica.stop();
  });

  it('retires a key that no replica uses, and then rejects its tokens everywhere', async () => {
    const replica = await accounts.startReplica({ JWT_PRIVATE_KEY: newKey() });
    const { email, userId } = await newSession();
    const { token } = await accounts.logIn(email, undefined, replica.http);
    expect(await statusWith(userId, token)).toBe(200);
    const inUse = await retireKey(accounts.pool, kidOf(token));
    await replica.stop();
    await accounts.pool.query(
      `UPDATE signing_keys SET last_used_at = now() - interval '3 minutes' WHERE kid = $1`,
      [kidOf(token)],
    );

    const outcomes = [inUse, await retireKey(accounts.pool, kidOf(token))];
    // An unknown key id makes the service reload the keys immediately, before the next regular reload.
    await statusWith(userId, await forge(userId, { header: { kid: 'unknown' } }));

    expect(outcomes).toEqual(['in use', 'retired']);
    expect(await statusWith(userId, token)).toBe(401);
  });
});

describe('npm run signing-keys', () => {
  const command = fileURLToPath(new URL('../signing-keys-command.ts', import.meta.url));
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [command, ...args], {
      env: { DATABASE_URL: accounts.databaseUrl },
    });

  it('prints a new signing key that the accounts service accepts', async () => {
    const { stdout } = await run('new');

    const read = readConfig(config, { ...accounts.env, JWT_PRIVATE_KEY: stdout });
    expect(read.JWT_PRIVATE_KEY.x).not.toBe(accounts.config.JWT_PRIVATE_KEY.x);
  });

  const kidInUse = async () => decodeProtectedHeader((await newSession()).token).kid as string;

  it('lists the valid signing keys', async () => {
    const { stdout } = await run('list');

    expect(stdout).toContain(await kidInUse());
  });

  it('accepts a key id that begins with a hyphen', async () => {
    await expect(run('retire', '-tq8W')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no key -tq8W.'),
    });
  });

  it('does not retire a signing key in use', async () => {
    const rejection = run('retire', await kidInUse());

    await expect(rejection).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('within the last two minutes'),
    });
  });
});

describe('GET /.well-known/jwks.json', () => {
  it('publishes the public key and no part of the private one', async () => {
    const { body } = await accounts.http.get('/.well-known/jwks.json');

    const { x } = accounts.config.JWT_PRIVATE_KEY;
    expect(body.keys.filter((key: JWK) => key.x === x)).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x, kid: expect.any(String), alg: 'EdDSA', use: 'sig' },
    ]);
    expect(JSON.stringify(body)).not.toContain('"d"');
  });
});

describe('GET /internal/revocations', () => {
  it('lists only ended sessions whose last token has not expired', async () => {
    const [recent, old] = [await newSession(), await newSession()];
    await accounts.http.post('/api/logout', { token: recent.token });
    await accounts.http.post('/api/logout', { token: old.token });
    await accounts.pool.query(
      `UPDATE sessions SET access_until = now() - interval '46 minutes' WHERE user_id = $1`,
      [old.userId],
    );

    const { body } = await accounts.http.get('/internal/revocations');

    const sessionIds = body.sessions.map(({ sessionId }: { sessionId: string }) => sessionId);
    expect(sessionIds).toContain(decodeJwt(recent.token).sid);
    expect(sessionIds).not.toContain(decodeJwt(old.token).sid);
  });
});
