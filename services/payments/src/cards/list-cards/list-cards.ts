import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { rethrowOutage } from '../../stripe/stripe-api.ts';
import { readMethods, toCards } from '../saved-cards.ts';

export const listCards = (deps: Deps) =>
  handle(routes.savedCards, async ({ user: { userId } }) => {
    const methods = await readMethods(deps, userId).catch((error: unknown) =>
      rethrowOutage(error, deps.logger),
    );
    return { cards: toCards(methods) };
  });
