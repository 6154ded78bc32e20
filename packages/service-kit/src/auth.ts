import { setTimeout as delay } from 'node:timers/promises';
import { internalRoutes, type Revoked } from '@lendtools/contracts';
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { call } from './call.ts';
import { unauthenticated, unavailable } from './errors.ts';
import type { Logger } from './logging.ts';
import { Revocations } from './revocations.ts';
import { Upstreams } from './upstreams.ts';

export const tokenIssuer = 'lendtools';
export const tokenAudience = 'lendtools-api';

/** Who is calling, according to the access token. */
export interface Identity {
  userId: string;
  role: 'User' | 'Admin';
  sessionId: string;
  /**
   * The user's version when the token was issued. Disabling the account or changing its role raises the version and
   * so invalidates the token.
   */
  userVersion: number;
  expiresAtMs: number;
  /** The raw token, for calls to other services on the caller's behalf. */
  token: string;
}

const callOptions = { timeoutMs: 3_000 };
const retryLoadMs = 1_000;
/** While accounts is reachable, this process accepts a key that accounts has retired for at most this long. */
const reloadAfterMs = 10 * 60_000;
/** How many requests may wait for new keys. Each of them holds a gateway connection, so further ones get 503. */
const maxWaiting = 100;

/**
 * Verifies access tokens against accounts' public keys and recent revocations.
 *
 * Both are loaded at startup, before the first request that comes 10 minutes after the last load, and after each
 * reconnect to the broker, because revocations published meanwhile were missed. A failed load is retried until
 * accounts replies.
 *
 * A token with an unknown key waits until the keys have been fetched again, because accounts may have rotated them.
 * Verifying a token takes 83 us, so a verified one is cached until it expires.
 */
export class Authenticator {
  readonly revocations = new Revocations();
  /** Limits key requests to accounts: any client can send tokens with unknown keys. */
  protected readonly leastBetweenKeyLoadsMs: number = 10_000;
  readonly #accounts: Upstreams;
  readonly #logger: Logger;
  readonly #verified = new Map<string, Identity>();
  #keys: JWTVerifyGetKey | undefined;
  #keysJson = '';
  #loading: Promise<void> | undefined;
  /** The timer of the next load, set while loads from accounts fail. */
  #retry: NodeJS.Timeout | undefined;
  #loadedAtMs = 0;
  #nextKeys: Promise<boolean> | undefined;
  #keysUnderWay: Promise<boolean> | undefined;
  #askedForKeysAtMs = Number.NEGATIVE_INFINITY;
  #waiting = 0;

  constructor(accountsUrls: readonly string[], logger: Logger) {
    this.#accounts = new Upstreams(accountsUrls);
    this.#logger = logger;
  }

  /** Waits for a load in progress, which may have read too early, then tries once more. Never throws. */
  async load(): Promise<void> {
    await this.#loading;
    await this.#tryToLoad();
  }

  #tryToLoad(): Promise<void> {
    this.#loading ??= Promise.all([this.askForKeys(), this.askForRevoked()])
      .then(([keys, revoked]) => {
        clearTimeout(this.#retry);
        this.#retry = undefined;
        this.#useKeys(keys);
        this.#loadedAtMs = performance.now();
        this.revocations.load(revoked);
      })
      .catch((error: unknown) => {
        this.#warn(error);
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => void this.#tryToLoad(), retryLoadMs).unref();
      })
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }

  protected async askForKeys(): Promise<JSONWebKeySet> {
    return (await call(this.#accounts, internalRoutes.publicKeys, callOptions)) as JSONWebKeySet;
  }

  protected askForRevoked(): Promise<Revoked> {
    return call(this.#accounts, internalRoutes.revocations, callOptions);
  }

  #warn(error: unknown): void {
    this.#logger.warn({ err: error }, 'loading keys or revocations from accounts failed');
  }

  #useKeys(keys: JSONWebKeySet): void {
    const json = JSON.stringify(keys);
    if (json === this.#keysJson) return;
    this.#keysJson = json;
    this.#keys = createLocalJWKSet(keys);
    this.#verified.clear();
  }

  /**
   * Returns the identity behind a bearer token.
   * @throws AppError 401 when the token is malformed, foreign, expired or revoked; 503 while accounts' keys are unknown
   */
  async verify(token: string): Promise<Identity> {
    const isOld = performance.now() - this.#loadedAtMs > reloadAfterMs;
    // While accounts is unreachable, use the cached keys and don't make requests wait for it.
    if (!this.#keys || (isOld && !this.#retry)) await this.#tryToLoad();
    const identity = this.#verified.get(token) ?? (await this.#verifyNew(token));
    if (identity.expiresAtMs <= Date.now() || this.revocations.refuses(identity)) {
      this.#verified.delete(token);
      throw unauthenticated();
    }
    return identity;
  }

  async #verifyNew(token: string): Promise<Identity> {
    let identity = await this.#read(token);
    // The fetch in progress may already return the new key.
    if (identity === 'unknown key' && this.#keysUnderWay) {
      await this.#keysUnderWay;
      identity = await this.#read(token);
    }
    if (identity === 'unknown key') {
      if (this.#waiting >= maxWaiting) throw unavailable();
      this.#waiting += 1;
      const isFetched = await this.#askForNextKeys().finally(() => {
        this.#waiting -= 1;
      });
      if (!isFetched) throw unavailable();
      identity = await this.#read(token);
    }
    if (typeof identity === 'string') throw unauthenticated();
    if (this.#verified.size >= 10_000) this.#verified.clear();
    this.#verified.set(token, identity);
    return identity;
  }

  #read(token: string): ReturnType<typeof readToken> {
    if (!this.#keys) throw unavailable();
    return readToken(token, this.#keys);
  }

  /** Coalesces callers into one fetch that has not started yet, so that its reply is not older than their tokens. */
  #askForNextKeys(): Promise<boolean> {
    const waitMs = this.#askedForKeysAtMs + this.leastBetweenKeyLoadsMs - performance.now();
    this.#nextKeys ??= delay(Math.max(0, waitMs), undefined, { ref: false }).then(() => {
      this.#nextKeys = undefined;
      this.#askedForKeysAtMs = performance.now();
      this.#keysUnderWay = this.askForKeys()
        .then(
          (keys) => {
            this.#useKeys(keys);
            return true;
          },
          (error: unknown) => {
            this.#warn(error);
            return false;
          },
        )
        .finally(() => {
          this.#keysUnderWay = undefined;
        });
      return this.#keysUnderWay;
    });
    return this.#nextKeys;
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
    // Tokens issued before 0005_signing_keys.sql have no version.
    userVersion: typeof payload.ver === 'number' ? payload.ver : 0,
    expiresAtMs: (payload.exp as number) * 1000,
    token,
  };
};

/** The token of an `Authorization` header. The documented clients send it as `Bearer` or as `JWT`. */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^(?:Bearer|JWT) +(\S+)$/i.exec(header ?? '')?.[1];
