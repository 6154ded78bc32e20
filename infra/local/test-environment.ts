import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './chromium.ts';
import { createDataFolder } from './data-folder.ts';
import { openHome, projectRoot } from './home.ts';
import { startMailCatcher } from './mail.ts';
import { isStillRunning, startTimeOf } from './os-process.ts';
import { answers } from './ports.ts';
import { startS3Server } from './s3-server.ts';
import { announced, serversInStopOrder, startServers } from './servers.ts';
import { stopLeftovers } from './supervisor.ts';
import { startContainers, type TestServerSet } from './test-containers.ts';
import { chooseTestInfra } from './test-infra.ts';

/** The addresses are stored in `servers.json`. */
export interface TestServers {
  infra: 'containers' | 'local';
  /** The process of `test-servers.ts`, which stops the servers when it ends. */
  keeper: { pid: number; startedAt: string };
  /** A superuser's connection, because tests create databases. */
  postgresUrl: string;
  amqpUrl: string;
  /** The URL has a user and password, because tests create vhosts with the HTTP API. */
  amqpManagementUrl: string | null;
  mongoUrl: string;
  /** The URL's key has all rights, because tests create buckets. */
  s3Url: string;
  smtpUrl: string;
  inboxUrl: string;
  otlpUrl: string | null;
  tracesFile: string | null;
  chromePath: string | null;
}

export const testHome = join(projectRoot, '.local', 'test');
const serversFile = join(testHome, 'servers.json');

export async function startTestServers(
  say: (line: string) => void,
): Promise<{ servers: TestServers; stop: () => Promise<void> }> {
  // Every run starts from scratch, after ending what a killed run left behind.
  await stopLeftovers(testHome);
  rmSync(testHome, { recursive: true, force: true });
  const data = createDataFolder(testHome);
  const context = await openHome({ home: testHome, say, data, isThrowaway: true });
  let stopContainers = async () => {};
  const stop = async () => {
    rmSync(serversFile, { force: true });
    await Promise.all([context.supervisor.stopAll(serversInStopOrder), stopContainers()]);
    rmSync(data, { recursive: true, force: true });
  };
  const choosing = chooseTestInfra<TestServerSet & Pick<TestServers, 'infra'>>({
    requested: process.env.TEST_INFRA,
    say,
    local: async () => {
      const [servers, s3, mail] = await Promise.all([
        startServers(context),
        announced(context, 'S3', startS3Server(context)),
        announced(context, 'Mail', startMailCatcher(context)),
      ]);
      return { infra: 'local', ...servers, s3, mail, traces: null };
    },
    containers: async () => {
      const started = await startContainers(context);
      stopContainers = started.stop;
      return { infra: 'containers', ...started.servers };
    },
  });
  try {
    const [{ infra, postgres, rabbitmq, mongodb, s3, mail, traces }, chromium] = await Promise.all([
      choosing,
      findChromium(say),
    ]);
    say(`Chromium    ${chromium?.choice ?? 'none found, so the browser journeys are skipped'}`);
    const servers: TestServers = {
      infra,
      keeper: { pid: process.pid, startedAt: startTimeOf(process.pid) ?? '' },
      postgresUrl: postgres.adminUrl,
      amqpUrl: rabbitmq.amqpUrl,
      amqpManagementUrl: rabbitmq.managementUrl,
      mongoUrl: mongodb.url,
      s3Url: s3.url,
      smtpUrl: mail.smtpUrl,
      inboxUrl: mail.inbox,
      otlpUrl: traces?.endpoint ?? null,
      tracesFile: traces?.file ?? null,
      chromePath: chromium?.path ?? null,
    };
    writeFileSync(serversFile, JSON.stringify(servers, null, 2), { mode: 0o600 });
    return { servers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Returns null unless all servers answer.
 * @throws Error if `TEST_INFRA` requires containers and the servers are processes, or the reverse
 */
export async function findRunningTestServers(): Promise<TestServers | null> {
  if (!existsSync(serversFile)) return null;
  const servers = JSON.parse(readFileSync(serversFile, 'utf8')) as TestServers;
  // If `test-servers.ts` was killed, its servers still run; the caller ends and restarts them.
  if (!servers.keeper || !isStillRunning(servers.keeper)) return null;
  const { postgresUrl, amqpUrl, mongoUrl, s3Url, smtpUrl } = servers;
  const urls = [postgresUrl, amqpUrl, mongoUrl, s3Url, smtpUrl].map((url) => new URL(url));
  const answered = await Promise.all(urls.map((url) => answers(Number(url.port), url.hostname)));
  if (!answered.every(Boolean)) return null;
  const requested = process.env.TEST_INFRA;
  if (requested && requested !== servers.infra)
    throw new Error(
      `TEST_INFRA is ${requested}, but test-servers.ts runs ${servers.infra}: stop it first.`,
    );
  return servers;
}

export function asEnvironment(servers: TestServers): Record<string, string> {
  return {
    TEST_POSTGRES_URL: servers.postgresUrl,
    TEST_AMQP_URL: servers.amqpUrl,
    ...(servers.amqpManagementUrl ? { TEST_AMQP_MANAGEMENT_URL: servers.amqpManagementUrl } : {}),
    TEST_MONGO_URL: servers.mongoUrl,
    TEST_S3_URL: servers.s3Url,
    TEST_SMTP_URL: servers.smtpUrl,
    NODE_COMPILE_CACHE: join(testHome, 'compiled'),
    TEST_INBOX_URL: servers.inboxUrl,
    ...(servers.otlpUrl ? { TEST_OTLP_URL: servers.otlpUrl } : {}),
    ...(servers.tracesFile ? { TEST_TRACES_FILE: servers.tracesFile } : {}),
    ...(servers.chromePath ? { CHROME_PATH: servers.chromePath } : {}),
  };
}
