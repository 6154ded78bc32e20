import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { containerProcess, imageOf } from './containers.ts';
import { installDebianPackages, mayInstallDebianPackages } from './debian-packages.ts';
import type { ServerContext } from './home.ts';
import { findRabbitMq, hasDocker } from './machine.mjs';
import { answers } from './ports.ts';

export interface RabbitMq {
  /** URL with user and password. */
  amqpUrl: string;
  /** The management page and HTTP API, with user and password; null if a given broker has none. */
  managementUrl: string | null;
  /** An existing broker, given by AMQP_URL. */
  isGiven: boolean;
  choice: string;
}

export async function startRabbitMq(context: ServerContext): Promise<RabbitMq> {
  const given = process.env.AMQP_URL;
  if (given) {
    const managementUrl = process.env.AMQP_MANAGEMENT_URL ?? null;
    return { amqpUrl: given, managementUrl, isGiven: true, choice: 'AMQP_URL' };
  }
  const server = await findServer(context);
  return server ? startNode(context, server) : startContainer(context);
}

interface Server {
  script: string;
  origin: string;
}

async function startNode(context: ServerContext, { script, origin }: Server): Promise<RabbitMq> {
  const ports = {
    amqp: await context.ports.pick('rabbitmq'),
    page: await context.ports.pick('rabbitmq-page'),
    dist: await context.ports.pick('rabbitmq-dist'),
    epmd: await context.ports.pick('epmd'),
  };
  const password = context.secrets.get('brokerPassword');
  const folder = join(context.home, 'rabbitmq');
  const { isThrowaway } = context;
  const cookie = context.secrets.get('erlangCookie');
  writeConfiguration({ folder, ports, password, cookie, isThrowaway });
  await context.supervisor.start({
    // Run epmd under our supervisor: otherwise the node would start one that outlives it and is shared by the whole
    // machine.
    name: 'epmd',
    command: 'epmd',
    args: ['-port', String(ports.epmd), '-address', '127.0.0.1'],
    env: { PATH: searchPath() },
    port: ports.epmd,
    isReady: () => answers(ports.epmd),
  });
  const page = `http://127.0.0.1:${ports.page}`;
  await context.supervisor.start({
    name: 'rabbitmq',
    command: script,
    args: [],
    cwd: folder,
    env: nodeEnvironment(folder, ports),
    port: ports.amqp,
    isReady: async () => (await answers(ports.amqp)) && (await fetch(page)).ok,
    stopTimeoutMs: 20_000,
  });
  return describe(ports, password, `${origin}, a private node on port ${ports.amqp}`);
}

async function startContainer(context: ServerContext): Promise<RabbitMq> {
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
      // RabbitMQ stores data per node name. Set the name, because each new container has a new host name.
      RABBITMQ_NODENAME: 'lendtools@localhost',
    },
  });
  const listens = `http://127.0.0.1:${ports.page}/api/health/checks/port-listener/5672`;
  const authorization = `Basic ${btoa(`${user}:${password}`)}`;
  await context.supervisor.start({
    ...container,
    name: 'rabbitmq',
    port: ports.amqp,
    // Docker accepts connections to the port before the server does.
    isReady: async () => (await fetch(listens, { headers: { authorization } })).ok,
    stopTimeoutMs: 20_000,
  });
  return describe(ports, password, `the container ${image} on port ${ports.amqp}`);
}

const user = 'lendtools';

const describe = (
  { amqp, page }: { amqp: number; page: number },
  password: string,
  choice: string,
): RabbitMq => ({
  amqpUrl: `amqp://${user}:${password}@127.0.0.1:${amqp}`,
  managementUrl: `http://${user}:${password}@127.0.0.1:${page}`,
  isGiven: false,
  choice,
});

/** The rabbitmq-server of this machine, installed first if root on Debian; null if a container has to be used. */
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

/** Adds Homebrew's folders, which have Erlang's programs and may be missing from PATH. */
const searchPath = (): string =>
  [process.env.PATH, '/opt/homebrew/bin', '/usr/local/bin'].join(delimiter);

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
    // The default limit would silently block publishers on a nearly full laptop.
    'disk_free_limit.absolute = 50MB',
    'vm_memory_high_watermark.relative = 0.3',
    'log.console.level = warning',
    // Tests look up connections to close in the management statistics, which are five seconds old by default.
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
    // Makes the script exec the Erlang VM instead of staying its parent, so that our pid is the broker's and signals
    // reach it.
    RUNNING_UNDER_SYSTEMD: 'true',
  };
}
