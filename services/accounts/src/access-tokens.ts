import { hkdfSync } from 'node:crypto';
import {
  Authenticator,
  accessTokenMinutes,
  type Db,
  type Logger,
  tokenAudience,
  tokenIssuer,
} from '@lendtools/service-kit';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  importJWK,
  type JSONWebKeySet,
  SignJWT,
} from 'jose';
import type { SigningKey } from './config.ts';
import { listRevocations } from './session-repository.ts';
import type { User } from './user-repository.ts';

/** Signs access tokens, and knows what others need to verify them. */
export interface AccessTokens {
  publicKeys: JSONWebKeySet;
  /** Derives the successors of refresh tokens; never leaves the process. */
  successorKey: Buffer;
  sign(user: Pick<User, 'id' | 'role'>, sessionId: string, issuedAtMs: number): Promise<string>;
}

export const createAccessTokens = async (key: SigningKey): Promise<AccessTokens> => {
  const privateKey = (await importJWK(key, 'EdDSA')) as CryptoKey;
  const { d, ...publicPart } = key;
  const kid = await calculateJwkThumbprint(publicPart);
  return {
    publicKeys: { keys: [{ ...publicPart, kid, alg: 'EdDSA', use: 'sig' }] },
    successorKey: Buffer.from(
      hkdfSync('sha256', Buffer.from(d, 'base64url'), '', 'lendtools refresh successor', 32),
    ),
    sign: (user, sessionId, issuedAtMs) => {
      const issuedAt = Math.floor(issuedAtMs / 1000);
      return new SignJWT({ role: user.role, sid: sessionId, iatMs: issuedAtMs })
        .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'at+jwt' })
        .setSubject(user.id)
        .setIssuer(tokenIssuer)
        .setAudience(tokenAudience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenMinutes * 60)
        .sign(privateKey);
    },
  };
};

/** Accounts asks its own database where other services ask accounts. */
export class OwnAuthenticator extends Authenticator {
  readonly #publicKeys: JSONWebKeySet;
  readonly #ownLogger: Logger;
  #db: Db | undefined;

  constructor(publicKeys: JSONWebKeySet, logger: Logger) {
    super([], logger);
    this.#publicKeys = publicKeys;
    this.#ownLogger = logger;
    this.useKeys(publicKeys);
  }

  useDatabase(db: Db): void {
    this.#db = db;
  }

  override async load(): Promise<void> {
    this.useKeys(this.#publicKeys);
    try {
      if (this.#db) this.revocations.load(await listRevocations(this.#db));
    } catch (error) {
      this.#ownLogger.warn({ err: error }, 'recent revocations could not be read');
    }
  }
}
