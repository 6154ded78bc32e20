import { routes } from '@lendtools/contracts';
import { handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { loginChallengeInvalid, secondFactorRequired } from '../../domain/errors.ts';
import type { User } from '../../domain/user.ts';
import { openSession } from '../../sessions/open-session.ts';
import {
  addLoginChallenge,
  findLoginChallenge,
  hasSecondFactor,
  spendLoginChallenge,
} from '../../store/second-factor-repository.ts';
import { findUser } from '../../store/user-repository.ts';
import { spendSecondFactor } from '../check-second-factor.ts';

/** @throws AppError 403 with a challenge, if the user has a second factor */
export const challengeSecondFactor = async ({ pool }: Deps, user: User): Promise<void> => {
  if (user.disabledAt || !(await hasSecondFactor(pool, user.id))) return;
  const challenge = await inTransaction(pool, (tx) => addLoginChallenge(tx, user.id));
  throw secondFactorRequired({ challenge });
};

/** Finishes a login whose password was right. The challenge and the code are used up only if both are valid. */
export const secondFactorLogin = (deps: Deps) =>
  handle(routes.secondFactorLogin, async ({ body, request, response }) => {
    deps.cookie.rejectCrossSite(request, { byCookie: false });
    const { challenge, code, returnRefreshToken } = body;
    const known = await findLoginChallenge(deps.pool, challenge);
    const found = known && (await findUser(deps.pool, known.userId));
    if (!found) throw loginChallengeInvalid();
    const isKnownDevice = deps.device.isKnown(request, found.email);
    const attempt = await deps.limits.secondFactor(found.id, isKnownDevice);
    const reply = await openSession(
      deps,
      { request, response },
      {
        found,
        returnRefreshToken,
        prove: async (tx, user) => {
          if (!(await spendLoginChallenge(tx, challenge))) throw loginChallengeInvalid();
          return spendSecondFactor(tx, deps.secretBox, { user, code });
        },
      },
    );
    await attempt.succeeded();
    return reply;
  });
