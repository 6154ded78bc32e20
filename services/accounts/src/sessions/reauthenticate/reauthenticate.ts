import { type Body, routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import { recordingRejections } from '../../audit/record-login.ts';
import type { Deps } from '../../deps.ts';
import {
  passkeyNotFound,
  passwordWrong,
  secondFactorRequired,
  userNotFound,
} from '../../domain/errors.ts';
import { factorsOf } from '../../domain/second-factor-rules.ts';
import type { User } from '../../domain/user.ts';
import { checkCurrentPassword } from '../../passwords/check-current-password.ts';
import { optionsOfUser } from '../../second-factors/passkeys/passkey-options.ts';
import { proveFactor } from '../../second-factors/prove-factor.ts';
import { findSecondFactors } from '../../store/second-factor-repository.ts';
import { findUser } from '../../store/user-repository.ts';
import { openSession } from '../open-session.ts';

const useIn = (sessionId: string) => ({ purpose: 'confirm identity', of: sessionId }) as const;

export const startPasskeyCheck = (deps: Deps) =>
  handle(routes.startPasskeyCheck, async ({ user: { userId, sessionId }, response }) => {
    const options = await optionsOfUser(deps, deps.pool, { userId, use: useIn(sessionId) });
    if (!options) throw passkeyNotFound();
    response.set('Cache-Control', 'no-store');
    return options;
  });

/** Requires what a login requires, and replaces the session by one that may call routes with `needsFreshLogin`. */
export const reauthenticate = (deps: Deps) =>
  handle(routes.reauthenticate, async ({ params, body, user: caller, request, response }) => {
    const { pool, limits } = deps;
    deps.cookie.rejectCrossSite(request, { byCookie: false });
    const found = await findUser(pool, params.userId);
    if (!found) throw userNotFound();
    const { code, passkey, returnRefreshToken } = body;
    const login = { found, returnRefreshToken, replaces: caller.sessionId };
    return recordingRejections(deps, { user: found, request }, async () => {
      if (!passkey && !(await needsCode(deps, found, body)))
        return openSession(deps, { request, response }, login);
      const use = useIn(caller.sessionId);
      const attempt = await limits.codeInSession(caller.sessionId);
      const reply = await openSession(
        deps,
        { request, response },
        { ...login, prove: (tx, user) => proveFactor(deps, tx, { user, code, passkey, use }) },
      );
      await attempt.succeeded();
      return reply;
    });
  });

/**
 * Checks the password. Returns whether a code is needed too.
 * @throws AppError 403 for a wrong password or a missing code
 */
const needsCode = async (
  deps: Deps,
  user: User,
  { password, code }: Body<typeof routes.reauthenticate>,
): Promise<boolean> => {
  if (password === undefined) throw passwordWrong('password');
  await checkCurrentPassword(deps, user, { typed: password, path: 'password' });
  const factors = factorsOf(await findSecondFactors(deps.pool, user.id));
  if (factors.length > 0 && code === undefined) throw secondFactorRequired({ factors });
  return factors.length > 0;
};
