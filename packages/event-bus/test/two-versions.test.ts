import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Event } from '@lendtools/contracts';
import { createLogger } from '@lendtools/service-kit';
import { createTestBroker, type TestBroker, waitFor } from '@lendtools/testing';
import { Broker } from '../src/broker.ts';
import { Consumers, subscribe } from '../src/consumer.ts';
import { newEvent } from '../src/new-event.ts';
import type { Topology } from '../src/topology.ts';

const queue = 'catalog.hide-tools-when-owner-disabled';
const topology: Topology = { queues: [queue], retryDelaysMs: [20] };

let spy: TestBroker;
beforeAll(async () => {
  spy = await createTestBroker();
  await spy.declare(topology);
});
afterAll(() => spy.drop());

const replicas: { stop(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(replicas.splice(0).map((replica) => replica.stop()));
});

const startOldReplica = async (version: string): Promise<string[]> => {
  const script = fileURLToPath(new URL('./old-replica.ts', import.meta.url));
  const child = spawn(process.execPath, [script, spy.url, version], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  replicas.push({
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  });
  const said: string[] = [];
  child.stdout.on('data', (data) => said.push(...String(data).trim().split('\n')));
  await waitFor('the old replica', () => said.includes('consuming'));
  return said;
};

const startNewReplica = (): Event[] => {
  const logger = createLogger('test', 'silent');
  const received: Event[] = [];
  const broker = new Broker({ url: spy.url, logger, topology, service: 'catalog' });
  const consumers = new Consumers(broker, logger, [
    subscribe(queue, async (event) => void received.push(event)),
  ]);
  broker.start();
  replicas.push({
    async stop() {
      await consumers.stop();
      await broker.stop();
    },
  });
  return received;
};

describe('two versions of a service side by side', () => {
  it.each([
    ['does not know the event', 'without-the-event'],
    ['has an older schema of it', 'with-an-older-schema'],
    ['does not expect it on this queue', 'without-the-subscription'],
  ])(
    'keep an event for the new version of the service if the old version %s',
    async (_why, version) => {
      const userId = randomUUID();
      const event = newEvent(
        'AccountDisabled',
        { id: userId, version: 1 },
        { userId, disabled: true },
      );
      const said = await startOldReplica(version);

      await spy.send(event);
      const tries = () => said.filter((line) => line === `put off ${event.id}`).length;
      await waitFor('the old one to have tried more than ten times', () => tries() > 10);
      const dead = await spy.countDead(queue);
      const handled = startNewReplica();

      await waitFor('the new one to take it', () => handled.length > 0);
      expect({ dead, handled }).toEqual({ dead: 0, handled: [event] });
      expect(said).not.toContain(`handled ${event.id}`);
    },
  );
});
