import type { Db } from '@lendtools/service-kit';
import type { LoginChallenges } from '../credentials/login-challenges.ts';
import { isDisabled } from '../domain/deletion.ts';
import { secondFactorRequired } from '../domain/errors.ts';
import type { User } from '../domain/user.ts';
import { hasSecondFactor } from '../store/second-factor-repository.ts';

/** @throws AppError 403 with a challenge, if the user has a second factor */
export const challengeSecondFactor = async (
  { challenges }: { challenges: LoginChallenges },
  db: Db,
  user: User,
): Promise<void> => {
  if (isDisabled(user) || !(await hasSecondFactor(db, user.id))) return;
  throw secondFactorRequired({ challenge: await challenges.issue(user) });
};
