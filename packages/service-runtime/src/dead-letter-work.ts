import { type ServiceName, subscriptions, type Work } from '@lendtools/contracts';
import { type Broker, deadQueue } from '@lendtools/event-bus';
import type { Logger } from '@lendtools/service-kit';

interface Deps {
  broker: Pick<Broker, 'service' | 'lengthsOf'>;
  logger: Logger;
}

const queuesOf = (service: ServiceName): string[] =>
  Object.keys(subscriptions).filter((queue) => queue.startsWith(`${service}.`));

/** Counts a service's dead letters for the admins' dashboard. */
export const deadLetterWork = async ({ broker, logger }: Deps): Promise<Work> => {
  const work = { kind: 'dead-letter', since: null, dueAt: null } as const;
  try {
    const lengths = await broker.lengthsOf(queuesOf(broker.service).map(deadQueue));
    return { ...work, count: [...lengths.values()].reduce((sum, length) => sum + length, 0) };
  } catch (err) {
    logger.warn({ err }, 'dead letters could not be counted');
    return { ...work, count: null };
  }
};
