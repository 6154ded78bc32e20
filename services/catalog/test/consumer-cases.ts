import { expect } from '@jest/globals';
import type { Envelope, QueueName } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import type { CatalogService } from './catalog-service.ts';

/** Sends an unreadable message: expects it in the dead-letter queue, and the next event to be handled. */
export const expectPoisonToDie = async (
  catalog: CatalogService,
  queue: QueueName,
  next: Envelope,
): Promise<void> => {
  await catalog.broker.sendRaw(queue, '{"type":"Nonsense"}');
  await catalog.broker.send(next);

  await catalog.handled(queue, next);
  await waitFor('the dead letter', async () => (await catalog.broker.countDead(queue)) === 1);
};

/** Expects a third attempt after two failures. */
export const expectRetry = async (
  catalog: CatalogService,
  queue: QueueName,
  event: Envelope,
): Promise<void> => {
  const deadBefore = await catalog.broker.countDead(queue);
  await catalog.failEffects(2);

  await catalog.broker.send(event);

  await catalog.handled(queue, event);
  expect(await catalog.broker.countDead(queue)).toBe(deadBefore);
};
