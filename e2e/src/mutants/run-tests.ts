import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The results of some test files. */
export interface Outcome {
  passed: number;
  /** The messages of failed assertions. */
  red: string[];
  /** Other failures, such as crashes. They do not show that a test detects the mutant. */
  broken: string[];
}

interface JestResult {
  testResults: {
    name: string;
    message: string;
    assertionResults: TestResult[];
  }[];
}

interface TestResult {
  status: string;
  failureMessages: string[];
  location: { line: number };
}

export const isJourney = (file: string): boolean => file.endsWith('.journey.ts');

/** The time limit per test file; a hang counts as a crash. */
const longestRunMs = 300_000;

/** Runs test files of a folder: either only journeys or only others. */
export const runTests = async (
  folder: string,
  files: string[],
  env: NodeJS.ProcessEnv,
): Promise<Outcome> => {
  const output = join(folder, '.local', 'outcome.json');
  mkdirSync(dirname(output), { recursive: true });
  rmSync(output, { force: true });
  const said = await runJest({ folder, env, timeout: files.length * longestRunMs }, [
    // Reports the line of each test, which the runner of `npm test` does not.
    ...['--runner', 'jest-runner'],
    ...['--selectProjects', ...(files.some(isJourney) ? ['browser', 'alone'] : ['node'])],
    ...['--runTestsByPath', ...files],
    ...['--json', '--outputFile', output, '--testLocationInResults', '--forceExit', '--runInBand'],
  ]);
  if (!existsSync(output)) return { passed: 0, red: [], broken: [said.slice(-2_000)] };
  return judge(JSON.parse(readFileSync(output, 'utf8')), files);
};

const judge = ({ testResults }: JestResult, files: string[]): Outcome => {
  const outcome: Outcome = { passed: 0, red: [], broken: [] };
  for (const file of files) {
    const suite = testResults.find((each) => each.name.endsWith(`/${file}`));
    if (!suite?.assertionResults.length)
      outcome.broken.push(`No test of ${file} ran\n${suite?.message}`);
    for (const { status, failureMessages, location } of suite?.assertionResults ?? []) {
      const failures = failureMessages.map((failure) => stripVTControlCharacters(failure));
      const own = failures.filter((failure) => isAssertion(failure, file, location.line));
      if (status === 'passed') outcome.passed++;
      else if (own.length > 0) outcome.red.push(...own);
      else outcome.broken.push(...failures);
    }
  }
  return outcome;
};

/**
 * Whether a failure is a failed `expect` or an exceeded wait, raised by the test itself and not by a hook, whose line is
 * above the test's. A crash or a timeout of the whole test does not count.
 */
const isAssertion = (failure: string, file: string, testLine: number): boolean => {
  const frames = [...failure.matchAll(/([^\s(]+):(\d+):\d+/g)].filter(([, path]) =>
    path?.endsWith(`/${file}`),
  );
  const outermost = Number(frames.at(-1)?.[2] ?? 0);
  const isUnmet = /^(?:\w*Error: )?(?:expect\(|Waited \d+ ms for |.*Timeout \d+ms exceeded)/;
  return isUnmet.test(failure) && outermost >= testLine;
};

const runJest = (
  { folder, env, timeout }: { folder: string; env: NodeJS.ProcessEnv; timeout: number },
  args: string[],
): Promise<string> =>
  new Promise((resolve, reject) => {
    const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
    const child = spawn(process.execPath, [...flags, 'node_modules/jest/bin/jest.js', ...args], {
      cwd: folder,
      env,
      timeout,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.once('error', reject);
    child.once('close', () => resolve(said));
  });
