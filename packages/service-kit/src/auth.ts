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
  /** The user's version when the token was issued: anything that ended their access since has a higher one. */
  userVersion: number;
  expiresAtMs: number;
  /** The token itself, to ask another service on the caller's behalf. */
  token: string;
}

const asking = { timeoutMs: 3_000 };
const retryLoadMs = 1_000;
/** While accounts answers, a key that it has retired is valid here for no longer than this. */
const reloadAfterMs = 10 * 60_000;
/** Each request that waits for new keys holds one of the gateway's connections: beyond that many they get 503. */
const maxWaiting = 100;

/**
 * Verifies access tokens against accounts' public keys and recent revocations. Both are loaded at start, before the first
 * request that comes ten minutes later, and whenever the broker's connection is new, because what was revoked meanwhile
 * was not consumed here; a load that fails is tried again until accounts answers. A token by an unknown key waits until
 * accounts was asked for its keys: it may have taken a new one into use. A verified token is remembered for its short
 * life: verifying one takes 83 us.
 */
export class Authenticator {
  readonly revocations = new Revocations();
  /** Anybody can name an unknown key: however many do, accounts is asked for its keys once in this time. */
  protected readonly leastBetweenKeyLoadsMs: number = 10_000;
  readonly #accounts: Upstreams;
  readonly #logger: Logger;
  readonly #verified = new Map<string, Identity>();
  #keys: JWTVerifyGetKey | undefined;
  #keysAsTold = '';
  #loading: Promise<void> | undefined;
  /** While accounts does not answer. */
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

  /** Resolves after one try that began after this call: an earlier one may have read too early. Never throws. */
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
    return (await call(this.#accounts, internalRoutes.publicKeys, asking)) as JSONWebKeySet;
  }

  protected askForRevoked(): Promise<Revoked> {
    return call(this.#accounts, internalRoutes.revocations, asking);
  }

  #warn(error: unknown): void {
    this.#logger.warn({ err: error }, 'accounts could not be asked for its keys');
  }

  #useKeys(keys: JSONWebKeySet): void {
    const told = JSON.stringify(keys);
    if (told === this.#keysAsTold) return;
    this.#keysAsTold = told;
    this.#keys = createLocalJWKSet(keys);
    this.#verified.clear();
  }

  /**
   * The identity behind a Bearer token.
   * @throws AppError 401 when the token is malformed, foreign, expired or revoked; 503 while accounts' keys are unknown.
   */
  async verify(token: string): Promise<Identity> {
    const isOld = performance.now() - this.#loadedAtMs > reloadAfterMs;
    // Nobody waits for accounts while it is known to be away: then the keys that we have go on counting.
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
    // What is under way may have been asked before the key was there; most often it was not.
    if (identity === 'unknown key' && this.#keysUnderWay) {
      await this.#keysUnderWay;
      identity = await this.#read(token);
    }
    if (identity === 'unknown key') {
      if (this.#waiting >= maxWaiting) throw unavailable();
      this.#waiting += 1;
      const isTold = await this.#askForNextKeys().finally(() => {
        this.#waiting -= 1;
      });
      if (!isTold) throw unavailable();
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

  /** Asked once for all who wait for it; it has yet to begin, so that the reply is current. */
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
    // A token of accounts before 0005_signing_keys.sql has none.
    userVersion: typeof payload.ver === 'number' ? payload.ver : 0,
    expiresAtMs: (payload.exp as number) * 1000,
    token,
  };
};

/** The token of an `Authorization` header: the documented clients send it as `Bearer` or as `JWT`. */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^(?:Bearer|JWT) +(\S+)$/i.exec(header ?? '')?.[1];
