import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { containerProcess, imageOf } from './containers.ts';
import { installDebianPackages, mayInstallDebianPackages } from './debian-packages.ts';
import type { ServerContext } from './home.ts';
import { findRabbitMq, hasDocker } from './machine.mjs';
import { answers } from './ports.ts';

export interface RabbitMq {
  amqpUrl: string;
  /** URL of the management page and HTTP API; null if AMQP_URL names a broker and AMQP_MANAGEMENT_URL is not set. */
  managementUrl: string | null;
  isGiven: boolean;
  choice: string;
}

export interface StartingRabbitMq {
  rabbitmq: RabbitMq;
  ready: Promise<void>;
}

export async function startRabbitMq(context: ServerContext): Promise<RabbitMq> {
  const { rabbitmq, ready } = await beginRabbitMq(context);
  await ready;
  return rabbitmq;
}

/** Resolves once the broker's address is known, which is seconds before the broker is ready. */
export async function beginRabbitMq(context: ServerContext): Promise<StartingRabbitMq> {
  const given = process.env.AMQP_URL;
  if (given) {
    const managementUrl = process.env.AMQP_MANAGEMENT_URL ?? null;
    const rabbitmq = { amqpUrl: given, managementUrl, isGiven: true, choice: 'AMQP_URL' };
    return { rabbitmq, ready: Promise.resolve() };
  }
  const server = await findServer(context);
  return server ? startNode(context, server) : startContainer(context);
}

interface Server {
  script: string;
  origin: string;
}

async function startNode(
  context: ServerContext,
  { script, origin }: Server,
): Promise<StartingRabbitMq> {
  const ports = {
    amqp: await context.ports.pick('rabbitmq'),
    page: await context.ports.pick('rabbitmq-page'),
    dist: await context.ports.pick('rabbitmq-dist'),
    epmd: await context.ports.pick('epmd'),
  };
  const password = context.secrets.get('brokerPassword');
  const folder = join(context.data, 'rabbitmq');
  const { isThrowaway } = context;
  const cookie = context.secrets.get('erlangCookie');
  writeConfiguration({ folder, ports, password, cookie, isThrowaway });
  await context.supervisor.start({
    // Starts epmd, Erlang's port mapper: otherwise the node starts one that outlives it and serves the whole machine.
    name: 'epmd',
    command: 'epmd',
    args: ['-port', String(ports.epmd), '-address', '127.0.0.1'],
    env: { PATH: searchPath() },
    port: ports.epmd,
    isReady: () => answers(ports.epmd),
  });
  const page = `http://127.0.0.1:${ports.page}`;
  const ready = context.supervisor.start({
    name: 'rabbitmq',
    command: script,
    args: [],
    cwd: folder,
    env: nodeEnvironment(folder, ports),
    port: ports.amqp,
    isReady: async () => (await answers(ports.amqp)) && (await fetch(page)).ok,
    // After stopping its queues the broker waits five seconds for a management process. A kill during this wait loses
    // nothing.
    stopTimeoutMs: 1_500,
  });
  const choice = `${origin}, a private node on port ${ports.amqp}`;
  return { rabbitmq: describe(ports, password, choice), ready };
}

async function startContainer(context: ServerContext): Promise<StartingRabbitMq> {
  const image = imageOf('rabbitmq');
  const ports = {
    amqp: await context.ports.pick('rabbitmq'),
    page: await context.ports.pick('rabbitmq-page'),
  };
  const password = context.secrets.get('brokerPassword');
  const container = await containerProcess(context, {
    name: 'rabbitmq',
    image,
    ports: [
      [ports.amqp, 5672],
      [ports.page, 15_672],
    ],
    dataFolder: '/var/lib/rabbitmq',
    env: {
      RABBITMQ_DEFAULT_USER: user,
      RABBITMQ_DEFAULT_PASS: password,
      // Keep the node name: RabbitMQ stores data by it, and each new container has another host name.
      RABBITMQ_NODENAME: 'lendtools@localhost',
    },
  });
  const listens = `http://127.0.0.1:${ports.page}/api/health/checks/port-listener/5672`;
  const authorization = `Basic ${btoa(`${user}:${password}`)}`;
  const ready = context.supervisor.start({
    ...container,
    name: 'rabbitmq',
    port: ports.amqp,
    // Wait for the server itself, because Docker accepts connections to the port before the server does.
    isReady: async () => (await fetch(listens, { headers: { authorization } })).ok,
    stopTimeoutMs: 20_000,
  });
  const choice = `the container ${image} on port ${ports.amqp}`;
  return { rabbitmq: describe(ports, password, choice), ready };
}

const user = 'lendtools';

function describe(
  { amqp, page }: { amqp: number; page: number },
  password: string,
  choice: string,
): RabbitMq {
  return {
    amqpUrl: `amqp://${user}:${password}@127.0.0.1:${amqp}`,
    managementUrl: `http://${user}:${password}@127.0.0.1:${page}`,
    isGiven: false,
    choice,
  };
}

/** Finds or installs RabbitMQ. Returns null if that is impossible but a container can be used. */
async function findServer(context: ServerContext): Promise<Server | null> {
  const present = findRabbitMq();
  if (present) return { script: present, origin: 'rabbitmq-server of this machine' };
  if (mayInstallDebianPackages()) {
    context.say('RabbitMQ: installing the Debian package rabbitmq-server');
    await installDebianPackages(['rabbitmq-server']).catch((error: Error) =>
      context.say(error.message),
    );
    const installed = findRabbitMq();
    if (installed) return { script: installed, origin: 'rabbitmq-server from Debian' };
  }
  if (hasDocker()) return null;
  throw new Error(
    'RabbitMQ is needed. Either install the package rabbitmq-server (apt install rabbitmq-server, ' +
      'brew install rabbitmq), or start Docker, or run this as root on Debian or Ubuntu so that it can be ' +
      'installed, or give the address of a broker as AMQP_URL=amqp://user:password@host',
  );
}

/** Adds Homebrew's folders, which contain Erlang's programs but may be missing from PATH. */
function searchPath(): string {
  return [process.env.PATH, '/opt/homebrew/bin', '/usr/local/bin'].join(delimiter);
}

interface NodePorts {
  amqp: number;
  page: number;
  dist: number;
  epmd: number;
}

function writeConfiguration(options: {
  folder: string;
  ports: NodePorts;
  password: string;
  cookie: string;
  isThrowaway: boolean;
}): void {
  const { folder, ports, password, cookie, isThrowaway } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const configuration = [
    `listeners.tcp.1 = 127.0.0.1:${ports.amqp}`,
    'management.tcp.ip = 127.0.0.1',
    `management.tcp.port = ${ports.page}`,
    'default_user = lendtools',
    `default_pass = ${password}`,
    // Lower than the default limit, which would silently block publishers on a nearly full laptop.
    'disk_free_limit.absolute = 50MB',
    'vm_memory_high_watermark.relative = 0.3',
    'log.console.level = warning',
    // Tests find connections in the management statistics, which by default are five seconds old.
    ...(isThrowaway ? ['collect_statistics_interval = 1000'] : []),
  ];
  writeFileSync(join(folder, 'rabbitmq.conf'), `${configuration.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(join(folder, 'enabled_plugins'), '[rabbitmq_management].\n');
  writeFileSync(join(folder, 'rabbitmq-env.conf'), '');
  const cookieFile = join(folder, '.erlang.cookie');
  if (existsSync(cookieFile)) chmodSync(cookieFile, 0o600);
  writeFileSync(cookieFile, cookie, { mode: 0o600 });
  chmodSync(cookieFile, 0o400);
}

function nodeEnvironment(folder: string, ports: NodePorts): NodeJS.ProcessEnv {
  return {
    PATH: searchPath(),
    LANG: 'C.UTF-8',
    HOME: folder,
    RABBITMQ_NODENAME: 'lendtools@localhost',
    RABBITMQ_DIST_PORT: String(ports.dist),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'rabbitmq-env.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
      '-kernel inet_dist_use_interface {127,0,0,1} +S 2:2 +sbwt none',
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    // This setting makes the script exec the Erlang VM, so that signals reach the broker.
    RUNNING_UNDER_SYSTEMD: 'true',
  };
}
