import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { unauthenticated, unavailable } from './errors.ts';
import type { Logger } from './logging.ts';
import { Revocations, revocationsReply } from './revocations.ts';
import { Upstreams } from './upstreams.ts';

export const tokenIssuer = 'lendtools';
export const tokenAudience = 'lendtools-api';

/** Who asks, as the access token says. */
export interface Identity {
  userId: string;
  role: 'User' | 'Admin';
  sessionId: string;
  issuedAtMs: number;
  expiresAtMs: number;
  /** The token itself, to ask another service on the caller's behalf. */
  token: string;
}

const retryLoadMs = 1_000;

/**
 * Verifies access tokens against accounts' public keys and recent revocations. Both are loaded at start and whenever
 * the broker's connection is new, because what was revoked meanwhile was heard by nobody here; a load that fails is
 * tried again until accounts answers. A verified token is remembered for its short life: verifying one takes 83 us.
 */
export class Authenticator {
  readonly revocations = new Revocations();
  readonly #accounts: Upstreams;
  readonly #logger: Logger;
  readonly #verified = new Map<string, Identity>();
  #keys: JWTVerifyGetKey | undefined;
  #loading: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #keysLoadedAtMs = 0;

  constructor(accountsUrls: readonly string[], logger: Logger) {
    this.#accounts = new Upstreams(accountsUrls);
    this.#logger = logger;
  }

  /** Resolves after one try that began after this call: an earlier one may have read too early. Never throws. */
  async load(): Promise<void> {
    await this.#loading;
    await this.#tryToLoad();
  }

  #tryToLoad(): Promise<void> {
    this.#loading ??= this.#fetch()
      .catch((error: unknown) => {
        this.#logger.warn({ err: error }, 'accounts could not be asked for its keys');
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => void this.#tryToLoad(), retryLoadMs).unref();
      })
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }

  async #fetch(): Promise<void> {
    const get = async (path: string): Promise<unknown> => {
      const reply = await this.#accounts.fetch(path, { signal: AbortSignal.timeout(3_000) });
      if (!reply.ok) throw new Error(`accounts answered ${reply.status} at ${path}`);
      return reply.json();
    };
    const [keys, revoked] = await Promise.all([
      get('/.well-known/jwks.json'),
      get('/internal/revocations'),
    ]);
    this.useKeys(keys as JSONWebKeySet);
    this.revocations.load(revocationsReply.parse(revoked));
  }

  /** Accounts itself, and tests, know the keys without asking. */
  useKeys(keys: JSONWebKeySet): void {
    this.#keys = createLocalJWKSet(keys);
    this.#keysLoadedAtMs = Date.now();
    this.#verified.clear();
  }

  /**
   * The identity behind a Bearer token.
   * @throws AppError 401 when the token is malformed, foreign, expired or revoked; 503 while no key is known.
   */
  async verify(token: string): Promise<Identity> {
    const identity = this.#verified.get(token) ?? (await this.#verifyNew(token));
    if (identity.expiresAtMs <= Date.now() || this.revocations.refuses(identity)) {
      this.#verified.delete(token);
      throw unauthenticated();
    }
    return identity;
  }

  async #verifyNew(token: string): Promise<Identity> {
    if (!this.#keys) await this.#tryToLoad();
    if (!this.#keys) throw unavailable();
    try {
      const identity = await readToken(token, this.#keys);
      if (this.#verified.size >= 10_000) this.#verified.clear();
      this.#verified.set(token, identity);
      return identity;
    } catch (error) {
      // Perhaps a key that accounts took into use since: ask for the set again, at most once a minute, and go on with
      // the known ones meanwhile, because anybody can name a key that there is not.
      if (error instanceof errors.JWKSNoMatchingKey && Date.now() - this.#keysLoadedAtMs > 60_000) {
        this.#keysLoadedAtMs = Date.now();
        await this.load();
        return this.#verifyNew(token);
      }
      throw unauthenticated();
    }
  }
}

const readToken = async (token: string, keys: JWTVerifyGetKey): Promise<Identity> => {
  const { payload } = await jwtVerify(token, keys, {
    algorithms: ['EdDSA'],
    issuer: tokenIssuer,
    audience: tokenAudience,
    typ: 'at+jwt',
    requiredClaims: ['sub', 'sid', 'role', 'exp', 'iatMs'],
  });
  return {
    userId: payload.sub as string,
    role: payload.role === 'Admin' ? 'Admin' : 'User',
    sessionId: payload.sid as string,
    issuedAtMs: payload.iatMs as number,
    expiresAtMs: (payload.exp as number) * 1000,
    token,
  };
};

/** The token of an `Authorization` header: the documented clients send it as `Bearer` or as `JWT`. */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^(?:Bearer|JWT) +(\S+)$/i.exec(header ?? '')?.[1];
