import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import { cutAccess, type Deps } from '../deps.ts';
import { endSessions, findSessionOf } from '../session-repository.ts';

/** Ends the sessions of the cookie, the Bearer token and the documented `refreshToken`. */
export const logOut = (deps: Deps) =>
  handle(routes.logout, async ({ body, user, request, response }) => {
    const { cookie } = deps;
    const fromCookie = cookie.read(request);
    // Check requests without the cookie too: browsers withhold it on cross-site requests but would obey a reply that
    // clears it.
    cookie.refuseCrossSite(request, { byCookie: fromCookie !== undefined });

    await cutAccess(deps, async (tx, publish) => {
      const ids = new Set([user?.sessionId]);
      for (const token of [fromCookie, body.refreshToken]) {
        if (token) ids.add((await findSessionOf(tx, token))?.sessionId);
      }
      // Lock in a fixed order, or concurrent logouts could deadlock.
      for (const sessionId of [...ids].sort()) {
        if (sessionId) publish(...(await endSessions(tx, { sessionId })));
      }
    });
    cookie.clear(response);
    return { message: 'You are logged out.' };
  });
