import { ConfigError, readConfig } from '@lendtools/service-kit';
import type { z } from 'zod';
import { config as gateway } from '../../gateway/src/config.ts';
import { config as accounts } from '../../services/accounts/src/config.ts';
import { config as bookings } from '../../services/bookings/src/config.ts';
import { config as catalog } from '../../services/catalog/src/config.ts';
import { config as messaging } from '../../services/messaging/src/config.ts';
import { config as notifications } from '../../services/notifications/src/config.ts';
import { config as payments } from '../../services/payments/src/config.ts';
import { checkBroker, checkBrokerAccess } from './check-broker.ts';
import { checkMongo, checkPostgres } from './check-databases.ts';
import { checkMoney } from './check-money.ts';
import { checkBucket, checkPictures } from './check-pictures.ts';
import { checkProxies } from './check-proxies.ts';
import {
  checkConnectEndpoint,
  checkInternalSecret,
  checkMail,
  checkOwnPayouts,
  checkServices,
  checkStripe,
  checkWebApp,
  checkWebhook,
  checkWebhookEndpoint,
} from './check-surroundings.ts';
import { type Finding, reasonOf, type Say, type Subject } from './finding.ts';

const schemas: Record<Exclude<Subject['name'], 'broker'>, z.ZodObject> = {
  accounts,
  bookings,
  catalog,
  gateway,
  messaging,
  notifications,
  payments,
};

async function checkSettings({ name, env }: Subject, say: Say): Promise<void> {
  if (name === 'broker') return;
  try {
    readConfig(schemas[name], env);
    say.fine('complete');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [, ...problems] = error.message.split('\n');
    for (const problem of problems)
      say.wrong(problem.trim(), '.env.example describes each setting.');
  }
}

/** A check runs only if its setting is present; `checkSettings` reports missing settings. */
const checks: { name: string; setting: string; run: typeof checkSettings; of?: Subject['name'] }[] =
  [
    { name: 'database', setting: 'DATABASE_URL', run: checkPostgres },
    { name: 'database', setting: 'MONGO_URL', run: checkMongo },
    { name: 'money', setting: 'DATABASE_URL', run: checkMoney, of: 'payments' },
    { name: 'events', setting: 'AMQP_URL', run: checkBrokerAccess },
    { name: 'broker', setting: 'AMQP_MANAGEMENT_URL', run: checkBroker, of: 'broker' },
    { name: 'pictures', setting: 'IMAGES_DIR', run: checkPictures },
    { name: 'pictures', setting: 'S3_URL', run: checkBucket },
    { name: 'web app', setting: 'WEB_DIST', run: checkWebApp },
    { name: 'proxies', setting: 'PUBLIC_URL', run: checkProxies, of: 'gateway' },
    { name: 'services', setting: 'ACCOUNTS_URL', run: checkServices },
    { name: 'internal secret', setting: 'INTERNAL_SECRET', run: checkInternalSecret },
    { name: 'mail', setting: 'SMTP_URL', run: checkMail },
    { name: 'Stripe', setting: 'STRIPE_SECRET_KEY', run: checkStripe },
    { name: 'webhook', setting: 'STRIPE_WEBHOOK_SECRET', run: checkWebhook },
    { name: 'webhook at Stripe', setting: 'STRIPE_SECRET_KEY', run: checkWebhookEndpoint },
    { name: 'Connect webhook at Stripe', setting: 'STRIPE_SECRET_KEY', run: checkConnectEndpoint },
    { name: 'own payouts at Stripe', setting: 'STRIPE_SECRET_KEY', run: checkOwnPayouts },
  ];

export async function examine(subjects: readonly Subject[]): Promise<Finding[]> {
  return (await Promise.all(subjects.map(examineOne))).flat();
}

async function examineOne(subject: Subject): Promise<Finding[]> {
  const findings: Finding[] = [];
  const sayOf = (check: string): Say => {
    const found = { about: subject.name, check };
    return {
      fine: (says) => findings.push({ ...found, isFine: true, says }),
      wrong: (says, todo) => findings.push({ ...found, isFine: false, says, todo }),
    };
  };
  await checkSettings(subject, sayOf('settings'));
  for (const { name, setting, run, of } of checks) {
    if (!subject.env[setting] || (of && of !== subject.name)) continue;
    const say = sayOf(name);
    try {
      await run(subject, say);
    } catch (error) {
      say.wrong(`it ${reasonOf(error)}`, 'Report this: the doctor should recognize this error.');
    }
  }
  const secrets = secretsOf(subject.env);
  return findings.map((finding) => ({
    ...finding,
    says: secrets.reduce((text, secret) => text.replaceAll(secret, '[cut]'), finding.says),
  }));
}

/** Returns the secrets to remove from findings, because error messages of other programs may contain them. */
function secretsOf(env: NodeJS.Dict<string>): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (/PASSWORD|SECRET|KEY/.test(name)) return value.split(/\s*,\s*/).filter(Boolean);
    const { password = '' } = URL.canParse(value) ? new URL(value) : {};
    return password ? [password, decodeURIComponent(password)] : [];
  });
}
