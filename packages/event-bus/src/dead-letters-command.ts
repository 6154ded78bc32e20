import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type QueueName, subscriptions } from '@lendtools/contracts';
import { countDeadLetters, replayDeadLetters, showDeadLetters } from './dead-letters.ts';

const usage = `npm run dead-letters -- list
npm run dead-letters -- show <queue>
npm run dead-letters -- replay <queue>

--home <folder>   of the running marketplace (default .local); or set AMQP_URL`;

/** Ends the command with one sentence for a person. */
const fail = (sentence: string): never => {
  console.error(sentence);
  process.exit(2);
};

const readArguments = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        home: { type: 'string', default: '.local' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`);
  }
};
const { positionals, values } = readArguments();

const brokerUrl = async (): Promise<string> => {
  if (process.env.AMQP_URL) return process.env.AMQP_URL;
  const file = path.join(values.home, 'run.json');
  const run = await readFile(file, 'utf8').catch(() =>
    fail(`Nothing runs in ${values.home}: there is no ${file}. Start it, or set AMQP_URL.`),
  );
  return JSON.parse(run).broker.amqp;
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
} else if (values.help) {
  console.log(usage);
} else {
  fail(queue && !isQueue(queue) ? `There is no queue ${queue}.\n\n${usage}` : usage);
}
