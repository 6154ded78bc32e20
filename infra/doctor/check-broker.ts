import { type QueueName, type ServiceName, serviceNames } from '@lendtools/contracts';
import {
  commonDeclarations,
  type Declarations,
  deadQueue,
  declarationsOf,
  definitionsOf,
  findMissing,
  lengthsOf,
  serviceOf,
  wholeTopology,
} from '@lendtools/event-bus';
import { connect } from 'amqplib';
import { patienceMs, placeOf, reasonOf, type Say, type Subject } from './finding.ts';

const setUp = 'Run `npm run set-up-broker` (docker compose run --rm broker-setup).';

export async function checkBrokerAccess({ name, env }: Subject, say: Say): Promise<void> {
  if (name === 'broker') return;
  const url = env.AMQP_URL as string;
  const connection = await connect(url, { noDelay: true, timeout: patienceMs }).catch(
    (error: unknown) => {
      say.wrong(
        `RabbitMQ at ${placeOf(url)} ${reasonOf(error)}`,
        `Start it, or correct AMQP_URL. If the user is missing: ${setUp}`,
      );
    },
  );
  if (!connection) return;
  connection.on('error', () => {});
  try {
    const service = name as ServiceName;
    const declared = declarationsOf(service, wholeTopology).queues.map((queue) => queue.name);
    const missing = await findMissing(connection, declared);
    for (const queue of missing)
      say.wrong(`the queue ${queue} is missing: events for it wait in their outboxes`, setUp);
    const queues = wholeTopology.queues.filter(
      (queue) => serviceOf(queue) === service && !missing.has(queue),
    );
    await checkQueues(service, queues);
    if (missing.size === 0) say.fine(`RabbitMQ at ${placeOf(url)}, ${declared.length} queues`);
  } finally {
    await connection.close();
  }

  async function checkQueues(service: ServiceName, queues: QueueName[]): Promise<void> {
    if (!connection) return;
    const channel = await connection.createChannel();
    for (const queue of queues) {
      const { consumerCount, messageCount } = await channel.checkQueue(queue);
      if (consumerCount === 0)
        say.wrong(
          `${queue} has no consumer, and ${messageCount} events wait in it`,
          `Start ${service}, or see its log for why it does not consume.`,
        );
    }
    await channel.close();
    const dead = await lengthsOf(connection, queues.map(deadQueue));
    for (const [i, count] of dead.entries())
      if (count > 0)
        say.wrong(
          `${count} dead letters of ${queues[i]}`,
          `\`npm run dead-letters -- show ${queues[i]}\` shows why; see DeadLetters in docs/runbook.md.`,
        );
  }
}

type Manage = <T>(path: string) => Promise<T>;

function managementOf(managementUrl: string): Manage {
  const { origin, username, password } = new URL(managementUrl);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return async (path) => {
    const reply = await fetch(`${origin}/api${path}`, {
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      signal: AbortSignal.timeout(patienceMs),
    });
    if (!reply.ok) throw new Error(`RabbitMQ's management answers ${reply.status} to ${path}`);
    return (await reply.json()) as never;
  };
}

export async function checkBroker({ env }: Subject, say: Say): Promise<void> {
  const managementUrl = env.AMQP_MANAGEMENT_URL as string;
  const manage = managementOf(managementUrl);
  const vhost = decodeURIComponent(new URL(env.AMQP_URL as string).pathname.slice(1)) || '/';
  try {
    await checkNodes(manage, say);
  } catch (error) {
    return say.wrong(
      `RabbitMQ's management at ${placeOf(managementUrl)} ${reasonOf(error)}`,
      'Start it, or correct AMQP_MANAGEMENT_URL.',
    );
  }
  await checkBindings(manage, vhost, say);
  const passwords = Object.fromEntries(
    serviceNames.map((name) => [name, env[`${name.toUpperCase()}_BROKER_PASSWORD`] ?? '']),
  ) as Record<ServiceName, string>;
  if (Object.values(passwords).some(Boolean)) await checkUsers(manage, { vhost, passwords }, say);
  else say.fine('one user for all services');
}

async function checkNodes(manage: Manage, say: Say): Promise<void> {
  const { rabbitmq_version: version } = await manage<{ rabbitmq_version: string }>('/overview');
  const nodes = await manage<{ name: string; mem_alarm: boolean; disk_free_alarm: boolean }[]>(
    '/nodes?columns=name,mem_alarm,disk_free_alarm',
  );
  for (const { name, mem_alarm, disk_free_alarm } of nodes)
    if (mem_alarm || disk_free_alarm)
      say.wrong(
        `${name} is short of ${disk_free_alarm ? 'disk' : 'memory'} and blocks all publishers`,
        'Give it more; it recovers without a restart.',
      );
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 3 || (major === 3 && minor < 10))
    say.wrong(`RabbitMQ is ${version}`, 'Upgrade it to 3.10 or newer.');
  else say.fine(`RabbitMQ ${version}`);
}

interface Binding {
  source: string;
  destination: string;
  routing_key: string;
}

async function checkBindings(manage: Manage, vhost: string, say: Say): Promise<void> {
  const bindings = await manage<Binding[]>(`/bindings/${encodeURIComponent(vhost)}`);
  const present = new Set(
    bindings.map(({ source, destination, routing_key: key }) => [source, destination, key].join()),
  );
  const declared: Declarations[] = [
    commonDeclarations(),
    ...serviceNames.map((service) => declarationsOf(service, wholeTopology)),
  ];
  const missing = declared
    .flatMap((each) => each.bindings)
    .filter(({ source, name, key }) => !present.has([source, name, key].join()));
  for (const { source, name, key } of missing)
    say.wrong(`the binding of ${name} to ${source}${key && ` for ${key}`} is missing`, setUp);
  if (missing.length === 0) say.fine(`${present.size} bindings`);
}

interface Rights {
  user: string;
  exchange?: string;
  configure?: string;
  write: string;
  read: string;
}

async function checkUsers(
  manage: Manage,
  { vhost, passwords }: { vhost: string; passwords: Record<ServiceName, string> },
  say: Say,
): Promise<void> {
  const expected = definitionsOf(passwords, vhost);
  const at = `/vhosts/${encodeURIComponent(vhost)}`;
  const [users, permissions, topicPermissions] = await Promise.all([
    manage<{ name: string; tags: string | string[] }[]>('/users'),
    manage<Rights[]>(`${at}/permissions`),
    manage<Rights[]>(`${at}/topic-permissions`),
  ]);
  let isFine = true;
  const wrong = (says: string, todo = setUp) => {
    isFine = false;
    say.wrong(says, todo);
  };
  for (const { name } of expected.users) {
    const user = users.find((each) => each.name === name);
    if (!user) wrong(`there is no user ${name}`);
    else if (user.tags.length > 0)
      wrong(`the user ${name} may administer the broker`, `rabbitmqctl set_user_tags ${name}`);
  }
  const textOf = ({ exchange, configure, write, read }: Rights) =>
    [exchange, configure, write, read].join(' ');
  const compare = (there: Rights[], right: Rights[], what: string) => {
    for (const { name } of expected.users) {
      const sorted = (rights: Rights[]) =>
        rights
          .filter(({ user }) => user === name)
          .map(textOf)
          .sort()
          .join('\n');
      if (sorted(there) !== sorted(right)) wrong(`the user ${name} has the wrong ${what}`);
    }
  };
  compare(permissions, expected.permissions, 'rights to exchanges and queues');
  compare(topicPermissions, expected.topic_permissions, 'rights to events');
  if (isFine) say.fine(`${expected.users.length} users, each with its own rights`);
}
