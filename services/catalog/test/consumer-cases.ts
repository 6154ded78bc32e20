import { expect } from '@jest/globals';
import type { Envelope, QueueName } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import type { CatalogService } from './catalog-service.ts';

/** Sends an unreadable message. Expects it to be dead-lettered and the next event to be consumed. */
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

/** Makes the consumer fail twice and expects a third attempt. */
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
