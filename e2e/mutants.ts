/**
 * `npm run mutants`: breaks the guarantees of the system one by one, in a private copy, and runs the test that should detect
 * it. `-- 6 29 money` selects rules. Exits with 1 if a test passes, or fails other than by an assertion. `-- domain` runs
 * StrykerJS on the domain code of the services and prints its score.
 */

import {
  asEnvironment,
  findRunningTestServers,
  startTestServers,
} from '@lendtools/local/test-environment';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { breakDomains } from './src/mutants/domains.ts';
import { mutants } from './src/mutants/list.ts';
import { fileOf, type Mutant } from './src/mutants/mutant.ts';
import { type Site, startSite } from './src/mutants/mutated-site.ts';
import { makePrivateCopy } from './src/mutants/private-copy.ts';
import { isJourney, type Outcome, runTests } from './src/mutants/run-tests.ts';

const usage = `npm run mutants -- [rule …]
  all rules, or only some of: ${[...new Set(mutants.map(({ rule }) => rule))].join(' ')}
npm run mutants -- domain [service …]
  StrykerJS on the domain code of all services, or of these`;

const asked = readCommandLine(usage, (args) => {
  if (args[0] === 'domain') return args;
  const unknown = args.filter((rule) => !mutants.some((mutant) => String(mutant.rule) === rule));
  if (unknown.length > 0) throw new Error(`No mutant has the rule ${unknown.join(', ')}.`);
  return args;
});
if (asked[0] === 'domain') process.exit(breakDomains(asked.slice(1)));
const chosen = mutants.filter(({ rule }) => asked.length === 0 || asked.includes(String(rule)));

const running = await findRunningTestServers();
const { servers, stop } = running
  ? { servers: running, stop: async () => {} }
  : await startTestServers((line) => console.log(`  ${line}`));
const env = { ...process.env, ...asEnvironment(servers) };
const copy = makePrivateCopy(process.cwd());
let site: Site | undefined;

const cleanUp = async (): Promise<void> => {
  await site?.stop();
  copy.remove();
  await stop();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().then(() => process.exit(130)));

/** Runs tests on the current code of the copy; journeys get a marketplace started from it. */
const run = async (tests: string[]): Promise<Outcome> => {
  if (!tests.some(isJourney)) return runTests(copy.folder, tests, env);
  site = startSite(copy.folder);
  try {
    return await runTests(copy.folder, tests, { ...env, TEST_RUN_FILE: await site.ready });
  } catch (error) {
    return { passed: 0, red: [], broken: [(error as Error).message] };
  } finally {
    await site.stop();
    site = undefined;
  }
};

const timed = async <T>(work: () => Promise<T>): Promise<[T, string]> => {
  const started = performance.now();
  const result = await work();
  return [result, `${((performance.now() - started) / 1000).toFixed(0).padStart(3)} s`];
};

/** Runs tests on the unbroken code, because a test that fails there detects nothing. Returns the number of failures. */
const expectGreen = async (tests: string[]): Promise<number> => {
  const [{ passed, red, broken }, seconds] = await timed(() => run(tests));
  console.log(`${seconds}  unbroken code: ${passed} tests pass`);
  for (const failure of [...red, ...broken]) console.log(`       FAILS ${failure}`);
  return red.length + broken.length;
};

const prove = async (mutant: Mutant): Promise<boolean> => {
  const mend = copy.apply(mutant);
  const [{ red, broken }, seconds] = await timed(() => run([fileOf(mutant.test)])).finally(mend);
  const verdict = red.length > 0 ? 'killed' : broken.length > 0 ? 'BROKEN' : 'SURVIVED';
  console.log(`${seconds}  ${verdict.padEnd(8)}  ${mutant.rule}: ${mutant.breaks}`);
  if (verdict !== 'killed') {
    console.log(`       by ${fileOf(mutant.test)}`);
    for (const failure of broken) console.log(`       ${failure}`);
  }
  return verdict === 'killed';
};

let failing = 0;
let killed = 0;
try {
  // Journeys come last: each needs a new marketplace, started from the broken code.
  for (const isLast of [false, true]) {
    const group = chosen.filter(({ test }) => isJourney(fileOf(test)) === isLast);
    if (group.length === 0) continue;
    failing += await expectGreen([...new Set(group.map(({ test }) => fileOf(test)))]);
    for (const mutant of group) if (await prove(mutant)) killed++;
  }
} finally {
  await cleanUp();
}
console.log(`${killed} of ${chosen.length} killed`);
process.exit(killed === chosen.length && failing === 0 ? 0 : 1);
