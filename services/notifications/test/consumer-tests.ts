import { expect, it } from '@jest/globals';
import type { Envelope, QueueName } from '@lendtools/contracts';
import { armFault } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import type { NotificationsService } from './notifications-service.ts';

interface Case {
  send(): Promise<Envelope>;
  countEffects(): Promise<number> | number;
  /** Provides data that may still be missing when the event arrives. */
  addMissingData?(): Promise<unknown>;
}

export const testConsumer = (
  queue: QueueName,
  service: () => NotificationsService,
  arrange: (isSynced: boolean) => Promise<Case>,
): void => {
  const expectEffect = ({ countEffects }: Case) =>
    waitFor('the effect', async () => (await countEffects()) > 0);

  /** Waits until another event of the queue took effect: the events before it have been handled by then. */
  const settle = async (): Promise<void> => {
    const marker = await arrange(true);
    await marker.send();
    await expectEffect(marker);
  };

  it('takes effect once when the event is repeated', async () => {
    const once = await arrange(true);

    const event = await once.send();
    await expectEffect(once);
    await service().broker.send(event);
    await service().broker.send(event);
    await settle();

    expect(await once.countEffects()).toBe(1);
  });

  it('takes effect once when an acknowledgement is lost', async () => {
    const once = await arrange(true);
    armFault('consumer.beforeAck:1:throw');

    await once.send();
    await expectEffect(once);
    await settle();

    expect(await once.countEffects()).toBe(1);
  });

  it('retries an event until the data that it needs arrives', async () => {
    const early = await arrange(false);

    await early.send();
    await early.addMissingData?.();

    await expectEffect(early);
    expect(await service().broker.countDead(queue)).toBe(0);
  });

  it('dead-letters an unreadable message and continues', async () => {
    await service().broker.sendRaw(queue, '{"type":"Nonsense"}');

    await settle();

    await waitFor('the dead letter', async () => (await service().broker.countDead(queue)) === 1);
  });
};
