import type { Envelope, PasskeyAnswer } from '@lendtools/contracts';
import type { Transaction } from '@lendtools/service-kit';
import type { ChallengeUse } from '../credentials/passkey-challenges.ts';
import type { Deps } from '../deps.ts';
import { secondFactorWrong } from '../domain/errors.ts';
import type { User } from '../domain/user.ts';
import { spendSecondFactor } from './check-second-factor.ts';
import { usePasskey } from './passkeys/verify-passkey.ts';

interface Proof {
  user: User;
  code?: string | undefined;
  passkey?: PasskeyAnswer | undefined;
  /** A passkey counts only if its challenge was issued for this. */
  use: ChallengeUse;
}

/** Checks a passkey or a code of a user. Returns the events to publish. Limit the attempts first. @throws AppError 403 */
export const proveFactor = async (
  deps: Deps,
  tx: Transaction,
  { user, code, passkey, use }: Proof,
): Promise<Envelope[]> => {
  if (passkey) {
    await usePasskey(deps, tx, { userId: user.id, answer: passkey, use });
    return [];
  }
  if (code === undefined) throw secondFactorWrong();
  return spendSecondFactor(deps, tx, { user, code });
};
