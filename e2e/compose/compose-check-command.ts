/**
 * `npm run compose:check` starts docker-compose.yml as a separate project, and makes purchases while secrets are
 * changed, services replaced and servers killed.
 */
import { execFile, type PromiseWithChild } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, parseEnv, promisify } from 'node:util';
import { serviceNames } from '@lendtools/contracts';
import { violations } from '@lendtools/e2e/invariants';
import { startLoad } from '@lendtools/e2e/load';
import { query } from '@lendtools/e2e/marketplace';
import { listTool, newPerson, type Person } from '@lendtools/e2e/people';
import { type Charge, purchase } from '@lendtools/e2e/persistent-purchase';
import { projectRoot } from '@lendtools/local/home';
import { fail, readCommandLine } from '@lendtools/service-kit/command-line';
import { waitFor } from '@lendtools/testing';
import { changeSecrets, openings, secretCount } from './change-secrets.ts';
import { type Container, engineProblem, runFileOf, serviceOf } from './compose-stack.ts';
import { operatorOf } from './operator.ts';
import { provideImage } from './stand-ins/provide-images.ts';

const usage = `npm run compose:check [-- options]
  --site-port <number>   the port of the site (8089); the Stripe sandbox and the inbox use 4242 and 1080
  --keep                 keeps it running for the next run; its settings are in .local/compose-check/.env
  --name <word>          a separate project, lendtools-check-<word>, with its own settings`;
const options = readCommandLine(
  usage,
  (args) =>
    parseArgs({
      args,
      options: {
        'site-port': { type: 'string', default: '8089' },
        keep: { type: 'boolean', default: false },
        name: { type: 'string', default: '' },
      },
    }).values,
);
if (!/^[a-z0-9-]*$/.test(options.name))
  fail('--name takes lower-case letters, digits and hyphens.', usage);
const ending = options.name && `-${options.name}`;

const started = performance.now();
const say = (line: string): void =>
  console.log(`${`${((performance.now() - started) / 1_000).toFixed(0)} s`.padStart(6)}  ${line}`);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const patientMs = 300_000;

const folder = join(projectRoot, '.local', `compose-check${ending}`);
const envFile = join(folder, '.env');
const imagesFile = join(folder, 'images.yaml');
process.env.TEST_RUN_FILE = join(folder, 'run.json');

const project = `lendtools-check${ending}`;
const ourImage = 'lendtools-check';
const composeFiles = [join(projectRoot, 'infra', 'docker-compose.yml')];
/** Undefined until the settings are complete. Until then, a Compose command would reach the operator's own project. */
let settings: NodeJS.Dict<string> | undefined;
const ourEnv = (): NodeJS.Dict<string> => ({
  ...process.env,
  ...settings,
  // rolling-update.sh needs these variables.
  ...(settings && {
    COMPOSE_PROJECT_NAME: project,
    COMPOSE_FILE: composeFiles.join(':'),
    COMPOSE_ENV_FILES: envFile,
  }),
});

let isInterrupted = false;
const running = new Set<PromiseWithChild<unknown>>();
const start = (command: string, args: string[]) => {
  const options = { cwd: projectRoot, env: ourEnv(), maxBuffer: 1 << 26 };
  return promisify(execFile)(command, args, options);
};
const run = async (command: string, ...args: string[]): Promise<string> => {
  if (isInterrupted) throw new Error('Interrupted');
  const going = start(command, args);
  running.add(going);
  const { stdout } = await going.finally(() => running.delete(going));
  return stdout.trim();
};
const docker = (...args: string[]): Promise<string> => run('docker', ...args);
/** Explicit flags override the shell and .env, so that no command can reach another project. */
const inOurProject = (...args: string[]): string[] => {
  if (!settings) throw new Error('Compose was called before the settings are complete');
  const files = composeFiles.flatMap((file) => ['--file', file]);
  return ['compose', '--project-name', project, ...files, '--env-file', envFile, ...args];
};
const compose = async (...args: string[]): Promise<string> => docker(...inOurProject(...args));

const containers = async (): Promise<Container[]> => {
  const ids = await compose('ps', '--quiet');
  return JSON.parse(await docker('inspect', ...ids.split('\n')));
};
/** Writes the run file. Call it after each replacement or restart, because the containers then have new addresses. */
const describe = async (): Promise<void> =>
  writeFileSync(
    process.env.TEST_RUN_FILE as string,
    JSON.stringify(runFileOf(ourEnv(), await containers())),
  );

const makeSettings = async (): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  // Reuse the settings of a project kept from an earlier run: its servers still have the old passwords.
  if (!existsSync(envFile)) await writeSettings();
  settings = parseEnv(readFileSync(envFile, 'utf8'));
};
const writeSettings = async (): Promise<void> => {
  // Write the file under a draft name first, so that a killed run leaves no partial settings.
  const draft = `${envFile}.new`;
  rmSync(draft, { force: true });
  await run(process.execPath, join(projectRoot, 'infra', 'compose', 'make-env.mjs'), draft);
  const own = {
    // Lets the operator run `docker compose --env-file <this file>` on a project that was kept.
    COMPOSE_FILE: [...composeFiles, imagesFile].join(':'),
    COMPOSE_PROJECT_NAME: project,
    SITE_PORT: options['site-port'],
    PUBLIC_URL: `http://localhost:${options['site-port']}`,
    // Raises the rate limits, because all renters share one IP address.
    RATE_LIMIT_FACTOR: '1000',
    // Don't require verified emails: the check's renters can't follow the link in their welcome email.
    REQUIRE_VERIFIED_EMAIL: 'false',
    // The check's admin logs in with the password only.
    REQUIRE_ADMIN_MFA: 'false',
  };
  const lines = Object.entries(own).map(([name, value]) => `${name}=${value}`);
  writeFileSync(draft, `\n${lines.join('\n')}\n`, { flag: 'a' });
  renameSync(draft, envFile);
};

/**
 * Uses official images where they can be pulled, and builds stand-ins for the others. A second compose file gives every
 * image a name of its own, so that the operator's images are not overwritten.
 */
const provideImages = async (): Promise<void> => {
  const file = readFileSync(join(projectRoot, 'infra', 'Dockerfile'), 'utf8');
  const base = /^ARG NODE_IMAGE=(\S+)$/m.exec(file)?.[1] as string;
  const profiles = ['sandbox', 'mail', 'observability', 'stores'];
  const config = JSON.parse(
    await compose(...profiles.map((each) => `--profile=${each}`), 'config', '--format=json'),
  );
  const services = Object.entries<{ image: string }>(config.services);
  const names = new Map([['lendtools', ourImage]]);
  for (const image of [base, ...services.map(([, service]) => service.image)]) {
    if (names.has(image)) continue;
    const name = await provideImage(image, say).catch((error: Error) => {
      if (!image.startsWith('grafana/')) throw error;
      say(`${image}: skipped, because it can't be pulled and has no stand-in`);
      return image;
    });
    names.set(image, name);
  }
  const ours = services.map(([service, { image }]) => {
    const build = { args: { NODE_IMAGE: names.get(base) } };
    return [service, { image: names.get(image), ...(service === 'gateway' && { build }) }];
  });
  writeFileSync(imagesFile, JSON.stringify({ services: Object.fromEntries(ours) }, null, 2));
  composeFiles.push(imagesFile);
};

const unpaidHolds = async ({ id }: Person): Promise<number> => {
  const statement = `SELECT FROM holds WHERE user_id = $1 AND status = 'live'`;
  return (await query('bookings', statement, [id])).length;
};

/** The unpaid carts that a renter may have at the same time; the bookings service rejects more. */
const mostUnpaidHolds = 3;

const startBuyers = async (count: number) => {
  const owner = await newPerson();
  const charges: (Charge & { beganAt: number; endedAt: number })[] = [];
  const rejections: string[] = [];
  const terms = JSON.stringify({ staysListed: true });
  const stop = new AbortController();
  const buyers = await Promise.all(
    Array.from({ length: count }, async () => ({
      renter: await newPerson(),
      toolId: await listTool(owner, { terms }),
    })),
  );
  await waitFor('the tools to be for rent', async () => {
    const rows = await query('bookings', 'SELECT FROM tools WHERE owner_id = $1', [owner.id]);
    return rows.length === count;
  });
  const buy = async ({ renter, toolId }: { renter: Person; toolId: string }): Promise<void> => {
    for (let day = 2; day < 180 && !stop.signal.aborted; day += 2) {
      const hasRoom = async () => (await unpaidHolds(renter)) < mostUnpaidHolds;
      await waitFor('a payment to reach bookings', hasRoom, patientMs);
      const beganAt = performance.now();
      const charge = await purchase(renter, toolId, { day, rejections });
      charges.push({ ...charge, beganAt, endedAt: performance.now() });
    }
  };
  const buying = Promise.all(buyers.map(buy));
  // Avoids an unhandled rejection. `stop` rethrows the error later.
  buying.catch(() => {});
  return {
    owner,
    charges,
    rejections,
    async stop() {
      stop.abort();
      await buying;
    },
  };
};
type Buyers = Awaited<ReturnType<typeof startBuyers>>;

const expectAllBooked = async ({ owner, charges }: Buyers): Promise<void> => {
  const count = async (): Promise<number> => {
    const rows = await query<{ count: number }>(
      'bookings',
      `SELECT count(*)::int FROM bookings WHERE owner_id = $1 AND status = 'confirmed'`,
      [owner.id],
    );
    return rows[0]?.count ?? 0;
  };
  let wrong: string[] = [];
  const settled = waitFor(
    'everything to settle',
    async () => {
      wrong = await violations();
      if ((await count()) !== charges.length)
        wrong.push('the numbers of charges and bookings differ');
      return wrong.length === 0;
    },
    patientMs,
  );
  await settled.catch((error) => {
    throw new Error(`${charges.length} charges: ${wrong.join('; ')}`, { cause: error });
  });
  say(
    `${charges.length} charged, ${await count()} booked: none lost, none duplicated, invariants hold`,
  );
};

let unexpected = 0;
const printFailures = (failures: string[]): void => {
  for (const [failure, { length }] of Map.groupBy(failures, (each) => each))
    say(`  ${length} × ${failure}`);
};

const keyOf = ({ token }: Person): string =>
  JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()).kid;

/**
 * Changes all secrets and checks that the old ones are rejected. A project kept from an earlier run is only updated,
 * because its database users were changed before.
 */
const changeAllSecrets = async (): Promise<void> => {
  const old = { ...settings };
  const operator = operatorOf({ envFile, settings: settings ?? {}, run, compose, containers });
  if (old.BOOKINGS_DATABASE_URL) return operator.update(...serviceNames);
  const counting = (await openings(old, operator)).length;
  if (counting !== secretCount)
    throw new Error(`Only ${counting} of ${secretCount} secrets are accepted`);
  const before = await newPerson();
  await changeSecrets(operator, describe);
  const left = await openings(old, operator);
  if (keyOf(await newPerson()) === keyOf(before)) left.push('signing key');
  say(`${counting + 1} secrets changed; ${left.length} old ones are still accepted`);
  printFailures(left);
  unexpected += left.length;
};

const replaceServices = async (): Promise<void> => {
  // Services start one after the other, because six at once overload a small machine.
  for (const name of serviceNames)
    await compose(
      ...['up', '--detach', '--wait', '--no-deps', '--no-recreate'],
      ...['--scale', `${name}=2`, name],
    );
  await describe();
  const failures: string[] = [];
  const load = await startLoad(failures);
  const buyers = await startBuyers(3);
  say(
    'Runs two replicas of each service; changes every secret under load, which replaces them one by one',
  );
  const before = performance.now();
  await changeAllSecrets();
  const took = performance.now() - before;
  await describe();
  const enough = load.requested() + 300;
  await waitFor('300 requests after the update', () => load.requested() >= enough, patientMs);
  await Promise.all([load.stop(), buyers.stop()]);
  const failed = [...failures, ...buyers.rejections.map((rejection) => `a purchase: ${rejection}`)];
  say(`Done in ${seconds(took)}: ${load.requested()} requests, ${failed.length} failed`);
  printFailures(failed);
  unexpected += failed.length;
  await expectAllBooked(buyers);
};

const healthOf = async (service: string): Promise<string | undefined> =>
  (await containers()).find((each) => serviceOf(each) === service)?.State.Health?.Status;

/** Kills the server's process, because the engine does not restart a container after `docker kill`. */
const kill = async (service: string): Promise<void> => {
  const { State } = (await containers()).find((each) => serviceOf(each) === service) as Container;
  const privileged = ['--rm', '--privileged', '--pid=host', '--user=root', '--network=none'];
  const script = `process.kill(${State.Pid}, 'SIGKILL')`;
  await docker('run', ...privileged, ourImage, 'node', '-e', script);
};

const killServer = async (service: string): Promise<void> => {
  const buyers = await startBuyers(6);
  await waitFor('the first cards to be charged', () => buyers.charges.length >= 5, patientMs);
  await kill(service);
  const killedAt = performance.now();
  // Wait first: after the kill, the status stays `healthy` until the next health check.
  await waitFor('the kill to be noticed', async () => (await healthOf(service)) !== 'healthy');
  await waitFor(service, async () => (await healthOf(service)) === 'healthy', patientMs);
  const healthyAfter = performance.now() - killedAt;
  await describe();
  const afterwards = buyers.charges.length;
  await waitFor('purchases to continue', () => buyers.charges.length >= afterwards + 5, patientMs);
  await buyers.stop();
  const later = buyers.charges.filter(({ endedAt }) => endedAt > killedAt);
  const firstAfter = Math.min(...later.map(({ endedAt }) => endedAt)) - killedAt;
  const slowest = Math.max(...later.map(({ beganAt, endedAt }) => endedAt - beganAt));
  say(
    `${service} killed: healthy after ${seconds(healthyAfter)}, next card charged after ${seconds(firstAfter)}, ` +
      `slowest purchase ${seconds(slowest)}, ${buyers.rejections.length} rejections that were retried`,
  );
  printFailures(buyers.rejections);
  // A killed broker must not make any purchase fail; a killed database may.
  if (service === 'rabbitmq') unexpected += buyers.rejections.length;
  await expectAllBooked(buyers);
};

/** Runs only one test of the journey: the others would have to freeze processes of the container engine. */
const buyAsDocumented = async (): Promise<void> => {
  const journey = ['e2e/journeys/documented-client', '--selectProjects', 'browser'];
  const test = ['--testNamePattern', 'can sign up, list a tool, pay, book, chat and review'];
  await run('npm', 'run', '--silent', 'jest', '--', ...journey, ...test);
};

const versionOf = (...command: string[]): Promise<string | undefined> =>
  docker(...command).catch(() => undefined);
const versions = {
  engine: await versionOf('version', '--format', '{{.Server.Version}}'),
  compose: await versionOf('compose', 'version', '--short'),
};
const problem = engineProblem(versions);
if (problem) fail(problem);
say(`Docker Engine ${versions.engine}, Compose ${versions.compose}`);

const takeDown = async (): Promise<void> => {
  await start('docker', inOurProject('down', '--volumes', '--timeout=30'));
  rmSync(folder, { recursive: true, force: true });
  say('Removed');
};
let ended: Promise<void> | undefined;
const end = (exitCode: number): Promise<void> => {
  ended ??= (async () => {
    if (settings && !options.keep) await takeDown();
    process.exit(exitCode);
  })().catch((error: Error) => {
    say(`Not removed: ${error.message}`);
    process.exit(1);
  });
  return ended;
};
process.once('SIGINT', () => {
  isInterrupted = true;
  for (const { child } of running) child.kill('SIGINT');
  void Promise.allSettled(running).then(() => end(130));
});
let exitCode = 1;
try {
  await makeSettings();
  await provideImages();
  say('Building the image');
  await compose('build', '--quiet');
  say('Starting the containers');
  await compose('up', '--detach', '--wait');
  await describe();
  say('Everything is healthy');
  await buyAsDocumented();
  say('The documented calls work: pay, book, message, review');
  await replaceServices();
  for (const server of ['rabbitmq', 'postgres', 'mongo']) await killServer(server);
  if (unexpected === 0) exitCode = 0;
} catch (error) {
  const { message, cause } = error as Error;
  say(cause ? `${message}\n${cause}` : message);
  console.log(await compose('ps', '--all').catch(() => ''));
}
await end(isInterrupted ? 130 : exitCode);
