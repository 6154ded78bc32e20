/**
 * `npm run compose:check`: starts docker-compose.yml on this machine's engine as a separate project with its own
 * settings, makes purchases while secrets are changed, services replaced and servers killed, and removes it.
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

/** How long a killed server may take to recover on a busy machine. */
const patientMs = 300_000;

const folder = join(projectRoot, '.local', `compose-check${ending}`);
const envFile = join(folder, '.env');
const imagesFile = join(folder, 'images.yaml');
process.env.TEST_RUN_FILE = join(folder, 'run.json');

const project = `lendtools-check${ending}`;
const ourImage = 'lendtools-check';
const composeFiles = [join(projectRoot, 'infra', 'docker-compose.yml')];
/** Undefined until the settings are complete. Don't call Compose before: it would use the operator's project. */
let settings: NodeJS.Dict<string> | undefined;
const ourEnv = (): NodeJS.Dict<string> => ({
  ...process.env,
  ...settings,
  // rolling-update.sh relies on these variables.
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
/** Resolves with the command's output; rejects with its error output. */
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
/** Updates the run file: containers get new addresses when they are replaced or restarted. */
const describe = async (): Promise<void> =>
  writeFileSync(
    process.env.TEST_RUN_FILE as string,
    JSON.stringify(runFileOf(ourEnv(), await containers())),
  );

/** Settings from `make-env.mjs`, adapted so that the project can run beside another one. */
const makeSettings = async (): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  // A project of an earlier run with --keep still has its old passwords.
  if (!existsSync(envFile)) await writeSettings();
  settings = parseEnv(readFileSync(envFile, 'utf8'));
};
const writeSettings = async (): Promise<void> => {
  // Writes a draft and renames it when it is complete, so that a kill leaves no partial file.
  const draft = `${envFile}.new`;
  rmSync(draft, { force: true });
  await run(process.execPath, join(import.meta.dirname, 'make-env.mjs'), draft);
  const own = {
    // Lets the operator call `docker compose --env-file <this file>` by hand on a kept project.
    COMPOSE_FILE: [...composeFiles, imagesFile].join(':'),
    COMPOSE_PROJECT_NAME: project,
    SITE_PORT: options['site-port'],
    PUBLIC_URL: `http://localhost:${options['site-port']}`,
    // All renters of the check share one address, so raise the rate limits.
    RATE_LIMIT_FACTOR: '1000',
    // The check's renters can't follow the link in their welcome email.
    REQUIRE_VERIFIED_EMAIL: 'false',
  };
  const lines = Object.entries(own).map(([name, value]) => `${name}=${value}`);
  writeFileSync(draft, `\n${lines.join('\n')}\n`, { flag: 'a' });
  renameSync(draft, envFile);
};

/**
 * Uses official images where they can be pulled and stand-ins otherwise; skips Grafana, which has none. A second
 * compose file names them and our own image, so that the operator's images keep their names.
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

/** Bookings rejects a fourth cart while the payments of three have not reached it. */
const mostUnpaidHolds = 3;

/** Renters who each rent one tool repeatedly, retrying through every failure, until they are stopped. */
const startBuyers = async (count: number) => {
  const owner = await newPerson();
  const charges: (Charge & { beganAt: number; endedAt: number })[] = [];
  const refusals: string[] = [];
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
      const charge = await purchase(renter, toolId, { day, refusals });
      charges.push({ ...charge, beganAt, endedAt: performance.now() });
    }
  };
  const buying = Promise.all(buyers.map(buy));
  // `stop` awaits `buying` and rethrows its error; this handler only avoids an unhandled rejection before that.
  buying.catch(() => {});
  return {
    owner,
    charges,
    refusals,
    async stop() {
      stop.abort();
      await buying;
    },
  };
};
type Buyers = Awaited<ReturnType<typeof startBuyers>>;

/** Waits until everything has settled, with one booking per charge and no violated invariant. */
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

/** Failures that do not end the run. */
let unexpected = 0;
const printFailures = (failures: string[]): void => {
  for (const [failure, { length }] of Map.groupBy(failures, (each) => each))
    say(`  ${length} × ${failure}`);
};

/** The id of the key that signed a token. */
const keyOf = ({ token }: Person): string =>
  JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()).kid;

/**
 * Follows the steps in docs/operations.md; their first update replaces every service. A project kept from an earlier
 * run already has new database users and is only updated.
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
  // Sequentially, because starting six processes at once overloads a small machine.
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
  const enough = load.asked() + 300;
  await waitFor('300 requests after the update', () => load.asked() >= enough, patientMs);
  await Promise.all([load.stop(), buyers.stop()]);
  const failed = [...failures, ...buyers.refusals.map((refusal) => `a purchase: ${refusal}`)];
  say(`Done in ${seconds(took)}: ${load.asked()} requests, ${failed.length} failed`);
  printFailures(failed);
  unexpected += failed.length;
  await expectAllBooked(buyers);
};

const healthOf = async (service: string): Promise<string | undefined> =>
  (await containers()).find((each) => serviceOf(each) === service)?.State.Health?.Status;

/**
 * Kills a server's process. After `docker kill` the engine
 * would not restart it, because that counts as a manual stop.
 */
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
  // After the kill the health status is still `healthy` until the next health check.
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
      `slowest purchase ${seconds(slowest)}, ${buyers.refusals.length} rejections that were retried`,
  );
  printFailures(buyers.refusals);
  // Purchases may briefly fail without a database, but must not depend on the broker.
  if (service === 'rabbitmq') unexpected += buyers.refusals.length;
  await expectAllBooked(buyers);
};

/**
 * Runs only the journey's test of the documented calls. The others freeze processes, which here belong to the container
 * engine.
 */
const buyAsDocumented = async (): Promise<void> => {
  const journey = ['e2e/journeys/documented-client', '--selectProjects', 'browser'];
  const test = ['--testNamePattern', 'signs up, lists, pays, books, talks and reviews'];
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
/** Takes the project down once, whether the check is done or interrupted. */
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
// A second Ctrl-C exits immediately.
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
