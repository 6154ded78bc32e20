import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import type { Deps } from '../../deps.ts';
import { rethrowOutage, withoutSecrets } from '../../stripe/stripe-api.ts';
import { detachMethod, isSaved, quickly, readAllMethods, toCards } from '../saved-cards.ts';

export const listCards = (deps: Deps) =>
  handle(routes.savedCards, async ({ user: { userId } }) => {
    const methods = await readAllMethods(deps, userId).catch((error: unknown) =>
      rethrowOutage(error, deps.logger),
    );
    await detachUnsaved(deps, methods);
    return { cards: toCards(methods.filter(isSaved)) };
  });

/** Detaches cards that the renter did not choose to save: they could neither be seen nor removed. */
const detachUnsaved = async (deps: Deps, methods: Stripe.PaymentMethod[]): Promise<void> => {
  const unsaved = methods.filter((method) => !isSaved(method));
  await Promise.all(unsaved.map(({ id }) => detachMethod(deps, id, quickly))).catch(
    (error: unknown) => {
      // The next list tries again.
      deps.logger.warn({ err: withoutSecrets(error) }, 'an unsaved card could not be detached');
    },
  );
};
