/** Follows the section "Change secrets" of docs/operations.md on a running marketplace. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@lendtools/contracts';
import { projectRoot } from '@lendtools/local/home';
import { inMongo, inPostgres } from '@lendtools/service-runtime/stores';
import type { Operator } from './operator.ts';

type Settings = Record<string, string>;

const internalSecretUsers = ['bookings', 'payments', 'notifications'];

const random = (): string => randomBytes(18).toString('hex');
const nameOf = (service: string, setting: string): string => `${service.toUpperCase()}_${setting}`;

const documented = (
  language: 'sql' | 'js',
  { example, service, password }: { example: string; service: string; password: string },
): { begin: string; end: string } => {
  const text = readFileSync(join(projectRoot, 'docs', 'operations.md'), 'utf8');
  const [, section = ''] = text.split('### A database password');
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```/gms)];
  const [begin, end] = blocks
    .filter(([, of]) => of === language)
    .map(([, , code = '']) => code.replaceAll(example, service).replace("'new'", `'${password}'`));
  if (!begin || !end) throw new Error(`docs/operations.md no longer has the steps in ${language}`);
  return { begin, end };
};

const addDatabaseUsers = async (
  operator: Operator,
): Promise<{ urls: Settings; end(): Promise<void> }> => {
  const urls: Settings = {};
  const endings: (() => Promise<string>)[] = [];
  for (const service of inPostgres) {
    const password = random();
    const sql = documented('sql', { example: 'bookings', service, password });
    const run = (statements: string) =>
      operator.exec(
        'postgres',
        ...['psql', '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', '-qAt', '-c', statements, service],
      );
    await run(sql.begin);
    endings.push(() => run(sql.end));
    urls[nameOf(service, 'DATABASE_URL')] =
      `postgres://${service}_2:${password}@postgres:5432/${service}`;
  }
  for (const service of inMongo) {
    const password = random();
    const js = documented('js', { example: 'messaging', service, password });
    const root = ['mongosh', '--quiet', '-u', 'root', '-p', operator.settings.MONGO_PASSWORD ?? ''];
    const run = (script: string) => operator.exec('mongo', ...root, '--eval', script);
    await run(js.begin);
    endings.push(() => run(js.end));
    urls[nameOf(service, 'MONGO_URL')] =
      `mongodb://${service}_2:${password}@mongo:27017/${service}`;
  }
  return {
    urls,
    async end() {
      for (const ending of endings) await ending();
    },
  };
};

/**
 * Changes all secrets, except the S3 key and the administrator passwords of the servers, in three updates. After the
 * first update, calls `describe` to record the new addresses of the containers.
 */
export const changeSecrets = async (
  operator: Operator,
  describe: () => Promise<void>,
): Promise<void> => {
  const { INTERNAL_SECRET: internal, STRIPE_WEBHOOK_SECRET: webhook } =
    operator.settings as Settings;
  const [nextInternal, nextWebhook] = [random(), `whsec_${random()}`];
  const users = await addDatabaseUsers(operator);
  const brokerPasswords = serviceNames.map((name) => [nameOf(name, 'BROKER_PASSWORD'), random()]);
  operator.set({
    ...users.urls,
    ...Object.fromEntries(brokerPasswords),
    JWT_PRIVATE_KEY: await operator.newSigningKey(),
    STRIPE_WEBHOOK_SECRET: `${webhook},${nextWebhook}`,
    INTERNAL_SECRET: `${internal},${nextInternal}`,
  });
  await operator.update(...serviceNames);
  await describe();
  await users.end();

  await operator.rollWebhookSecret(webhook as string, nextWebhook);
  operator.set({ INTERNAL_SECRET: `${nextInternal},${internal}` });
  await operator.update(...internalSecretUsers);

  await operator.rollWebhookSecret(nextWebhook);
  operator.set({ INTERNAL_SECRET: nextInternal, STRIPE_WEBHOOK_SECRET: nextWebhook });
  await operator.update(...internalSecretUsers);
};

export const openings = async (
  secrets: NodeJS.Dict<string>,
  operator: Operator,
): Promise<string[]> => {
  const passwordOf = (service: string, of: string) => secrets[nameOf(service, of)] as string;
  const opens = (server: string, ...command: string[]): Promise<boolean> =>
    operator.exec(server, ...command).then(
      () => true,
      () => false,
    );
  const tries: Record<string, Promise<boolean>> = {
    'internal secret': operator
      .callPayments(secrets.INTERNAL_SECRET as string)
      .then((status) => status === 200),
    'webhook secret': operator
      .deliver(secrets.STRIPE_WEBHOOK_SECRET as string)
      .then((status) => status === 200),
  };
  for (const service of serviceNames) {
    const login = [service, passwordOf(service, 'BROKER_PASSWORD')];
    const command = ['rabbitmqctl', 'authenticate_user', ...login];
    tries[`${service} at the broker`] = opens('rabbitmq', ...command);
  }
  for (const service of inPostgres) {
    const url = `postgres://${service}:${passwordOf(service, 'DB_PASSWORD')}@postgres:5432/${service}`;
    tries[`${service} at PostgreSQL`] = opens('postgres', 'psql', url, '-c', 'SELECT 1');
  }
  for (const service of inMongo) {
    const login = ['--quiet', '-u', service, '-p', passwordOf(service, 'DB_PASSWORD'), service];
    const read = ['--eval', 'db.any.findOne()'];
    tries[`${service} at MongoDB`] = opens('mongo', 'mongosh', ...login, ...read);
  }
  const open: string[] = [];
  for (const [name, isOpen] of Object.entries(tries)) if (await isOpen) open.push(name);
  return open;
};

export const secretCount = 2 + serviceNames.length + inPostgres.length + inMongo.length;
