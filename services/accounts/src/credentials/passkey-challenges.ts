import { hashToken, newToken } from '@lendtools/service-kit';
import { jwtVerify, SignJWT } from 'jose';

const validMs = 5 * 60_000;
const algorithm = 'HS256';

/** What a passkey's answer to a challenge is accepted for. */
export interface ChallengeUse {
  purpose: 'add passkey' | 'log in' | 'second factor' | 'confirm identity';
  /** The session, or the challenge of the login's first step. A login with a passkey alone has neither. */
  of?: string;
}

/**
 * Signed challenges for passkeys. Nothing is stored before one is answered, so unauthenticated callers can neither fill the
 * database nor invalidate the challenges of others.
 */
export interface PasskeyChallenges {
  issue(use: ChallengeUse): Promise<string>;
  /** When the challenge expires; undefined if it is invalid, expired, or for another use. */
  expiryOf(challenge: string, use: ChallengeUse): Promise<Date | undefined>;
}

const audienceOf = ({ purpose, of = '' }: ChallengeUse): string =>
  hashToken(`${purpose}\n${of}`).toString('base64url');

export const createPasskeyChallenges = (key: Buffer): PasskeyChallenges => ({
  issue: (use) =>
    new SignJWT()
      .setProtectedHeader({ alg: algorithm })
      .setAudience(audienceOf(use))
      .setJti(newToken())
      .setExpirationTime(new Date(Date.now() + validMs))
      .sign(key),
  async expiryOf(challenge, use) {
    const options = { algorithms: [algorithm], audience: audienceOf(use), requiredClaims: ['exp'] };
    return jwtVerify(challenge, key, options).then(
      ({ payload }) => new Date((payload.exp as number) * 1000),
      () => undefined,
    );
  },
});
