import { expect, it } from '@jest/globals';
import type { Envelope, QueueName } from '@lendtools/contracts';
import { armFault } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import type { NotificationsService } from './notifications-service.ts';

/** One event with people of its own, and how often its effect is seen. */
interface Case {
  send(): Promise<Envelope>;
  countEffects(): Promise<number> | number;
  /** What the event needs to know and does not yet, if it may come too early. */
  introduceLate?(): Promise<unknown>;
}

/** What every consumer must stand: a repeat, a lost acknowledgement, poison, and an event that comes too early. */
export const testConsumer = (
  queue: QueueName,
  service: () => NotificationsService,
  arrange: (known: boolean) => Promise<Case>,
): void => {
  const expectEffect = ({ countEffects }: Case) =>
    waitFor('the effect', async () => (await countEffects()) > 0);

  /** After another event of the queue took effect, what came before it has had its chance. */
  const settle = async (): Promise<void> => {
    const marker = await arrange(true);
    await marker.send();
    await expectEffect(marker);
  };

  it('takes effect once, however often the event comes', async () => {
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

  it('tries again when what it needs to know comes later', async () => {
    const early = await arrange(false);

    await early.send();
    await early.introduceLate?.();

    await expectEffect(early);
    expect(await service().broker.countDead(queue)).toBe(0);
  });

  it('puts what it cannot read aside and goes on', async () => {
    await service().broker.sendRaw(queue, '{"type":"Nonsense"}');

    await settle();

    await waitFor('the dead letter', async () => (await service().broker.countDead(queue)) === 1);
  });
};
