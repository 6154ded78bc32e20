import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '@lendtools/contracts';
import { setUpBroker } from './set-up-broker.ts';

const patienceMs = 60_000;

const usage = `npm run set-up-broker

Makes each service's user, and every exchange and queue, on the broker that these name:
  AMQP_URL, AMQP_MANAGEMENT_URL   with an administrator's name and password
  ${serviceNames.map((service) => `${service.toUpperCase()}_BROKER_PASSWORD`).join('\n  ')}
Safe to repeat; run it before each upgrade.`;

/** Ends the command with one sentence for a person. */
const fail = (sentence: string): never => {
  console.error(`${sentence}\n\n${usage}`);
  process.exit(2);
};

const readArguments = () => {
  try {
    return parseArgs({ options: { help: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    return fail((error as Error).message);
  }
};

const missing: string[] = [];
const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) missing.push(name);
  return value ?? '';
};

if (readArguments().help) {
  console.log(usage);
} else {
  const options = {
    amqpUrl: setting('AMQP_URL'),
    managementUrl: setting('AMQP_MANAGEMENT_URL'),
    passwords: Object.fromEntries(
      serviceNames.map((service) => [service, setting(`${service.toUpperCase()}_BROKER_PASSWORD`)]),
    ) as Record<ServiceName, string>,
  };
  if (missing.length > 0) fail(`Missing: ${missing.join(', ')}`);
  // Its management answers some seconds after the broker itself does.
  for (const end = Date.now() + patienceMs; ; await delay(2_000)) {
    try {
      await setUpBroker(options);
      break;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
  console.log('The broker is set up.');
}
