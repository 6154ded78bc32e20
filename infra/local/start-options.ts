import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '@lendtools/contracts';
import { projectRoot } from './home.ts';
import { isWindowsDrive } from './machine.mjs';

export interface StartOptions {
  home: string;
  /** Null for the default port, 0 for any free port. */
  port: number | null;
  withDemo: boolean;
  replicas: Map<ServiceName, number>;
  restore: string | null;
}

export const usage = `npm start -- [options]
  --port <number>             the site's port (8080, or the next free one; 0 for any)
  --home <folder>             folder for all state (.local)
  --restore <folder>          restores a backup of \`npm run backup\` into a new home; without the demo neighborhood
  --no-demo                   without the demo neighborhood
  --replicas <service>=<n>    several processes of one service, e.g. --replicas bookings=2`;

const mostReplicas = 8;

/** @throws Error that names the option and its valid values */
export function parseStartOptions(args: string[], isOnWindowsDrive = isWindowsDrive): StartOptions {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      port: { type: 'string' },
      home: { type: 'string' },
      demo: { type: 'boolean', default: true },
      restore: { type: 'string' },
      replicas: { type: 'string', multiple: true, default: [] },
    },
  });
  if (values.home && isOnWindowsDrive(resolve(values.home)))
    throw new Error(
      `--home takes a folder in Linux's own file system, not ${values.home} on a Windows drive`,
    );
  return {
    home: values.home ? resolve(values.home) : join(projectRoot, '.local'),
    port: values.port === undefined ? null : parsePort(values.port),
    // A restored marketplace has its own data, so no demo is added.
    withDemo: values.demo && values.restore === undefined,
    replicas: parseReplicas(values.replicas),
    restore: values.restore === undefined ? null : resolve(values.restore),
  };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new Error(`--port takes a number from 0 to 65535, not "${text}"`);
  }
  return port;
}

function parseReplicas(settings: string[]): Map<ServiceName, number> {
  const replicas = new Map<ServiceName, number>();
  for (const setting of settings.flatMap((text) => text.split(','))) {
    const [name, count] = setting.split('=');
    const service = serviceNames.find((known) => known === name);
    if (!service) {
      throw new Error(`--replicas takes ${serviceNames.join(', ')}, not "${name}"`);
    }
    if (!/^[1-9]\d*$/.test(count ?? '') || Number(count) > mostReplicas) {
      throw new Error(`--replicas ${service}= takes a number from 1 to ${mostReplicas}`);
    }
    replicas.set(service, Number(count));
  }
  return replicas;
}
