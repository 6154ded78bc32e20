/**
 * `npx node e2e/broker-alarm.ts [seconds]`: starts a broker and raises its disk alarm under load, for 600 seconds by default.
 * Prints figures each minute, and at the end the events lost and published twice, and the memory used.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Envelope } from '@lendtools/contracts';
import {
  addToOutbox,
  Broker,
  Consumers,
  newEvent,
  PostgresRelay,
  subscribe,
  type Topology,
} from '@lendtools/event-bus';
import { openHome } from '@lendtools/local/home';
import { startPostgres } from '@lendtools/local/postgres';
import { startRabbitMq } from '@lendtools/local/rabbitmq';
import { serversInStopOrder } from '@lendtools/local/servers';
import { createLogger, createPool, inTransaction, migrate } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { accountRegistered, waitFor } from '@lendtools/testing';
import { connect } from 'amqplib';

const alarmSeconds = Number(process.argv[2] ?? 600);
/** Events per second during the alarm. */
const perSecond = { published: 50, consumed: 10 };
const published = 'catalog.hide-tools-when-owner-disabled';
const consumed = 'catalog.keep-owners';
const topology: Topology = { queues: [published, consumed], retryDelaysMs: [200, 1_000] };

const home = mkdtempSync(join(tmpdir(), 'broker-alarm-'));
const say = (line: string) => console.log(line);
const context = await openHome({ home, say, isThrowaway: true });
const [postgres, rabbitmq] = await Promise.all([startPostgres(context), startRabbitMq(context)]);
const epmdPort = context.supervisor.running().find(({ name }) => name === 'epmd')?.port;
const stopServers = async (): Promise<void> => {
  await context.supervisor.stopAll(serversInStopOrder);
  rmSync(home, { recursive: true });
};
for (const event of ['uncaughtException', 'SIGINT', 'SIGTERM'])
  process.once(event, (reason) => {
    console.error(reason);
    isOver = true;
    void stopServers().then(() => process.exit(1));
  });

const setDiskFreeLimit = async (limit: string): Promise<void> => {
  await promisify(execFile)(
    '/usr/lib/rabbitmq/bin/rabbitmqctl',
    ['-n', 'lendtools@localhost', 'set_disk_free_limit', limit],
    {
      env: {
        PATH: process.env.PATH,
        HOME: join(home, 'rabbitmq'),
        ERL_EPMD_PORT: String(epmdPort),
      },
    },
  );
};

const logger = createLogger('alarm', 'silent');
const pool = createPool(postgres.adminUrl, logger);
const migrations = postgresMigrations(mkdtempSync(join(home, 'no-migrations-')));
await migrate(postgres.adminUrl, migrations, logger);
const broker = new Broker({ url: rabbitmq.amqpUrl, logger, topology, service: 'catalog' });
let handled = 0;
let failed = 0;
const failedOnce = new Set<string>();
const consumers = new Consumers(broker, logger, [
  subscribe(published, async () => {}),
  subscribe(consumed, async ({ id, data }) => {
    // One in twenty fails once, and must move to the retry ladder although the broker blocks publishing.
    if (data.firstName === 'fails' && !failedOnce.has(id)) {
      failedOnce.add(id);
      failed++;
      throw new Error('the first time');
    }
    // Ten events are consumed concurrently (the prefetch), so the backlog lasts as long as the alarm.
    await delay(10_000 / perSecond.consumed);
    handled++;
  }),
]);
const relay = new PostgresRelay(postgres.adminUrl, broker, logger);

/** How often each event arrived, counted on a separate connection that never publishes and so is not blocked. */
const heard = new Map<string, number>();
const ear = await connect(rabbitmq.amqpUrl);
const earChannel = await ear.createChannel();
broker.start();
await broker.whenConnected();
const { queue: earQueue } = await earChannel.assertQueue('', { exclusive: true });
await earChannel.bindQueue(earQueue, 'events', 'accounts.AccountDisabled');
await earChannel.consume(
  earQueue,
  (message) => {
    const { id } = JSON.parse(String(message?.content)) as Envelope;
    heard.set(id, (heard.get(id) ?? 0) + 1);
  },
  { noAck: true },
);

const backlog = alarmSeconds * perSecond.consumed;
say(`Fills a queue with ${backlog} events`);
for (let i = 0; i < backlog; i += 100) {
  const events = Array.from({ length: Math.min(100, backlog - i) }, (_, j) =>
    newEvent(
      'AccountRegistered',
      { id: randomUUID(), version: 1 },
      accountRegistered({ firstName: j % 20 === 0 ? 'fails' : 'Rita' }),
    ),
  );
  await Promise.all(events.map((event) => broker.publishEvent(event)));
}

const told: Envelope[] = [];
let isOver = false;
const tell = async (): Promise<void> => {
  while (!isOver) {
    const userId = randomUUID();
    const aggregate = { id: userId, version: 1 };
    const event = newEvent('AccountDisabled', aggregate, { userId, disabled: true });
    await inTransaction(pool, (tx) => addToOutbox(tx, event));
    told.push(event);
    await delay(1_000 / perSecond.published);
  }
};
const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`;
const times = () => [...heard.values()];
const repeats = () => times().reduce((sum, each) => sum + each - 1, 0);
let mostMemory = 0;
const report = (moment: string): void => {
  const { rss, external } = process.memoryUsage();
  mostMemory = Math.max(mostMemory, rss);
  say(
    `${moment.padEnd(16)} written ${told.length}, published ${heard.size}, twice ${repeats()}; consumed ${handled} of ` +
      `${backlog}, failed ${failed}; memory ${megabytes(rss)}, buffers ${megabytes(external)}`,
  );
};

relay.start();
const telling = tell();
await waitFor('events to flow', () => heard.size > 100, 30_000);
report('before');
await setDiskFreeLimit('100000GB');
const startedAt = Date.now();
const handledBefore = handled;
while (Date.now() < startedAt + alarmSeconds * 1_000) {
  await delay(Math.min(60_000, startedAt + alarmSeconds * 1_000 - Date.now()));
  report(`after ${Math.round((Date.now() - startedAt) / 1_000)} s`);
}
const handledDuring = handled - handledBefore;
await setDiskFreeLimit('50MB');
isOver = true;
await telling;
const isComplete = () => told.every(({ id }) => heard.has(id)) && handled >= backlog;
await waitFor('everything to arrive', isComplete, 300_000).catch(() => {});
report('at the end');
const lost = told.filter(({ id }) => !heard.has(id)).length;
say(
  `${alarmSeconds} s of alarm: ${lost} lost, ${repeats()} published twice, ${handledDuring} consumed meanwhile, ` +
    `at most ${megabytes(mostMemory)}`,
);

await consumers.stop();
await relay.stop();
await broker.stop();
await ear.close();
await pool.end();
await stopServers();
process.exit(lost === 0 && repeats() <= 100 && handledDuring > 0 ? 0 : 1);
