/**
 * `npm test` runs every check and test. Uses the servers of `test-servers.ts` if they run, otherwise its own. `npm test
 * -- web browser` runs only some parts: lint, types, node, web or browser.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { testTimeoutMs } from '@lendtools/testing/hangs-after';
import { projectRoot } from './home.ts';
import { sendSignal } from './os-process.ts';
import { asEnvironment, findRunningTestServers, startTestServers } from './test-environment.ts';
import {
  type Count,
  countTests,
  failedFiles,
  failedTests,
  flakyTests,
  type JestOutput,
  readJestOutput,
  withSecondRun,
} from './test-results.ts';
import { type Part, partNames, selectTests } from './test-selection.ts';
import { startTestSite, type TestSite } from './test-site.ts';
import { descendantsOf, type Progress, Watchdog } from './watchdog.ts';

function say(line: string) {
  console.log(`  ${line}`);
}

const results = join(projectRoot, '.local', 'test-results');
const progressReporter = join(projectRoot, 'infra', 'local', 'progress-reporter.mjs');
const total: Count = { passed: 0, failed: 0 };
const failed: string[] = [];
const flaky: string[] = [];
/** A broken commit fails in more files than this; running those again would only delay the report. */
const mostFilesToRunAgain = 10;
const unfinished = new Map<ChildProcess, Progress>();
const jestArguments = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js'),
];

const usage = `npm test -- [part …]
  everything, or only these parts: ${partNames.join(', ')}
npm test -- --quick
  lint, types, domain rules and one service
npm test -- --changed
  lint, types and the tests that import what differs from main`;

const { parts, jestOptions } = readCommandLine(usage, (args) => selectTests(args, jestArguments));
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
// A test in Node reports only the end of its file, which may take ten minutes on a busy machine. Wait for twice Jest's own timeout, whose
// report names the test that hangs.
const silentMs = 2 * testTimeoutMs;
const watchdog = new Watchdog({ silentMs, longestMs: 75 * 60_000 }, Date.now());
const watching = setInterval(endHangingRun, 1_000);
// Start the checks first: they use the processor while the servers start, which is mostly waiting.
const checks = Promise.all([
  ...(isWanted('lint') ? [check('Lint', 'npx', ['--no-install', 'biome', 'check', '.'])] : []),
  ...(isWanted('types')
    ? ['types:node', 'types:web'].map((part) =>
        check(`Types (${part})`, 'npm', ['run', '--silent', part]),
      )
    : []),
]);
console.log('Servers for the tests');
const running = await findRunningTestServers();
if (running) say(`Using those of test-servers.ts (${running.infra})`);
const { servers, stop } = running
  ? { servers: running, stop: async () => {} }
  : await startTestServers(say);
const environment = { ...process.env, ...asEnvironment(servers) };
let site: TestSite | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(
    signal,
    () => void Promise.all([stop(), site?.stop()]).finally(() => process.exit(130)),
  );
}

try {
  // Run everything at once: most tests wait for servers and would leave one of two cores idle.
  await Promise.all([
    checks,
    isWanted('node') && runJest('node', environment, ['--maxWorkers=4']),
    isWanted('web') && runJest('web', environment, ['--maxWorkers=2']),
    isWanted('browser') && runJourneys(),
  ]);
} finally {
  clearInterval(watching);
  await Promise.all([stop(), site?.stop()]);
}

list('Flaky, passed in the second run', flaky);
list('Failed', failed);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** Repeats at the end what thousands of lines above may hide. */
function list(title: string, tests: string[]) {
  const names = tests.map((test) => `  ${relative(projectRoot, test)}`);
  if (names.length > 0) console.log(`\n${title}:\n${names.join('\n')}`);
}

function isWanted(part: Part): boolean {
  return parts.includes(part);
}

async function check(name: string, command: string, args: string[]): Promise<void> {
  const started = performance.now();
  const child = spawn(command, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    }),
  ]);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(`${name}: ${status === 0 ? 'ok' : 'FAILED'} (${seconds} s)`);
  if (status === 0) return;
  total.failed += 1;
  failed.push(name);
  console.log(output + errors);
}

/**
 * Runs Jest. In CI, runs a few failed files once more and reports the tests that pass then as flaky, because one of
 * thousands of tests that wait for servers fails on a busy machine now and then.
 */
async function runJest(
  project: string,
  env: NodeJS.ProcessEnv,
  more: string[] = [],
): Promise<void> {
  console.log(`\nTests: ${project}`);
  const { status, output: first } = await runJestOnce(project, env, [...jestOptions, ...more]);
  if (!first) return addCount({ passed: 0, failed: 1 });
  const files = failedFiles(first);
  if (!process.env.CI || files.length === 0 || files.length > mostFilesToRunAgain) {
    failed.push(...failedTests(first));
    const count = countTests(first);
    return addCount({ ...count, failed: count.failed || Number(status !== 0) });
  }
  console.log(`\nTests: ${project}, failed files once more`);
  const selection = ['--runTestsByPath', ...files, ...more];
  const { output: second } = await runJestOnce(project, env, selection);
  if (second) flaky.push(...flakyTests(first, second));
  const both = second ? withSecondRun(first, second) : first;
  failed.push(...failedTests(both));
  addCount(countTests(both));
}

function addCount(count: Count): void {
  total.passed += count.passed;
  total.failed += count.failed;
}

async function runJestOnce(
  project: string,
  env: NodeJS.ProcessEnv,
  options: string[],
): Promise<{ status: number | null; output: JestOutput | undefined }> {
  const file = join(results, `${project}.json`);
  rmSync(file, { force: true });
  const selection = ['--selectProjects', project, '--json', '--outputFile', file, '--silent'];
  const reporters = ['--reporters=default', `--reporters=${progressReporter}`];
  const status = await run(
    process.execPath,
    [...jestArguments, ...selection, ...reporters, ...options],
    env,
  );
  return { status, output: readJestOutput(file) };
}

/** Asynchronous, so that this process can restart dead servers and handle Ctrl-C meanwhile. */
function run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<number | null> {
  return new Promise((resolve, reject) => {
    // Jest reports on stderr; with --json its stdout would repeat everything.
    const stdout = args.includes('--json') ? 'ignore' : 'inherit';
    const child = spawn(command, args, {
      cwd: projectRoot,
      env,
      stdio: ['ignore', stdout, 'inherit', 'ipc'],
    });
    child.on('message', (progress: Progress) => {
      unfinished.set(child, progress);
      watchdog.note(progress, Date.now());
    });
    child.once('error', reject);
    child.once('close', (status) => {
      unfinished.delete(child);
      resolve(status);
    });
  });
}

function endHangingRun(): void {
  const reason = watchdog.reasonToEnd(Date.now());
  if (!reason) return;
  clearInterval(watching);
  const processes = descendantsOf(process.pid);
  const table = ['PID PPID ELAPSED CPU STATE COMMAND', ...processes.map(({ line }) => line)];
  console.error(`\n${table.join('\n')}\n\n${reason}`);
  for (const { pid } of processes) sendSignal(pid, 'SIGKILL');
  for (const progress of unfinished.values()) {
    total.passed += progress.passed;
    total.failed += progress.failed;
    failed.push(...progress.failedFiles);
  }
  list('Failed', failed);
  console.log(`\n${total.passed} passed, ${total.failed + 1} failed`);
  process.exit(1);
}

async function runJourneys(): Promise<void> {
  if (!servers.chromePath) {
    console.error(
      'The browser journeys need Chromium, which could not be downloaded. Install chromium or Google ' +
        'Chrome, or set CHROME_PATH.',
    );
    total.failed += 1;
    return;
  }
  site = startTestSite(say);
  try {
    const env = { ...environment, TEST_RUN_FILE: await site.ready };
    await runJest('alone', env, ['--runInBand']);
    await runJest('browser', env, ['--maxWorkers=3']);
  } catch (error) {
    console.error((error as Error).message);
    total.failed += 1;
  }
}
