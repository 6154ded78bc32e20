import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { sessionNotFound } from '../../domain/errors.ts';
import { endSessions } from '../../store/session-repository.ts';
import { lockUser } from '../../store/user-repository.ts';
import { cutAccess } from '../cut-access.ts';

export const endSession = (deps: Deps) =>
  handle(routes.endSession, async ({ params }) => {
    await cutAccess(deps, async (tx, publish) => {
      const { userId, id: sessionId } = params;
      const ended = await endSessions(tx, { userId, sessionId });
      if (ended.length === 0) throw sessionNotFound();
      publish(...ended);
    });
    return { message: 'That device is logged out.' };
  });

export const endOtherSessions = (deps: Deps) =>
  handle(routes.endOtherSessions, async ({ params, user }) => {
    await cutAccess(deps, async (tx, publish) => {
      // Locks the user, because two of these calls could deadlock on each other's sessions.
      await lockUser(tx, params.userId);
      publish(...(await endSessions(tx, { userId: params.userId, except: user.sessionId })));
    });
    return { message: 'All other devices are logged out.' };
  });
