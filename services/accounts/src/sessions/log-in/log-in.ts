import { setTimeout as delay } from 'node:timers/promises';
import { routes } from '@lendtools/contracts';
import { accessTokenMinutes, handle, loginTokenHours, spend } from '@lendtools/service-kit';
import type { Request, Response } from 'express';
import type { Deps } from '../../deps.ts';
import { accountDisabled, loginFailed } from '../../domain/errors.ts';
import type { User } from '../../domain/user.ts';
import { endSessionsBeyond, startSession } from '../../store/session-repository.ts';
import { findUserByEmail, shareLockUser } from '../../store/user-repository.ts';
import { cutAccess } from '../cut-access.ts';
import { type Grant, grantAccess, isFromPage } from '../grant-access.ts';

/** A wrong email and a wrong password get the same reply after the same work. */
export const logIn = (deps: Deps) =>
  handle(routes.login, async ({ body, request, response }) => {
    const { quotas, cookie, device, logger } = deps;
    cookie.rejectCrossSite(request, { byCookie: false });
    const found = await checkPassword(deps, { ...body, request, response });
    if (!found) throw loginFailed();
    const inReply = body.returnRefreshToken === true;
    // A client that gets neither a cookie nor a refresh token cannot refresh, so its access token lives longer.
    const canRefresh = inReply || isFromPage(request);
    const tokenMinutes = canRefresh ? accessTokenMinutes : loginTokenHours * 60;
    const grant = await cutAccess(deps, async (tx, publish): Promise<Grant> => {
      const user = await shareLockUser(tx, found.id);
      // The password was changed while the old one was being verified.
      if (user?.passwordHash !== found.passwordHash) throw loginFailed();
      if (user.disabledAt) throw accountDisabled();
      await spend(tx, user.id, quotas.logins);
      const session = await startSession(tx, user.id, tokenMinutes);
      publish(...(await endSessionsBeyond(tx, user.id, quotas.sessions)));
      return { user, ...session, tokenMinutes };
    });
    logger.info({ userId: grant.user.id, sessionId: grant.sessionId }, 'logged in');
    const reply = await grantAccess(deps, { request, response }, { grant, inReply });
    const keepsCookies = !inReply || isFromPage(request);
    if (keepsCookies) device.remember(request, response, found.email);
    return reply;
  });

/** Returns the user if the password matches. Under load, known devices go first, then networks with few failed logins. */
const checkPassword = async (
  { pool, limits, attempts, loginTurns, hasher, device }: Deps,
  { email, password, request, response }: Credentials,
): Promise<User | undefined> => {
  const ip = request.ip ?? '';
  const isKnownDevice = device.isKnown(request, email);
  const rank = isKnownDevice ? 0 : attempts.add(ip);
  const options = { rank, isGone: () => response.closed };
  const { user, slowdownMs } = await loginTurns.run(async () => {
    const attempt = await limits.login(email, { ip, isKnownDevice });
    const found = await findUserByEmail(pool, email);
    const isRight = await hasher.verify(found?.passwordHash, password, options);
    if (isRight) await attempt.succeeded();
    return { user: isRight ? found : undefined, slowdownMs: attempt.slowdownMs };
  }, options);
  if (user && !isKnownDevice) attempts.remove(ip);
  await delay(slowdownMs);
  return user;
};

interface Credentials {
  email: string;
  password: string;
  request: Request;
  response: Response;
}
