import type { QueueName } from '@lendtools/contracts';
import { Gauge, type Metrics } from '@lendtools/service-kit';
import type { Broker } from './broker.ts';

/** However often metrics are scraped, the servers are queried at most once in this time. */
const sampleMs = 5_000;

/**
 * What operators watch of a service's events. Each replica reads the same from the broker and the database, so the
 * service's value is the greatest of its replicas', not their sum. A value that can't be read is left out.
 */
export const measureEventBus = (
  metrics: Metrics,
  options: {
    broker: Broker;
    queues: readonly QueueName[];
    /** When the event that has waited longest to be published happened; null if none waits. */
    oldestPending: () => Promise<Date | null>;
  },
): void => {
  const { broker, queues, oldestPending } = options;
  const registers = [metrics.registry];

  new Gauge({
    name: 'broker_publishing_blocked',
    help: '1 while the broker, short of disk or memory, takes nothing that is published',
    registers,
    collect() {
      this.set(broker.isBlocked ? 1 : 0);
    },
  });

  const countDead = sampled(() => broker.countDeadLetters(queues));
  new Gauge({
    name: 'dead_letters',
    help: 'Events that no consumer could take, by their queue; the greatest of all replicas counts',
    labelNames: ['queue'],
    registers,
    async collect() {
      const counts = await countDead();
      this.reset();
      for (const [queue, count] of counts ?? []) this.set({ queue }, count);
    },
  });

  const findOldest = sampled(oldestPending);
  new Gauge({
    name: 'outbox_oldest_age_seconds',
    help: 'Age of the oldest event that is not published; the greatest of all replicas counts',
    registers,
    async collect() {
      const oldest = await findOldest();
      this.reset();
      if (oldest === undefined) this.remove();
      else this.set(oldest ? Math.max(0, (Date.now() - oldest.getTime()) / 1_000) : 0);
    },
  });
};

/** Undefined when it fails: a metric must not keep the others from being read. */
const sampled = <T>(read: () => Promise<T>): (() => Promise<T | undefined>) => {
  let sample: Promise<T | undefined> | undefined;
  let takenAtMs = 0;
  return () => {
    if (!sample || Date.now() - takenAtMs > sampleMs) {
      takenAtMs = Date.now();
      sample = read().catch(() => undefined);
    }
    return sample;
  };
};
