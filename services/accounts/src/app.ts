import { routes } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import type { Express } from 'express';
import { createAccount } from './create-account/create-account.ts';
import type { Deps } from './deps.ts';
import { getUserByEmail } from './get-user-by-email/get-user-by-email.ts';
import { listCities, listStates } from './list-places/list-places.ts';
import { logIn } from './log-in/log-in.ts';
import { logOut } from './log-out/log-out.ts';
import { refreshSession } from './refresh-session/refresh-session.ts';
import { listRevocations } from './session-repository.ts';

/** Everything that accounts answers. */
export const accountRoutes = (deps: Deps): BoundRoute[] => [
  createAccount(deps),
  logIn(deps),
  refreshSession(deps),
  logOut(deps),
  getUserByEmail(deps),
  listStates(deps),
  listCities(deps),
  handle(routes.personImage, async ({ params, response, request }) => {
    await deps.images.serve(params.name, response, request);
    return undefined;
  }),
];

/** For the other services alone; the gateway forwards neither. */
export const addInternalRoutes =
  ({ tokens, pool }: Deps) =>
  (app: Express): void => {
    app.get('/.well-known/jwks.json', (_request, response) => {
      response.json(tokens.publicKeys);
    });
    app.get('/internal/revocations', async (_request, response) => {
      response.json(await listRevocations(pool));
    });
  };
