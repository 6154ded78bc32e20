import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@lendtools/contracts';
import { createLogger } from '@lendtools/service-kit';
import { restore } from '@lendtools/service-runtime/backup';
import { createBrokerUsers } from './broker-users.ts';
import { createDatabases } from './databases.ts';
import { demoLogins, seedDemo } from './demo/seed-demo.ts';
import { openHome, type ServerContext } from './home.ts';
import { startMail } from './mail.ts';
import { type Login, type RunFile, removeRunFile, writeRunFile } from './run-file.ts';
import { readablePassword } from './secrets.ts';
import { announced, serversInStopOrder, startServers } from './servers.ts';
import { describeServices, type Surroundings } from './services.ts';
import { chooseSitePort } from './site-port.ts';
import type { StartOptions } from './start-options.ts';
import { startStripe } from './stripe.ts';
import { buildWebIfStale } from './web-build.ts';

export interface Marketplace {
  /** Resolves with what is running once everything answers. */
  ready: Promise<RunFile>;
  /** May be called at any time, even during the start. */
  stop: () => Promise<void>;
}

/** The whole system on this machine: servers, databases, web build, services, gateway, demo. */
export function startMarketplace(options: StartOptions, say: (line: string) => void): Marketplace {
  const opening = openHome({ home: options.home, say });
  return {
    ready: opening.then((context) => bringUp(context, options)),
    stop: async () => {
      const { supervisor } = await opening;
      removeRunFile(options.home);
      await supervisor.stopAll(serversInStopOrder);
      // A start in progress may have written the run file meanwhile.
      removeRunFile(options.home);
    },
  };
}

async function bringUp(context: ServerContext, options: StartOptions): Promise<RunFile> {
  const { say, ports, supervisor } = context;
  refuseHalfRestored(context.home);
  removeRunFile(context.home);
  const sitePort = await chooseSitePort({ asked: options.port, ports, say });
  const site = process.env.PUBLIC_URL ?? `http://localhost:${sitePort}`;
  const [{ servers, databases, brokerAccess }, mail, stripe, web] = await Promise.all([
    startServers(context).then(async (servers) => {
      const [databases, brokerAccess] = await Promise.all([
        createDatabases(context, servers),
        createBrokerUsers(context, servers),
      ]);
      return { servers, databases, brokerAccess };
    }),
    announced(context, 'Mail', startMail(context)),
    announced(context, 'Stripe', startStripe(context, `http://127.0.0.1:${sitePort}`)),
    announced(context, 'Web app', buildWebIfStale(say)),
  ]);
  const imagesFolder = process.env.IMAGES_DIR ?? join(context.home, 'images');
  const { S3_URL } = process.env;
  const picturesOf = (service: string) => ({ IMAGES_DIR: join(imagesFolder, service), S3_URL });
  const images = { accounts: picturesOf('accounts'), catalog: picturesOf('catalog') };
  if (options.restore) {
    const { home } = context;
    const { takenAt } = await restore({ databases, pictures: images }, options.restore, {
      logger: createLogger('restore', 'warn'),
      emptyWith: emptyWith(home),
      begins: () => writeFile(halfRestored(home), ''),
    });
    await rm(halfRestored(home));
    say(`Restored: the backup of ${takenAt}`);
  }
  const around: Surroundings = {
    servers,
    databases,
    brokerAccess,
    mail,
    stripe,
    web,
    site,
    sitePort,
    images,
    admin: {
      email: process.env.ADMIN_EMAIL ?? 'admin@lendtools.example',
      password:
        process.env.ADMIN_PASSWORD ?? context.secrets.get('adminPassword', readablePassword),
    },
    ports: await pickServicePorts(context, options.replicas),
  };
  await announced(context, 'Services', startServices(context, around));
  const logins: Login[] = [{ role: 'admin', ...around.admin }];
  if (options.withDemo) {
    logins.unshift(...demoLogins(context));
    // Continues without the complete demo; the next start resumes seeding.
    await seedDemo({ context, around }).catch((error: Error) => {
      say(`The demo neighborhood is incomplete: ${error.message}`);
    });
  }

  const describe = () => describeRun(context, around, logins);
  supervisor.onChange(() => writeRunFile(context.home, describe()));
  writeRunFile(context.home, describe());
  return describe();
}

/** This file exists while a restore is incomplete. */
const halfRestored = (home: string): string => join(home, 'half-restored');
const emptyWith = (home: string): string => `rm -r ${home}`;

function refuseHalfRestored(home: string): void {
  if (existsSync(halfRestored(home)))
    throw new Error(
      `A restore into ${home} has failed, so only a part is there. Empty it: ${emptyWith(home)}`,
    );
}

async function startServices(
  context: ServerContext,
  around: Surroundings,
): Promise<{ choice: string }> {
  const services = describeServices(context, around);
  await Promise.all(services.map((service) => context.supervisor.start(service)));
  return { choice: `${services.length - 1} processes and the gateway` };
}

async function pickServicePorts(
  context: ServerContext,
  replicas: Map<ServiceName, number>,
): Promise<Record<ServiceName, number[]>> {
  const portsOf = async (service: ServiceName) => {
    const names = Array.from(
      { length: replicas.get(service) ?? 1 },
      (_, i) => `${service}-${i + 1}`,
    );
    return [service, await Promise.all(names.map((name) => context.ports.pick(name)))] as const;
  };
  const entries = await Promise.all(serviceNames.map(portsOf));
  return Object.fromEntries(entries) as Record<ServiceName, number[]>;
}

function describeRun(context: ServerContext, around: Surroundings, logins: Login[]): RunFile {
  const { apiBase, secretKey, publishableKey, webhookSecret } = around.stripe;
  return {
    site: around.site,
    mail: { web: around.mail.inbox, smtp: around.mail.smtpUrl },
    docs: `${around.site}/api/docs`,
    broker: {
      amqp: around.servers.rabbitmq.amqpUrl,
      page: around.servers.rabbitmq.managementUrl,
      services: around.brokerAccess.urls,
    },
    databases: around.databases,
    stripe: { apiBase, secretKey, publishableKey, webhookSecret },
    logins,
    settings: Object.fromEntries(
      describeServices(context, around)
        .filter(({ replica }) => replica === 1)
        .map(({ name, settings = {} }) => [name, settings]),
    ),
    // Replicas share their service's name; the supervisor appends a number.
    processes: context.supervisor
      .running()
      .map((each) => ({ ...each, name: each.name.replace(/-\d+$/, '') })),
  };
}
