import { setTimeout as delay } from 'node:timers/promises';
import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Request, Response } from 'express';
import { recordingRejections, recordUnfinishedLogin } from '../../audit/record-login.ts';
import type { Deps } from '../../deps.ts';
import { loginFailed } from '../../domain/errors.ts';
import type { User } from '../../domain/user.ts';
import { challengeSecondFactor } from '../../second-factors/challenge-second-factor.ts';
import { findUserByEmail } from '../../store/user-repository.ts';
import { openSession } from '../open-session.ts';

/** A wrong email and a wrong password get the same reply after the same work. */
export const logIn = (deps: Deps) =>
  handle(routes.login, async ({ body, request, response }) => {
    deps.cookie.rejectCrossSite(request, { byCookie: false });
    const found = await checkPassword(deps, { ...body, request, response });
    if (!found) throw loginFailed();
    return recordingRejections(deps, { user: found, request }, async () => {
      await challengeSecondFactor(deps, deps.pool, found);
      return openSession(deps, { request, response }, { found, ...body });
    });
  });

/** Returns the user if the password matches. Under load, known devices go first, then networks with few failed logins. */
const checkPassword = async (
  deps: Deps,
  { email, password, request, response }: Credentials,
): Promise<User | undefined> => {
  const { pool, limits, attempts, loginTurns, hasher, device } = deps;
  const ip = request.ip ?? '';
  const isKnownDevice = device.isKnown(request, email);
  const rank = isKnownDevice ? 0 : attempts.add(ip);
  const options = { rank, isGone: () => response.closed };
  const { user, slowdownMs } = await loginTurns.run(async () => {
    const attempt = await limits.login(email, { ip, isKnownDevice });
    const found = await findUserByEmail(pool, email);
    const isRight = await hasher.verify(found?.passwordHash, password, options);
    if (isRight) await attempt.succeeded();
    else if (found) recordWrongPassword(deps, found, request);
    return { user: isRight ? found : undefined, slowdownMs: attempt.slowdownMs };
  }, options);
  if (user && !isKnownDevice) attempts.remove(ip);
  await delay(slowdownMs);
  return user;
};

/** In the background: the reply must not take longer for the email of an admin. */
const recordWrongPassword = (deps: Deps, user: User, request: Request): void => {
  recordUnfinishedLogin(deps, { user, request, code: 'LOGIN_FAILED' }).catch((err) =>
    deps.logger.error({ err, userId: user.id }, 'a rejected login was not recorded'),
  );
};

interface Credentials {
  email: string;
  password: string;
  request: Request;
  response: Response;
}
