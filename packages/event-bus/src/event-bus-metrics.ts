import type { QueueName } from '@lendtools/contracts';
import { addSampledGauge, Gauge, type Metrics, sampled } from '@lendtools/service-kit';
import type { Broker } from './broker.ts';
import { deadQueue, retryExchange } from './topology.ts';

export const measureEventBus = (
  metrics: Metrics,
  options: {
    broker: Broker;
    queues: readonly QueueName[];
    oldestPending: () => Promise<Date | null>;
  },
): void => {
  const { broker, queues, oldestPending } = options;
  const registers = [metrics.registry];

  new Gauge({
    name: 'broker_connected',
    help: '1 while this process is connected to the broker',
    registers,
    collect() {
      this.set(broker.isConnected ? 1 : 0);
    },
  });
  new Gauge({
    name: 'broker_publishing_blocked',
    help: '1 while the broker, short of disk or memory, takes nothing that is published',
    registers,
    collect() {
      this.set(broker.isBlocked ? 1 : 0);
    },
  });

  const ladder = broker.topology.retryDelaysMs.map((ms) => retryExchange(broker.service, ms));
  const waiting = [...queues, ...(queues.length > 0 ? ladder : [])];
  const lengths = sampled(() => broker.lengthsOf([...waiting, ...queues.map(deadQueue)]));
  const lengthsByQueue = async (names: readonly string[], lengthOf: (name: string) => string) => {
    const known = await lengths();
    return names.map((queue) => [{ queue }, known.get(lengthOf(queue)) ?? 0] as const);
  };
  addSampledGauge(
    metrics,
    {
      name: 'dead_letters',
      help: 'Events that no consumer could take, by their queue; the greatest of all replicas counts',
      labelNames: ['queue'],
    },
    () => lengthsByQueue(queues, deadQueue),
  );
  addSampledGauge(
    metrics,
    {
      name: 'queue_messages_ready',
      help: 'Events that wait for a consumer, or to be tried again; the greatest of all replicas counts',
      labelNames: ['queue'],
    },
    () => lengthsByQueue(waiting, (queue) => queue),
  );

  const oldest = sampled(oldestPending);
  addSampledGauge(
    metrics,
    {
      name: 'outbox_oldest_age_seconds',
      help: 'Age of the oldest event that is not published; the greatest of all replicas counts',
    },
    async () => {
      const happenedAt = await oldest();
      return [[{}, happenedAt ? Math.max(0, (Date.now() - happenedAt.getTime()) / 1_000) : 0]];
    },
  );
};
