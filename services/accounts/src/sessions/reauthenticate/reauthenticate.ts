import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { userNotFound } from '../../domain/errors.ts';
import { checkCurrentPassword } from '../../passwords/check-current-password.ts';
import { findUser } from '../../store/user-repository.ts';
import { openSession } from '../open-session.ts';

/** Checks the password again, and replaces the session by one that may call routes with `needsFreshLogin`. */
export const reauthenticate = (deps: Deps) =>
  handle(routes.reauthenticate, async ({ params, body, user, request, response }) => {
    deps.cookie.rejectCrossSite(request, { byCookie: false });
    const found = await findUser(deps.pool, params.userId);
    if (!found) throw userNotFound();
    await checkCurrentPassword(deps, found, { typed: body.password, path: 'password' });
    const login = { found, ...body, replaces: user.sessionId };
    return openSession(deps, { request, response }, login);
  });
