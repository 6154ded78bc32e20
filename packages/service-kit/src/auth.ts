import { setTimeout as delay } from 'node:timers/promises';
import { internalRoutes, type Revoked, type Role, roles } from '@lendtools/contracts';
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

export interface Identity {
  userId: string;
  role: Role;
  sessionId: string;
  /**
   * The user's version when the token was issued. Disabling the user or changing the role raises the version, which revokes older
   * tokens.
   */
  userVersion: number;
  expiresAtMs: number;
  /** True for an admin whose role is `User` until they set up a second factor. */
  lacksSecondFactor: boolean;
  /** When the user proved their identity at the start of the session; 0 if the token does not say. */
  authenticatedAtMs: number;
  token: string;
}

/** The caller of a route. `role` is `Admin` only if the account's role has the permission of the route. */
export interface Caller extends Identity {
  role: 'User' | 'Admin';
  accountRole: Role;
}

const callOptions = { timeoutMs: 3_000 };
const retryLoadMs = 1_000;
/** A key retired by the accounts service is accepted for at most this long, unless that service is unreachable. */
const reloadAfterMs = 10 * 60_000;
/** How many requests may wait for new keys. Each of them holds a gateway connection, so further ones get 503. */
const maxWaiting = 100;

/**
 * Verifies access tokens with public keys and recent revocations from the accounts service. Loads both again after 10
 * minutes, after each reconnect to the broker (revocations may have been missed), and for a token with an unknown key
 * (the accounts service may have rotated its keys). Verified tokens are cached, because verifying takes 83 us.
 */
export class Authenticator {
  readonly revocations = new Revocations();
  /** Any client can send tokens with unknown keys, so key requests to the accounts service are limited. */
  protected readonly leastBetweenKeyLoadsMs: number = 10_000;
  readonly #accounts: Upstreams;
  readonly #logger: Logger;
  readonly #verified = new Map<string, Identity>();
  #keys: JWTVerifyGetKey | undefined;
  #keysJson = '';
  #loading: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #loadedAtMs = 0;
  #nextKeys: Promise<boolean> | undefined;
  #keysUnderWay: Promise<boolean> | undefined;
  #requestedForKeysAtMs = Number.NEGATIVE_INFINITY;
  #waiting = 0;

  constructor(accountsUrls: readonly string[], logger: Logger) {
    this.#accounts = new Upstreams(accountsUrls);
    this.#logger = logger;
  }

  /**
   * Loads keys and revocations. Never throws. A load in progress may have read outdated data, so this waits for it and loads again.
   */
  async load(): Promise<void> {
    await this.#loading;
    await this.#tryToLoad();
  }

  #tryToLoad(): Promise<void> {
    this.#loading ??= Promise.all([this.fetchKeys(), this.fetchRevoked()])
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

  protected async fetchKeys(): Promise<JSONWebKeySet> {
    return (await call(this.#accounts, internalRoutes.publicKeys, callOptions)) as JSONWebKeySet;
  }

  protected fetchRevoked(): Promise<Revoked> {
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

  /** @throws AppError 401 for an invalid, expired or revoked token; 503 while the accounts service's keys are unknown */
  async verify(token: string): Promise<Identity> {
    const isOld = performance.now() - this.#loadedAtMs > reloadAfterMs;
    if (!this.#keys || (isOld && !this.#retry)) await this.#tryToLoad();
    const identity = this.#verified.get(token) ?? (await this.#verifyNew(token));
    if (identity.expiresAtMs <= Date.now() || this.revocations.rejects(identity)) {
      this.#verified.delete(token);
      throw unauthenticated();
    }
    return identity;
  }

  async #verifyNew(token: string): Promise<Identity> {
    let identity = await this.#read(token);
    // Wait for the fetch in progress, which may already return the new key.
    if (identity === 'unknown key' && this.#keysUnderWay) {
      await this.#keysUnderWay;
      identity = await this.#read(token);
    }
    if (identity === 'unknown key') {
      if (this.#waiting >= maxWaiting) throw unavailable();
      this.#waiting += 1;
      const isFetched = await this.#fetchNextKeys().finally(() => {
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

  /** Coalesces callers into one fetch that has not started yet: a running one may miss the newest key. */
  #fetchNextKeys(): Promise<boolean> {
    const waitMs = this.#requestedForKeysAtMs + this.leastBetweenKeyLoadsMs - performance.now();
    this.#nextKeys ??= delay(Math.max(0, waitMs), undefined, { ref: false }).then(() => {
      this.#nextKeys = undefined;
      this.#requestedForKeysAtMs = performance.now();
      this.#keysUnderWay = this.fetchKeys()
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
    requiredClaims: ['sub', 'sid', 'role', 'ver', 'exp'],
  });
  return {
    userId: payload.sub as string,
    role: roles.find((role) => role === payload.role) ?? 'User',
    sessionId: payload.sid as string,
    userVersion: payload.ver as number,
    expiresAtMs: (payload.exp as number) * 1000,
    lacksSecondFactor: payload.lacks === 'second-factor',
    authenticatedAtMs: (typeof payload.auth_time === 'number' ? payload.auth_time : 0) * 1000,
    token,
  };
};

/** The token of an `Authorization` header. The documented clients send it as `Bearer` or as `JWT`. */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^(?:Bearer|JWT) +(\S+)$/i.exec(header ?? '')?.[1];
