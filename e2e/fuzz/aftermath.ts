import { setTimeout as delay } from 'node:timers/promises';
import { type QueueName, subscriptions } from '@lendtools/contracts';
import { countDeadLetters } from '@lendtools/event-bus';
import { violations } from '../src/invariants.ts';
import { marketplace } from '../src/marketplace.ts';
import type { Finding } from './slow-answers.ts';

const settlesWithinMs = 60_000;
const queues = Object.keys(subscriptions) as QueueName[];

/** Returns broken invariants and dead-lettered events. Waits up to a minute for them to disappear. */
export const findAftermath = async (): Promise<Finding[]> => {
  for (const end = Date.now() + settlesWithinMs; ; await delay(1_000)) {
    const dead = await countDeadLetters(marketplace().broker.amqp, queues);
    const broken = await violations();
    if ((dead.size === 0 && broken.length === 0) || Date.now() > end)
      return [
        ...broken.map((what) => ({ what, times: 1, reproduction: 'after the run' })),
        ...[...dead].map(([queue, times]) => ({
          what: `${queue} dead-lettered an event`,
          times,
          reproduction: `npm run dead-letters -- show ${queue}`,
        })),
      ];
  }
};
