import type { NewPasskey, PasskeyAnswer } from '@lendtools/contracts';
import type { Logger, Transaction } from '@lendtools/service-kit';
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import type { ChallengeUse, PasskeyChallenges } from '../../credentials/passkey-challenges.ts';
import { passkeyCopied, passkeyNeedsPassword, passkeyRejected } from '../../domain/errors.ts';
import { isCounterBehind } from '../../domain/second-factor-rules.ts';
import {
  lockPasskey,
  recordPasskeyUse,
  type StoredPasskey,
  spendChallenge,
} from '../../store/passkey-repository.ts';
import type { RelyingParty } from './passkey-options.ts';

/** EdDSA, ES256 and RS256, by their COSE numbers. */
export const algorithms = [-8, -7, -257];

export interface PasskeyDeps {
  relyingParty: RelyingParty;
  passkeyChallenges: PasskeyChallenges;
  logger: Logger;
}

interface Answered {
  challenge: string;
  expiresAt: Date;
}

/** Accepts a challenge of ours, and keeps it for `spend`. */
const expectChallenge = ({ passkeyChallenges }: PasskeyDeps, use: ChallengeUse) => {
  let answered: Answered | undefined;
  return {
    async accepts(encoded: string): Promise<boolean> {
      const challenge = Buffer.from(encoded, 'base64url').toString();
      const expiresAt = await passkeyChallenges.expiryOf(challenge, use);
      answered = expiresAt && { challenge, expiresAt };
      return answered !== undefined;
    },
    /** @throws AppError 403 if the challenge was answered before */
    async spend(tx: Transaction): Promise<void> {
      const isFirst =
        answered && (await spendChallenge(tx, answered.challenge, answered.expiresAt));
      if (!isFirst) throw passkeyRejected();
    },
  };
};

/**
 * Replaces the attestation, which we don't request, by none: to verify one, the library would fetch addresses that its
 * certificates name.
 */
const withoutAttestation = (encoded: string): string => {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(encoded)).get('authData');
  const fields = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(fields));
};

/** Verifies a new passkey. The returned `spend` makes its challenge unusable. @throws AppError 403 */
export const verifyNewPasskey = async (
  deps: PasskeyDeps,
  { passkey, use }: { passkey: NewPasskey; use: ChallengeUse },
) => {
  const { id, origin } = deps.relyingParty;
  const expected = expectChallenge(deps, use);
  const verify = async () => {
    const { clientDataJSON, attestationObject } = passkey.response;
    const response: RegistrationResponseJSON = {
      ...passkey,
      response: { clientDataJSON, attestationObject: withoutAttestation(attestationObject) },
      clientExtensionResults: {},
    };
    return verifyRegistrationResponse({
      response,
      expectedChallenge: expected.accepts,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
  };
  const verified = await verify().catch(() => undefined);
  if (!verified?.verified) throw passkeyRejected();
  const { credential } = verified.registrationInfo;
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: passkey.response.transports ?? [],
    spend: expected.spend,
  };
};

/**
 * Checks that a user's passkey answered one of our challenges, and makes the challenge unusable. The passkey itself has
 * verified its user, by a fingerprint or PIN, so it counts as both factors. Limit the attempts first.
 * @throws AppError 403
 */
export const usePasskey = async (
  deps: PasskeyDeps,
  tx: Transaction,
  { userId, answer, use }: { userId: string; answer: PasskeyAnswer; use: ChallengeUse },
): Promise<void> => {
  const stored = await lockPasskey(tx, userId, Buffer.from(answer.id, 'base64url'));
  if (!stored || !isHandleOf(userId, answer)) throw passkeyRejected();
  const expected = expectChallenge(deps, use);
  const counter = await verifyAnswer(deps, { stored, answer, accepts: expected.accepts });
  if (isCounterBehind(counter, stored.counter)) {
    deps.logger.warn({ userId, passkeyId: stored.id }, 'rejected a passkey that was copied');
    throw passkeyCopied();
  }
  const afterPassword = use.purpose === 'second factor';
  if (stored.needsPassword && !afterPassword) throw passkeyNeedsPassword();
  await expected.spend(tx);
  await recordPasskeyUse(tx, stored.id, { counter, afterPassword });
};

const isHandleOf = (userId: string, { response: { userHandle } }: PasskeyAnswer): boolean =>
  !userHandle || Buffer.from(userHandle, 'base64url').toString() === userId;

/** Returns the counter of the passkey. @throws AppError 403 */
const verifyAnswer = async (
  { relyingParty }: PasskeyDeps,
  {
    stored,
    answer,
    accepts,
  }: {
    stored: StoredPasskey;
    answer: PasskeyAnswer;
    accepts: (challenge: string) => Promise<boolean>;
  },
): Promise<number> => {
  const { clientDataJSON, authenticatorData, signature } = answer.response;
  const response: AuthenticationResponseJSON = {
    ...answer,
    response: { clientDataJSON, authenticatorData, signature },
    clientExtensionResults: {},
  };
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: accepts,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    credential: {
      id: answer.id,
      publicKey: new Uint8Array(stored.publicKey),
      // The library would compare the counters before it verifies the signature.
      counter: 0,
    },
  }).catch(() => undefined);
  if (!verified?.verified) throw passkeyRejected();
  return verified.authenticationInfo.newCounter;
};
