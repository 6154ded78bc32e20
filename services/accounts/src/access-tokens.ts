import { hkdfSync } from 'node:crypto';
import { Authenticator, type Db, tokenAudience, tokenIssuer } from '@lendtools/service-kit';
import { type CryptoKey, calculateJwkThumbprint, importJWK, SignJWT } from 'jose';
import type { SigningKey } from './config.ts';
import { listRevocations } from './session-repository.ts';
import { listPublicKeys, type PublicKey } from './signing-key-repository.ts';
import type { User } from './user-repository.ts';

export interface AccessTokens {
  publicKey: PublicKey;
  /** Derives a refresh token's successor; never leaves the process. */
  successorKey: Buffer;
  deviceKey: Buffer;
  /** `user` must be read under a lock: a change after that read has a higher version and invalidates the token. */
  sign(
    user: Pick<User, 'id' | 'role' | 'version'>,
    session: { id: string; tokenMinutes: number },
  ): Promise<string>;
}

export const createAccessTokens = async (key: SigningKey): Promise<AccessTokens> => {
  const privateKey = (await importJWK(key, 'EdDSA')) as CryptoKey;
  const { d, ...publicPart } = key;
  const kid = await calculateJwkThumbprint(publicPart);
  return {
    publicKey: { ...publicPart, kid, alg: 'EdDSA', use: 'sig' },
    successorKey: deriveKey(d, 'lendtools refresh successor'),
    deviceKey: deriveKey(d, 'lendtools device cookie'),
    sign: ({ id, role, version }, session) => {
      const nowMs = Date.now();
      const issuedAt = Math.floor(nowMs / 1000);
      // `iatMs` is for replicas of other services that do not support `ver` yet.
      return new SignJWT({ role, sid: session.id, ver: version, iatMs: nowMs })
        .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'at+jwt' })
        .setSubject(id)
        .setIssuer(tokenIssuer)
        .setAudience(tokenAudience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + session.tokenMinutes * 60)
        .sign(privateKey);
    },
  };
};

const deriveKey = (d: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', purpose, 32));

/** Reads accounts' own database where other services call accounts. */
export class OwnAuthenticator extends Authenticator {
  /** A reload reads only a row or two of accounts' own database. */
  protected override readonly leastBetweenKeyLoadsMs = 1_000;
  #db: Db | undefined;

  useDatabase(db: Db): void {
    this.#db = db;
  }

  protected override async askForKeys(): ReturnType<typeof listPublicKeys> {
    return listPublicKeys(this.#database());
  }

  protected override async askForRevoked(): ReturnType<typeof listRevocations> {
    return listRevocations(this.#database());
  }

  #database(): Db {
    if (!this.#db) throw new Error('The authenticator has no database yet');
    return this.#db;
  }
}
