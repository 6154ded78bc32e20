import { routes } from '@lendtools/contracts';
import { accessTokenMinutes, handle, loginTokenHours, spend } from '@lendtools/service-kit';
import { cutAccess, type Deps } from '../deps.ts';
import { accountDisabled, loginFailed } from '../errors.ts';
import { type Grant, grantAccess, isFromPage } from '../grant-access.ts';
import { endSessionsBeyond, startSession } from '../session-repository.ts';
import { findUserByEmail, shareLockUser } from '../user-repository.ts';

/** Replies the same, after the same work, whether the email or the password is wrong. */
export const logIn = (deps: Deps) =>
  handle(routes.login, async ({ body, request, response }) => {
    const { pool, limits, quotas, hasher, cookie, logger } = deps;
    cookie.refuseCrossSite(request, { byCookie: false });
    const attempt = await limits.login(body.email, request.ip ?? '');
    const found = await findUserByEmail(pool, body.email);
    if (!(await hasher.verify(found?.passwordHash, body.password)) || !found) throw loginFailed();
    await attempt.succeeded();

    const inReply = body.returnRefreshToken === true;
    // A documented client only logs in: without a page's cookie or a refresh token it cannot refresh.
    const canRefresh = inReply || isFromPage(request);
    const tokenMinutes = canRefresh ? accessTokenMinutes : loginTokenHours * 60;
    const grant = await cutAccess(deps, async (tx, tell): Promise<Grant> => {
      const user = await shareLockUser(tx, found.id);
      // The password was changed while this one was being checked.
      if (user?.passwordHash !== found.passwordHash) throw loginFailed();
      if (user.disabledAt) throw accountDisabled();
      await spend(tx, user.id, quotas.logins);
      const session = await startSession(tx, user.id, tokenMinutes);
      tell(...(await endSessionsBeyond(tx, user.id, quotas.sessions)));
      return { user, ...session, tokenMinutes };
    });
    logger.info({ userId: grant.user.id, sessionId: grant.sessionId }, 'logged in');
    return grantAccess(deps, { request, response }, { grant, inReply });
  });
