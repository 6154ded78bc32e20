import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type QueueName, subscriptions } from '@lendtools/contracts';
import { countDeadLetters, replayDeadLetters, showDeadLetters } from './dead-letters.ts';

const usage = `npm run dead-letters -- list
npm run dead-letters -- show <queue>
npm run dead-letters -- replay <queue>

--home <folder>   of the running marketplace (default .local); or set AMQP_URL`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { home: { type: 'string', default: '.local' } },
});

const brokerUrl = async (): Promise<string> => {
  if (process.env.AMQP_URL) return process.env.AMQP_URL;
  const run = JSON.parse(await readFile(path.join(values.home, 'run.json'), 'utf8'));
  return run.broker.amqp;
};

const [command, queue] = positionals;
const isQueue = (name: string | undefined): name is QueueName =>
  name !== undefined && name in subscriptions;

if (command === 'list') {
  const counts = await countDeadLetters(
    await brokerUrl(),
    Object.keys(subscriptions) as QueueName[],
  );
  console.log(
    counts.size
      ? [...counts].map(([name, count]) => `${count}\t${name}`).join('\n')
      : 'No dead letters.',
  );
} else if (command === 'show' && isQueue(queue)) {
  console.log(JSON.stringify(await showDeadLetters(await brokerUrl(), queue), null, 2));
} else if (command === 'replay' && isQueue(queue)) {
  console.log(`${await replayDeadLetters(await brokerUrl(), queue)} replayed.`);
} else {
  console.error(queue && !isQueue(queue) ? `There is no queue ${queue}.\n\n${usage}` : usage);
  process.exitCode = 2;
}
