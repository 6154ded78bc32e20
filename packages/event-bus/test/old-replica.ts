/**
 * Runs a consumer with earlier contracts: `node old-replica.ts <AMQP URL> <version>`. The version says what these contracts lack.
 */
import { events, subscriptions } from '@lendtools/contracts';
import { createLogger } from '@lendtools/service-kit';
import { z } from 'zod';
import { Broker } from '../src/broker.ts';
import { Consumers, subscribe } from '../src/consumer.ts';

const queue = 'catalog.hide-tools-when-owner-disabled';
const [url = '', version = ''] = process.argv.slice(2);

const contracts = { events, subscriptions } as unknown as {
  events: Record<string, { data: z.ZodType }>;
  subscriptions: Record<string, string[]>;
};
if (version === 'without-the-event') {
  delete contracts.events.AccountDisabled;
  contracts.subscriptions[queue] = [];
}
if (version === 'with-an-older-schema')
  Object.assign(contracts.events.AccountDisabled as object, {
    data: z.object({ userId: z.string(), disabled: z.literal(false) }),
  });
if (version === 'without-the-subscription') contracts.subscriptions[queue] = [];

const broker = new Broker({
  url,
  service: 'catalog',
  logger: createLogger('old', 'silent'),
  topology: { queues: [queue], retryDelaysMs: [20] },
});
const logger = Object.assign(createLogger('old', 'silent'), {
  warn: ({ eventId }: { eventId?: string }) => {
    if (eventId) console.log(`put off ${eventId}`);
  },
});
new Consumers(broker, logger, [
  subscribe(queue, async (event) => console.log(`handled ${event.id}`)),
]);
broker.start();
await broker.whenConnected();
console.log('consuming');
