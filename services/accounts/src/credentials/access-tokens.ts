import { hkdfSync } from 'node:crypto';
import { Authenticator, type Db, tokenAudience, tokenIssuer } from '@lendtools/service-kit';
import { type CryptoKey, calculateJwkThumbprint, importJWK, SignJWT } from 'jose';
import type { SigningKey } from '../config.ts';
import type { User } from '../domain/user.ts';
import { listRevocations } from '../store/session-repository.ts';
import { listPublicKeys, type PublicKey } from '../store/signing-key-repository.ts';

export interface AccessTokens {
  publicKey: PublicKey;
  /** The secret from which a refresh token's successor is derived. The secret never leaves the process. */
  successorKey: Buffer;
  deviceKey: Buffer;
  challengeKey: Buffer;
  /** Hashes the networks of logins in the audit log. */
  networkKey: Buffer;
  /** Signs the challenges of passkeys. */
  passkeyKey: Buffer;
  /** Callers must read `user` under a lock, so that any later change has a higher version and invalidates the token. */
  sign(
    user: Pick<User, 'id' | 'role' | 'version'>,
    session: {
      id: string;
      tokenMinutes: number;
      authenticatedAt: Date | null;
      /** An admin without the required second factor gets the role of a member. */
      lacksSecondFactor: boolean;
    },
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
    challengeKey: deriveKey(d, 'lendtools login challenge'),
    networkKey: deriveKey(d, 'lendtools audit network'),
    passkeyKey: deriveKey(d, 'lendtools passkey challenge'),
    sign: ({ id, role, version }, session) => {
      const issuedAt = Math.floor(Date.now() / 1000);
      const { authenticatedAt, lacksSecondFactor } = session;
      const claims = lacksSecondFactor ? { role: 'User', lacks: 'second-factor' } : { role };
      const authTime = authenticatedAt && {
        auth_time: Math.floor(authenticatedAt.getTime() / 1000),
      };
      return new SignJWT({ ...claims, sid: session.id, ver: version, ...authTime })
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

/** Reads keys and revocations from the database. Other services request them from the accounts service over HTTP. */
export class OwnAuthenticator extends Authenticator {
  /** The interval between reloads is short, because a reload reads only one or two database rows. */
  protected override readonly leastBetweenKeyLoadsMs = 1_000;
  #db: Db | undefined;

  useDatabase(db: Db): void {
    this.#db = db;
  }

  protected override async fetchKeys(): ReturnType<typeof listPublicKeys> {
    return listPublicKeys(this.#database());
  }

  protected override async fetchRevoked(): ReturnType<typeof listRevocations> {
    return listRevocations(this.#database());
  }

  #database(): Db {
    if (!this.#db) throw new Error('The authenticator has no database yet');
    return this.#db;
  }
}
