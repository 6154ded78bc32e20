import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import { cutAccess, type Deps } from '../deps.ts';
import { endSessions, findSessionOf } from '../session-repository.ts';

/** Ends every session that the request shows: by cookie, by Bearer token, by the documented `refreshToken`. */
export const logOut = (deps: Deps) =>
  handle(routes.logout, async ({ body, user, request, response }) => {
    const { cookie } = deps;
    const fromCookie = cookie.read(request);
    // Also without the cookie, which browsers keep back: they would still obey the reply that clears it.
    cookie.refuseCrossSite(request, { byCookie: fromCookie !== undefined });

    await cutAccess(deps, async (tx, tell) => {
      const ids = new Set([user?.sessionId]);
      for (const token of [fromCookie, body.refreshToken]) {
        if (token) ids.add((await findSessionOf(tx, token))?.sessionId);
      }
      // In one order, so that two logouts can't wait for each other.
      for (const sessionId of [...ids].sort()) {
        if (sessionId) tell(...(await endSessions(tx, { sessionId })));
      }
    });
    cookie.clear(response);
    return { message: 'You are logged out.' };
  });
