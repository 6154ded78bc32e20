import type { Topology } from '@lendtools/event-bus';
import { type Running, scaled, Upstreams } from '@lendtools/service-kit';
import { startMongoService } from '@lendtools/service-runtime';
import { routes } from './app.ts';
import type { Config } from './config.ts';
import { consumers } from './consumers.ts';
import type { Deps } from './deps.ts';
import { createBlockRepository } from './store/block-repository.ts';
import { indexes, outboxes } from './store/indexes.ts';
import { createPeopleRepository } from './store/people-repository.ts';
import { createQuestionLimit } from './store/question-limit.ts';
import { createReplyRepository } from './store/reply-repository.ts';
import { createThreadRepository } from './store/thread-repository.ts';

export const startMessaging = (
  config: Config,
  options: { topology?: Topology } = {},
): Promise<Running> =>
  startMongoService('messaging', config, {
    ...options,
    outboxes,
    indexes,
    async build(serviceDeps) {
      const { connection, relay } = serviceDeps;
      const times = (limit: number) => scaled(limit, config.RATE_LIMIT_FACTOR);
      const deps: Deps = {
        ...serviceDeps,
        people: createPeopleRepository(connection),
        blocks: createBlockRepository(connection),
        threads: createThreadRepository(connection, { relay, masks: config.MASK_CONTACTS }),
        questionLimit: createQuestionLimit(connection, times(20)),
        catalog: new Upstreams(config.CATALOG_URL),
        replies: createReplyRepository(connection, {
          relay,
          limits: { aMinute: times(30), aDay: times(500) },
        }),
      };
      return {
        routes: routes(deps),
        consumers: consumers(deps),
        purges: { ended_threads: deps.threads.purgeEnded },
      };
    },
  });
