import { createHmac, randomUUID } from 'node:crypto';
import { id } from '@lendtools/contracts';
import { decodeJwt, jwtVerify, SignJWT } from 'jose';
import type { User } from '../domain/user.ts';

const validMs = 5 * 60_000;
const algorithm = 'HS256';

type Challenged = Pick<User, 'id' | 'passwordHash'>;

/** Signed proofs that a login's password was right. Nothing is stored, so nobody's logins can crowd out those of others. */
export interface LoginChallenges {
  issue(user: Challenged): Promise<string>;
  /** The user that a challenge names; not yet verified. */
  userIdOf(challenge: string): string | undefined;
  /** Whether the challenge is valid. A new password makes it invalid. */
  isValid(challenge: string, user: Challenged): Promise<boolean>;
}

export const createLoginChallenges = (key: Buffer): LoginChallenges => {
  const keyOf = ({ passwordHash }: Challenged): Buffer =>
    createHmac('sha256', key).update(passwordHash).digest();
  return {
    issue: (user) =>
      new SignJWT()
        .setProtectedHeader({ alg: algorithm })
        .setSubject(user.id)
        // Makes each challenge unique: a passkey's challenge is bound to one login.
        .setJti(randomUUID())
        .setExpirationTime(new Date(Date.now() + validMs))
        .sign(keyOf(user)),
    userIdOf(challenge) {
      try {
        return id.safeParse(decodeJwt(challenge).sub).data;
      } catch {
        return undefined;
      }
    },
    async isValid(challenge, user) {
      const options = { algorithms: [algorithm], subject: user.id, requiredClaims: ['exp'] };
      return jwtVerify(challenge, keyOf(user), options).then(
        () => true,
        () => false,
      );
    },
  };
};
