import { readFileSync } from 'node:fs';

export interface TestServers {
  /** The URL has a superuser's credentials. */
  postgresUrl: string;
  /** The URL has an administrator's credentials and no virtual host. */
  amqpUrl: string;
  amqpManagementUrl: string;
  mongoUrl: string;
  /** The URL has a key and its secret; tests create their own buckets. */
  s3Url: string;
  /** The URL of an email server that stores what it receives. `inboxUrl` has its inbox. */
  smtpUrl: string;
  inboxUrl: string;
  /** The URL of a trace collector. Null if a test must receive traces itself. */
  otlpUrl: string | null;
  tracesFile: string | null;
  chromePath: string;
}

const file = new URL('../../../.local/test/servers.json', import.meta.url);

/**
 * Reads the servers from the environment of `npm test`, otherwise from the `servers.json` of a running `node
 * infra/local/test-servers.ts`.
 */
export const testServers = (): TestServers => {
  const { env } = process;
  if (env.TEST_POSTGRES_URL) {
    return {
      postgresUrl: env.TEST_POSTGRES_URL,
      amqpUrl: env.TEST_AMQP_URL ?? '',
      amqpManagementUrl: env.TEST_AMQP_MANAGEMENT_URL ?? '',
      mongoUrl: env.TEST_MONGO_URL ?? '',
      s3Url: env.TEST_S3_URL ?? '',
      smtpUrl: env.TEST_SMTP_URL ?? '',
      inboxUrl: env.TEST_INBOX_URL ?? '',
      otlpUrl: env.TEST_OTLP_URL ?? null,
      tracesFile: env.TEST_TRACES_FILE ?? null,
      chromePath: env.CHROME_PATH ?? '',
    };
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Error(
      'No servers for tests: run `npm test`, or `node infra/local/test-servers.ts` beside this.',
    );
  }
};
