import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import { recordingRejections } from '../../audit/record-login.ts';
import type { Deps } from '../../deps.ts';
import { secondFactorRequired, userNotFound } from '../../domain/errors.ts';
import { checkCurrentPassword } from '../../passwords/check-current-password.ts';
import { spendSecondFactor } from '../../second-factors/check-second-factor.ts';
import { hasSecondFactor } from '../../store/second-factor-repository.ts';
import { findUser } from '../../store/user-repository.ts';
import { openSession } from '../open-session.ts';

/** Requires what a login requires, and replaces the session by one that may call routes with `needsFreshLogin`. */
export const reauthenticate = (deps: Deps) =>
  handle(routes.reauthenticate, async ({ params, body, user, request, response }) => {
    const { pool, limits } = deps;
    deps.cookie.rejectCrossSite(request, { byCookie: false });
    const found = await findUser(pool, params.userId);
    if (!found) throw userNotFound();
    return recordingRejections(deps, { user: found, request }, async () => {
      await checkCurrentPassword(deps, found, { typed: body.password, path: 'password' });
      const { code, returnRefreshToken } = body;
      const login = { found, returnRefreshToken, replaces: user.sessionId };
      if (!(await hasSecondFactor(pool, found.id)))
        return openSession(deps, { request, response }, login);
      if (code === undefined) throw secondFactorRequired({});
      const attempt = await limits.codeInSession(user.sessionId);
      const reply = await openSession(
        deps,
        { request, response },
        { ...login, prove: (tx, user) => spendSecondFactor(deps, tx, { user, code }) },
      );
      await attempt.succeeded();
      return reply;
    });
  });
