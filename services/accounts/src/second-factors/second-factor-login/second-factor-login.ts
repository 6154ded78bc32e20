import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { loginChallengeInvalid } from '../../domain/errors.ts';
import { openSession } from '../../sessions/open-session.ts';
import { findUser } from '../../store/user-repository.ts';
import { spendSecondFactor } from '../check-second-factor.ts';

/** Finishes a login whose password was right. The code is used up only if the challenge is valid. */
export const secondFactorLogin = (deps: Deps) =>
  handle(routes.secondFactorLogin, async ({ body, request, response }) => {
    deps.cookie.rejectCrossSite(request, { byCookie: false });
    const { challenge, code, returnRefreshToken, keepAccount } = body;
    const userId = deps.challenges.userIdOf(challenge);
    const found = userId && (await findUser(deps.pool, userId));
    if (!found || !(await deps.challenges.isValid(challenge, found))) throw loginChallengeInvalid();
    const isKnownDevice = deps.device.isKnown(request, found.email);
    const attempt = await deps.limits.secondFactor(found.id, isKnownDevice);
    const reply = await openSession(
      deps,
      { request, response },
      {
        found,
        returnRefreshToken,
        keepAccount,
        prove: (tx, user) => spendSecondFactor(deps, tx, { user, code }),
      },
    );
    await attempt.succeeded();
    return reply;
  });
