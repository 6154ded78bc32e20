import { routes } from '@lendtools/contracts';
import { accessTokenMinutes, handle, spend } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { isDisabled } from '../../domain/deletion.ts';
import { accountDisabled, sessionEnded } from '../../domain/errors.ts';
import { judgeRefresh } from '../../domain/refresh-rules.ts';
import { hasSecondFactor } from '../../store/second-factor-repository.ts';
import {
  addRefreshToken,
  endSessions,
  findSessionOf,
  lockRefreshToken,
  rotateRefreshToken,
  successorOf,
} from '../../store/session-repository.ts';
import { shareLockUser } from '../../store/user-repository.ts';
import { cutAccess } from '../cut-access.ts';
import { type Device, describeDevice } from '../describe-device.ts';
import { type Grant, grantAccess } from '../grant-access.ts';

export const refreshSession = (deps: Deps) =>
  handle(routes.refreshToken, async ({ body, request, response }) => {
    const { cookie } = deps;
    const inReply = body.refreshToken !== undefined;
    const token = body.refreshToken ?? cookie.read(request);
    if (!token) throw sessionEnded();
    cookie.rejectCrossSite(request, { byCookie: !inReply });
    const outcome = await useRefreshToken(deps, token, describeDevice(request));
    if (typeof outcome === 'object')
      return grantAccess(deps, { request, response }, { grant: outcome, inReply });
    if (!inReply) cookie.clear(response);
    throw outcome === 'reject disabled' ? accountDisabled() : sessionEnded();
  });

/** Returns a rejection instead of throwing it: the transaction that ends a session must commit. */
const useRefreshToken = (
  deps: Deps,
  token: string,
  device: Device,
): Promise<Grant | 'reject' | 'reject disabled'> =>
  cutAccess(deps, async (tx, publish) => {
    const session = await findSessionOf(tx, token);
    if (!session) return 'reject';
    const user = await shareLockUser(tx, session.userId);
    const state = await lockRefreshToken(tx, token);
    if (!user || !state) return 'reject';

    const { sessionId } = session;
    const verdict = judgeRefresh({ ...state, userDisabled: isDisabled(user) });
    if (verdict === 'reject' || verdict === 'reject disabled') return verdict;
    if (verdict === 'end family') {
      deps.logger.warn(
        { userId: user.id, sessionId },
        'ended a session because its used refresh token was presented again',
      );
      publish(...(await endSessions(tx, { sessionId })));
      return 'reject';
    }
    const { authenticatedAt } = state;
    // A replica of 1.0.0 starts sessions with the password only.
    if (!authenticatedAt && (await hasSecondFactor(tx, user.id))) {
      publish(...(await endSessions(tx, { sessionId })));
      return 'reject';
    }
    const successor = successorOf(token, deps.tokens.successorKey);
    if (verdict === 'rotate') {
      await spend(tx, user.id, deps.quotas.refreshes);
      await rotateRefreshToken(tx, { sessionId, token, device });
    }
    // A replay on a replica with another signing key derives another successor. Both are valid.
    await addRefreshToken(tx, sessionId, successor);
    const tokenMinutes = accessTokenMinutes;
    return { user, sessionId, refreshToken: successor, tokenMinutes, authenticatedAt };
  });
