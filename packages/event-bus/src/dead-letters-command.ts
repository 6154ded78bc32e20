import { type QueueName, subscriptions } from '@lendtools/contracts';
import { fail, readOperatorCommand } from '@lendtools/service-kit/command-line';
import { countDeadLetters, replayDeadLetters, showDeadLetters } from './dead-letters.ts';

const usage = `npm run dead-letters -- list
npm run dead-letters -- show <queue>
npm run dead-letters -- replay <queue>

--home <folder>   of the running marketplace (default .local); or set AMQP_URL`;

const { positionals, addressOf } = readOperatorCommand(usage);
const brokerUrl = () => addressOf('AMQP_URL', ({ broker }) => broker.amqp);
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
  fail(queue && !isQueue(queue) ? `There is no queue ${queue}.` : '', usage);
}
