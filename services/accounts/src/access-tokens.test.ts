import { createHmac, generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { tokenAudience, tokenIssuer } from '@lendtools/service-kit';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, SignJWT } from 'jose';
import { type AccountsService, startAccountsService } from '../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => accounts.stop());

const newSession = async () => accounts.logIn((await accounts.signUp()).email);

const statusWith = async (userId: string, token: string): Promise<number> =>
  (await accounts.http.put(`/api/update-account/${userId}`, { token, body: {} })).status;

/** A token like accounts' own but for what is given, signed by its key unless another is. */
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
  return new SignJWT({ sid: 'any', role: 'User', iatMs: Date.now(), ...claims })
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'at+jwt', ...header })
    .setSubject(userId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(await importJWK(key, 'EdDSA'));
};

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an access token', () => {
  it('says who, in which session, for 15 minutes, and nothing more', async () => {
    const { token, userId } = await newSession();

    const { exp = 0, iat = 0, ...claims } = decodeJwt(token);

    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'EdDSA',
      kid: expect.any(String),
      typ: 'at+jwt',
    });
    expect(exp - iat).toBe(900);
    expect(claims).toEqual({
      sub: userId,
      sid: expect.any(String),
      role: 'User',
      iatMs: expect.any(Number),
      iss: tokenIssuer,
      aud: tokenAudience,
    });
  });

  it('of our own making is taken, so that the forgeries below fail for their own reason', async () => {
    const { userId } = await newSession();

    expect(await statusWith(userId, await forge(userId, {}))).toBe(200);
  });

  it('by an unknown key costs nobody else their access, though the keys are read again for it', async () => {
    const { userId } = await newSession();
    const inAMinute = Date.now() + 61_000;
    jest.spyOn(Date, 'now').mockReturnValue(inAMinute);

    const byUnknownKey = await forge(userId, { header: { kid: 'unknown' } });

    expect(await statusWith(userId, byUnknownKey)).toBe(401);
    expect(await statusWith(userId, await forge(userId, {}))).toBe(200);
  });

  it.each([
    [
      'by another key',
      { key: generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK },
    ],
    ['for another audience', { audience: 'another-api' }],
    ['by another issuer', { issuer: 'evil' }],
    ['that expired', { expires: Math.floor(Date.now() / 1000) - 1 }],
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
  ])('%s is refused', async (_name, how) => {
    const { userId } = await newSession();

    expect(await statusWith(userId, await forge(userId, how))).toBe(401);
  });

  it.each([
    ['none', (signed: string) => `${signed}.`],
    [
      'HS256',
      (signed: string) =>
        `${signed}.${createHmac('sha256', accounts.config.JWT_PRIVATE_KEY.x).update(signed).digest('base64url')}`,
    ],
  ])('with alg %s is refused', async (alg, sign) => {
    const { userId, token } = await newSession();
    const signed = `${base64({ ...decodeProtectedHeader(token), alg })}.${base64(decodeJwt(token))}`;

    expect(await statusWith(userId, sign(signed))).toBe(401);
  });
});

describe('GET /.well-known/jwks.json', () => {
  it('shows the public key and nothing of the private one', async () => {
    const { body } = await accounts.http.get('/.well-known/jwks.json');

    expect(body).toEqual({
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: accounts.config.JWT_PRIVATE_KEY.x,
          kid: expect.any(String),
          alg: 'EdDSA',
          use: 'sig',
        },
      ],
    });
  });
});

describe('GET /internal/revocations', () => {
  it('lists what ended within the life of a token, and nothing older', async () => {
    const [recent, old] = [await newSession(), await newSession()];
    await accounts.http.post('/api/logout', { token: recent.token });
    await accounts.http.post('/api/logout', { token: old.token });
    await accounts.pool.query(
      `UPDATE sessions SET ended_at = now() - interval '17 minutes' WHERE user_id = $1`,
      [old.userId],
    );

    const { body } = await accounts.http.get('/internal/revocations');

    const sessionIds = body.sessions.map(({ sessionId }: { sessionId: string }) => sessionId);
    expect(sessionIds).toContain(decodeJwt(recent.token).sid);
    expect(sessionIds).not.toContain(decodeJwt(old.token).sid);
  });
});
