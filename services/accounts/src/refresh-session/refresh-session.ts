import { routes } from '@lendtools/contracts';
import { accessTokenMinutes, handle, spend } from '@lendtools/service-kit';
import { cutAccess, type Deps } from '../deps.ts';
import { judgeRefresh } from '../domain/refresh-rules.ts';
import { accountDisabled, sessionEnded } from '../errors.ts';
import { type Grant, grantAccess } from '../grant-access.ts';
import {
  addRefreshToken,
  endSessions,
  findSessionOf,
  lockRefreshToken,
  rotateRefreshToken,
  successorOf,
} from '../session-repository.ts';
import { shareLockUser } from '../user-repository.ts';

export const refreshSession = (deps: Deps) =>
  handle(routes.refreshToken, async ({ body, request, response }) => {
    const { cookie } = deps;
    const inReply = body.refreshToken !== undefined;
    const token = body.refreshToken ?? cookie.read(request);
    if (!token) throw sessionEnded();
    cookie.refuseCrossSite(request, { byCookie: !inReply });
    const outcome = await useRefreshToken(deps, token);
    if (typeof outcome === 'object')
      return grantAccess(deps, { request, response }, { grant: outcome, inReply });
    if (!inReply) cookie.clear(response);
    throw outcome === 'refuse disabled' ? accountDisabled() : sessionEnded();
  });

/** Refusals are returned, not thrown: ending a family must commit. */
const useRefreshToken = (
  deps: Deps,
  token: string,
): Promise<Grant | 'refuse' | 'refuse disabled'> =>
  cutAccess(deps, async (tx, publish) => {
    const session = await findSessionOf(tx, token);
    if (!session) return 'refuse';
    const user = await shareLockUser(tx, session.userId);
    const state = await lockRefreshToken(tx, token);
    if (!user || !state) return 'refuse';

    const { sessionId } = session;
    const verdict = judgeRefresh({ ...state, userDisabled: user.disabledAt !== null });
    if (verdict === 'refuse' || verdict === 'refuse disabled') return verdict;
    if (verdict === 'end family') {
      deps.logger.warn(
        { userId: user.id, sessionId },
        'ended a session because its used refresh token was presented again',
      );
      publish(...(await endSessions(tx, { sessionId })));
      return 'refuse';
    }
    const successor = successorOf(token, deps.tokens.successorKey);
    if (verdict === 'rotate') {
      await spend(tx, user.id, deps.quotas.refreshes);
      await rotateRefreshToken(tx, { sessionId, token });
    }
    // A replay on a replica with another signing key derives another successor. Both are valid.
    await addRefreshToken(tx, sessionId, successor);
    return { user, sessionId, refreshToken: successor, tokenMinutes: accessTokenMinutes };
  });
