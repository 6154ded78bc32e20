import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { endSessions, findSessionOf } from '../../store/session-repository.ts';
import { cutAccess } from '../cut-access.ts';

/** Ends the sessions of the cookie, the Bearer token and the body's `refreshToken`. */
export const logOut = (deps: Deps) =>
  handle(routes.logout, async ({ body, user, request, response }) => {
    const { cookie } = deps;
    const fromCookie = cookie.read(request);
    // Check requests without the cookie too: browsers omit it from cross-site requests, but obey a reply that clears it.
    cookie.rejectCrossSite(request, { byCookie: fromCookie !== undefined });

    await cutAccess(deps, async (tx, publish) => {
      const ids = new Set([user?.sessionId]);
      for (const token of [fromCookie, body.refreshToken]) {
        if (token) ids.add((await findSessionOf(tx, token))?.sessionId);
      }
      // Lock the sessions in a fixed order, or concurrent logouts could deadlock.
      for (const sessionId of [...ids].sort()) {
        if (sessionId) publish(...(await endSessions(tx, { sessionId })));
      }
    });
    cookie.clear(response);
    return { message: 'You are logged out.' };
  });
