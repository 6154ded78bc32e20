import type { Db } from '@lendtools/service-kit';
import type { LoginChallenges } from '../credentials/login-challenges.ts';
import type { PasskeyChallenges } from '../credentials/passkey-challenges.ts';
import { isDisabled } from '../domain/deletion.ts';
import { secondFactorRequired } from '../domain/errors.ts';
import { factorsOf } from '../domain/second-factor-rules.ts';
import type { User } from '../domain/user.ts';
import { findSecondFactors } from '../store/second-factor-repository.ts';
import { optionsOfUser, type RelyingParty } from './passkeys/passkey-options.ts';

interface ChallengeDeps {
  challenges: LoginChallenges;
  passkeyChallenges: PasskeyChallenges;
  relyingParty: RelyingParty;
}

/** @throws AppError 403 with a challenge, if the user has a second factor */
export const challengeSecondFactor = async (
  deps: ChallengeDeps,
  db: Db,
  user: User,
): Promise<void> => {
  if (isDisabled(user)) return;
  const factors = factorsOf(await findSecondFactors(db, user.id));
  if (factors.length === 0) return;
  const challenge = await deps.challenges.issue(user);
  const use = { purpose: 'second factor', of: challenge } as const;
  const passkey = await optionsOfUser(deps, db, { userId: user.id, use });
  throw secondFactorRequired({ factors, challenge, ...(passkey && { passkey }) });
};
