import { routes } from '@lendtools/contracts';
import { handle, type Transaction } from '@lendtools/service-kit';
import { recordingRejections } from '../../audit/record-login.ts';
import type { Deps } from '../../deps.ts';
import { loginChallengeInvalid } from '../../domain/errors.ts';
import type { User } from '../../domain/user.ts';
import { openSession } from '../../sessions/open-session.ts';
import { findUser } from '../../store/user-repository.ts';
import { proveFactor } from '../prove-factor.ts';

/** Finishes a login whose password was right. The code or passkey is used up only if the challenge is valid. */
export const secondFactorLogin = (deps: Deps) =>
  handle(routes.secondFactorLogin, async ({ body, request, response }) => {
    deps.cookie.rejectCrossSite(request, { byCookie: false });
    const { challenge, code, passkey, returnRefreshToken, keepAccount } = body;
    const userId = deps.challenges.userIdOf(challenge);
    const found = userId && (await findUser(deps.pool, userId));
    if (!found || !(await deps.challenges.isValid(challenge, found))) throw loginChallengeInvalid();
    const isKnownDevice = deps.device.isKnown(request, found.email);
    const attempt = await deps.limits.secondFactor(found.id, isKnownDevice);
    const use = { purpose: 'second factor', of: challenge } as const;
    const login = {
      found,
      returnRefreshToken,
      keepAccount,
      prove: (tx: Transaction, user: User) => proveFactor(deps, tx, { user, code, passkey, use }),
    };
    const reply = await recordingRejections(deps, { user: found, request }, () =>
      openSession(deps, { request, response }, login),
    );
    await attempt.succeeded();
    return reply;
  });
