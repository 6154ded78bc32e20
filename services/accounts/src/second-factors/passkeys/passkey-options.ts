import { type PasskeyOptions, passkeyOptions } from '@lendtools/contracts';
import type { Db } from '@lendtools/service-kit';
import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { ChallengeUse, PasskeyChallenges } from '../../credentials/passkey-challenges.ts';
import { listPasskeys, type StoredPasskey } from '../../store/passkey-repository.ts';

/** How long a browser waits for its user. */
export const promptTimeoutMs = 4 * 60_000;

/** The site that passkeys belong to. */
export interface RelyingParty {
  id: string;
  origin: string;
}

export const relyingPartyOf = (publicUrl: string): RelyingParty => {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
};

interface OptionsDeps {
  relyingParty: RelyingParty;
  passkeyChallenges: PasskeyChallenges;
}

export const toDescriptor = ({ credentialId, transports }: StoredPasskey) => ({
  id: credentialId.toString('base64url'),
  transports,
});

/** Options for `navigator.credentials.get()`. Without passkeys, the browser offers all that it has for this site. */
export const optionsFor = async (
  { relyingParty, passkeyChallenges }: OptionsDeps,
  use: ChallengeUse,
  passkeys?: StoredPasskey[],
): Promise<PasskeyOptions> =>
  passkeyOptions.parse(
    await generateAuthenticationOptions({
      rpID: relyingParty.id,
      challenge: await passkeyChallenges.issue(use),
      timeout: promptTimeoutMs,
      userVerification: 'required',
      ...(passkeys && { allowCredentials: passkeys.map(toDescriptor) }),
    }),
  );

/** Options to use one of a user's passkeys; undefined if there is none. */
export const optionsOfUser = async (
  deps: OptionsDeps,
  db: Db,
  { userId, use }: { userId: string; use: ChallengeUse },
): Promise<PasskeyOptions | undefined> => {
  const passkeys = await listPasskeys(db, userId);
  return passkeys.length > 0 ? optionsFor(deps, use, passkeys) : undefined;
};
