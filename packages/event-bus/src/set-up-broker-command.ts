import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '@lendtools/contracts';
import { fail, readCommandLine } from '@lendtools/service-kit/command-line';
import { setUpBroker } from './set-up-broker.ts';

const patienceMs = 60_000;

const usage = `npm run set-up-broker

Makes each service's user, and every exchange and queue, on the broker that these name:
  AMQP_URL, AMQP_MANAGEMENT_URL   with an administrator's name and password
  ${serviceNames.map((service) => `${service.toUpperCase()}_BROKER_PASSWORD`).join('\n  ')}
Safe to repeat; run it before each upgrade.`;

readCommandLine(usage, (args) => parseArgs({ args, options: {} }));

const missing: string[] = [];
const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) missing.push(name);
  return value ?? '';
};

const options = {
  amqpUrl: setting('AMQP_URL'),
  managementUrl: setting('AMQP_MANAGEMENT_URL'),
  passwords: Object.fromEntries(
    serviceNames.map((service) => [service, setting(`${service.toUpperCase()}_BROKER_PASSWORD`)]),
  ) as Record<ServiceName, string>,
};
if (missing.length > 0) fail(`Missing: ${missing.join(', ')}`, usage);
// Retry, because the management API is ready only seconds after the broker itself.
for (const end = Date.now() + patienceMs; ; await delay(2_000)) {
  try {
    await setUpBroker(options);
    break;
  } catch (error) {
    if (Date.now() > end) throw error;
  }
}
console.log('The broker is set up.');
