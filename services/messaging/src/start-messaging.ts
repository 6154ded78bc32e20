import { startMongoService, type Topology } from '@lendtools/event-bus';
import type { Running } from '@lendtools/service-kit';
import { type MessagingDeps, messagingRoutes } from './app.ts';
import type { Config } from './config.ts';
import { messagingConsumers } from './consumers.ts';
import { ensureIndexes } from './indexes.ts';
import { createPeopleRepository } from './people-repository.ts';
import { createThreadRepository } from './thread-repository.ts';

export const startMessaging = (
  config: Config,
  options: { topology?: Topology } = {},
): Promise<Running> =>
  startMongoService('messaging', config, {
    ...options,
    outboxes: ['messages', 'replies'],
    async build(serviceDeps) {
      const { connection, relay } = serviceDeps;
      await ensureIndexes(connection);
      const deps: MessagingDeps = {
        ...serviceDeps,
        people: createPeopleRepository(connection),
        threads: createThreadRepository(connection, relay),
      };
      return { routes: messagingRoutes(deps), consumers: messagingConsumers(deps) };
    },
  });
