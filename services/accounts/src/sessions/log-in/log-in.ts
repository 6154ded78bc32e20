import { setTimeout as delay } from 'node:timers/promises';
import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Request, Response } from 'express';
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
    await challengeSecondFactor(deps, deps.pool, found);
    return openSession(deps, { request, response }, { found, ...body });
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
