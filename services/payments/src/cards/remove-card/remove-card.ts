import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { cardNotFound } from '../../domain/errors.ts';
import { rethrowOutage } from '../../stripe/stripe-api.ts';
import { detachMethod, isSameCard, readMethods } from '../saved-cards.ts';

/** Detaches the card, after which no payment can use it. */
export const removeCard = (deps: Deps) =>
  handle(routes.removeCard, async ({ params: { cardId }, user: { userId } }) => {
    await detach(deps, userId, cardId).catch((error: unknown) => rethrowOutage(error, deps.logger));
    return { message: 'The card is removed.' };
  });

const detach = async (deps: Deps, userId: string, cardId: string): Promise<void> => {
  const methods = await readMethods(deps, userId);
  const removed = methods.find(({ id }) => id === cardId);
  if (!removed) throw cardNotFound();
  for (const method of methods.filter((one) => isSameCard(one, removed)))
    await detachMethod(deps, method.id);
};
