import { setTimeout as delay } from 'node:timers/promises';
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { z } from 'zod';
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
  /** The user's version when the token was issued: what cut their access since has a higher one. */
  userVersion: number;
  expiresAtMs: number;
  /** The token itself, to ask another service on the caller's behalf. */
  token: string;
}

const retryLoadMs = 1_000;
/** Anybody can name a key that there is not: however many do, accounts is asked once in this time. */
const leastBetweenLoadsMs = 1_000;
/** For no longer than this does a key count here that accounts has retired. */
const reloadAfterMs = 10 * 60_000;

/** What accounts tells: its public keys, and what was revoked within the life of a token. */
export interface KeysAndRevocations {
  keys: JSONWebKeySet;
  revoked: z.infer<typeof revocationsReply>;
}

/**
 * Verifies access tokens against accounts' public keys and recent revocations. Both are loaded at start, now and then,
 * and whenever the broker's connection is new, because what was revoked meanwhile was heard by nobody here; a load that
 * fails is tried again until accounts answers. A token by an unknown key waits for the next load: accounts may have taken
 * a new one into use. A verified token is remembered for its short life: verifying one takes 83 us.
 */
export class Authenticator {
  readonly revocations = new Revocations();
  readonly #accounts: Upstreams;
  readonly #logger: Logger;
  readonly #verified = new Map<string, Identity>();
  #keys: JWTVerifyGetKey | undefined;
  #loading: Promise<boolean> | undefined;
  #nextLoad: Promise<boolean> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #loadedAtMs = 0;

  constructor(accountsUrls: readonly string[], logger: Logger) {
    this.#accounts = new Upstreams(accountsUrls);
    this.#logger = logger;
  }

  /** Resolves after one try that began after this call: an earlier one may have read too early. Never throws. */
  async load(): Promise<void> {
    await this.#loading;
    await this.#tryToLoad();
  }

  /** Whether accounts answered. */
  #tryToLoad(): Promise<boolean> {
    this.#askedAtMs = performance.now();
    this.#loading ??= this.askAccounts()
      .then(({ keys, revoked }) => {
        this.#useKeys(keys);
        this.revocations.load(revoked);
        return true;
      })
      .catch((error: unknown) => {
        this.#logger.warn({ err: error }, 'accounts could not be asked for its keys');
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => void this.#tryToLoad(), retryLoadMs).unref();
        return false;
      })
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }

  /** One load for all who wait for it; it has yet to begin, so that it tells what is true now. */
  #loadNext(): Promise<boolean> {
    const waitMs = this.#askedAtMs + leastBetweenLoadsMs - performance.now();
    this.#nextLoad ??= delay(Math.max(0, waitMs), undefined, { ref: false })
      .then(() => this.#loading)
      .then(() => {
        this.#nextLoad = undefined;
        return this.#tryToLoad();
      });
    return this.#nextLoad;
  }

  protected async askAccounts(): Promise<KeysAndRevocations> {
    const get = async (path: string): Promise<unknown> => {
      const reply = await this.#accounts.fetch(path, { signal: AbortSignal.timeout(3_000) });
      if (!reply.ok) throw new Error(`accounts answered ${reply.status} at ${path}`);
      return reply.json();
    };
    const [keys, revoked] = await Promise.all([
      get('/.well-known/jwks.json'),
      get('/internal/revocations'),
    ]);
    return { keys: keys as JSONWebKeySet, revoked: revocationsReply.parse(revoked) };
  }

  #useKeys(keys: JSONWebKeySet): void {
    this.#keys = createLocalJWKSet(keys);
    this.#loadedAtMs = performance.now();
    this.#verified.clear();
  }

  /**
   * The identity behind a Bearer token.
   * @throws AppError 401 when the token is malformed, foreign, expired or revoked; 503 while accounts can't tell its keys.
   */
  async verify(token: string): Promise<Identity> {
    if (this.#keys && performance.now() - this.#loadedAtMs > reloadAfterMs) void this.#loadNext();
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
    let identity = await readToken(token, this.#keys);
    if (identity === 'unknown key') {
      if (!(await this.#loadNext())) throw unavailable();
      identity = await readToken(token, this.#keys);
    }
    if (typeof identity === 'string') throw unauthenticated();
    if (this.#verified.size >= 10_000) this.#verified.clear();
    this.#verified.set(token, identity);
    return identity;
  }
}

const readToken = async (
  token: string,
  keys: JWTVerifyGetKey,
): Promise<Identity | 'unknown key' | 'invalid'> => {
  try {
    return await verifyToken(token, keys);
  } catch (error) {
    return error instanceof errors.JWKSNoMatchingKey ? 'unknown key' : 'invalid';
  }
};

const verifyToken = async (token: string, keys: JWTVerifyGetKey): Promise<Identity> => {
  const { payload } = await jwtVerify(token, keys, {
    algorithms: ['EdDSA'],
    issuer: tokenIssuer,
    audience: tokenAudience,
    typ: 'at+jwt',
    requiredClaims: ['sub', 'sid', 'role', 'exp'],
  });
  return {
    userId: payload.sub as string,
    role: payload.role === 'Admin' ? 'Admin' : 'User',
    sessionId: payload.sid as string,
    // A token of accounts before 0005_signing_keys.sql has none.
    userVersion: typeof payload.ver === 'number' ? payload.ver : 0,
    expiresAtMs: (payload.exp as number) * 1000,
    token,
  };
};

/** The token of an `Authorization` header: the documented clients send it as `Bearer` or as `JWT`. */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^(?:Bearer|JWT) +(\S+)$/i.exec(header ?? '')?.[1];
