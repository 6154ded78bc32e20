import type { RunFile } from '@lendtools/local/run-file';

export interface Container {
  Config: { Labels: Record<string, string> };
  State: { Pid: number; Health?: { Status: string } };
  NetworkSettings: { Networks: Record<string, { IPAddress: string }> };
}

const isOlder = (version: string, [major, minor]: [number, number]): boolean => {
  const [a = 0, b = 0] = version.replace(/^v/, '').split('.').map(Number.parseFloat);
  return a < major || (a === major && b < minor);
};

export const engineProblem = (versions: {
  engine: string | undefined;
  compose: string | undefined;
}): string | undefined => {
  const { engine, compose } = versions;
  if (!engine) return 'No Docker Engine answers: start one, or set DOCKER_HOST.';
  if (isOlder(engine, [27, 0]))
    return `This is Docker Engine ${engine}; the compose file needs 27 or newer for IPv6 networks.`;
  if (!compose) return 'Docker Compose is missing: install the plugin, 2.24 or newer.';
  if (isOlder(compose, [2, 24]))
    return `This is Docker Compose ${compose}; the compose file needs 2.24 or newer.`;
};

export const serviceOf = ({ Config }: Container): string =>
  Config.Labels['com.docker.compose.service'] as string;

export const addressOf = (containers: Container[], service: string): string => {
  const container = containers.find((each) => serviceOf(each) === service);
  const [network] = Object.values(container?.NetworkSettings.Networks ?? {});
  if (!network) throw new Error(`No container of ${service} is running`);
  return network.IPAddress;
};

export const runFileOf = (
  env: NodeJS.Dict<string>,
  containers: Container[],
): Pick<RunFile, 'site' | 'mail' | 'broker' | 'databases' | 'stripe' | 'logins' | 'processes'> => {
  const at = (service: string) => addressOf(containers, service);
  const passwordOf = (name: string, of: string) => env[`${name.toUpperCase()}_${of}_PASSWORD`];
  /** Uses the service's own database URL if set, as Compose does. It is set once the database user was replaced. */
  const database = (kind: 'postgres' | 'mongodb', name: string) => {
    const own = env[`${name.toUpperCase()}_${kind === 'postgres' ? 'DATABASE' : 'MONGO'}_URL`];
    const login = own ? new URL(own) : { username: name, password: passwordOf(name, 'DB') };
    const host = kind === 'postgres' ? `${at('postgres')}:5432` : `${at('mongo')}:27017`;
    return `${kind}://${login.username}:${login.password}@${host}/${name}`;
  };
  const postgres = (name: string) => database('postgres', name);
  // The replica set's host name resolves only inside its network, so connect directly.
  const mongo = (name: string) => `${database('mongodb', name)}?directConnection=true`;
  const amqp = (name: string) =>
    `amqp://${name}:${passwordOf(name, 'BROKER')}@${at('rabbitmq')}:5672`;
  return {
    site: env.PUBLIC_URL as string,
    mail: {
      web: `http://localhost:1080/${env.MAIL_INBOX_SECRET}`,
      smtp: `smtp://${at('mail')}:1025`,
    },
    broker: {
      amqp: `amqp://lendtools:${env.BROKER_PASSWORD}@${at('rabbitmq')}:5672`,
      page: `http://lendtools:${env.BROKER_PASSWORD}@${at('rabbitmq')}:15672`,
      services: {
        accounts: amqp('accounts'),
        catalog: amqp('catalog'),
        bookings: amqp('bookings'),
        payments: amqp('payments'),
        messaging: amqp('messaging'),
        notifications: amqp('notifications'),
      },
    },
    databases: {
      accounts: postgres('accounts'),
      catalog: postgres('catalog'),
      bookings: postgres('bookings'),
      payments: postgres('payments'),
      messaging: mongo('messaging'),
      notifications: mongo('notifications'),
    },
    stripe: {
      apiBase: 'http://127.0.0.1:4242',
      secretKey: env.STRIPE_SECRET_KEY as string,
      publishableKey: env.STRIPE_PUBLISHABLE_KEY as string,
      webhookSecret: env.STRIPE_WEBHOOK_SECRET as string,
      connectWebhookSecret: env.STRIPE_CONNECT_WEBHOOK_SECRET as string,
    },
    logins: [
      { role: 'admin', email: env.ADMIN_EMAIL as string, password: env.ADMIN_PASSWORD as string },
    ],
    processes: [],
  };
};
