/**
 * `npm run upgrade-check [-- <commit>]` checks that the previous version works on the tables of this one, as it must
 * during an upgrade and after a rollback.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { projectRoot } from '@lendtools/local/home';
import { fail, readCommandLine } from '@lendtools/service-kit/command-line';

/** These journeys cover frequent tasks and payments. The previous version's copies are run, because screens change. */
const journeys = 'journeys/(main-journey|purchases|documented-client)';

const usage = `npm run upgrade-check [-- <commit>]
  migrates with this version, then starts that commit's version on the same databases and runs its journeys
  (${journeys}). Without a commit: the last tag.`;

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', projectRoot, ...args], { encoding: 'utf8' }).trim();

const lastTag = (): string =>
  git('tag', '--list', 'v*', '--merged', 'HEAD~1', '--sort=-creatordate').split('\n')[0] ||
  fail('There is no tag of an earlier version. Name a commit.', usage);

const requested = readCommandLine(usage, (args) => {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  return positionals[0];
});
const commit = git('rev-parse', requested ?? lastTag());
// The folder is not in .local, because Jest ignores the tests there.
const previous = join(tmpdir(), `lendtools-${commit.slice(0, 12)}`);
const home = join(projectRoot, '.local', 'upgrade-site');
const runFile = join(home, 'run.json');

const run = (folder: string, command: string, args: string[], env = {}) =>
  spawn(command, args, { cwd: folder, stdio: 'inherit', env: { ...process.env, ...env } });

const withMarketplace = async (folder: string, use?: () => Promise<void>): Promise<void> => {
  rmSync(runFile, { force: true });
  const options = ['--home', home, '--port', '0', '--no-demo'];
  const node = join(folder, 'node_modules', '.bin', 'node');
  const env = { RATE_LIMIT_FACTOR: '1000' };
  const site = run(folder, node, ['infra/local/start.ts', ...options], env);
  const ended = once(site, 'exit');
  try {
    while (!existsSync(runFile)) {
      if (site.exitCode !== null) throw new Error('It did not start.');
      await delay(200);
    }
    await use?.();
  } finally {
    site.kill('SIGTERM');
    await ended;
  }
};

const succeed = async (child: ReturnType<typeof run>): Promise<void> => {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`It exited with ${code}.`);
};

const runJourneys = (): Promise<void> => {
  const jest = ['run', '--silent', 'jest', '--', journeys, '--runInBand'];
  const env = { TEST_RUN_FILE: runFile };
  return succeed(run(previous, 'npm', [...jest, '--selectProjects', 'browser'], env));
};

console.log(`The previous version: ${git('log', '-1', '--format=%h %s', commit)}`);
git('worktree', 'prune');
if (!existsSync(previous)) git('worktree', 'add', '--force', '--detach', previous, commit);
await succeed(run(previous, 'node', ['infra/local/bootstrap.mjs']));
rmSync(home, { recursive: true, force: true });

console.log('Migrates with this version');
await withMarketplace(projectRoot);

console.log('Starts the previous version on these tables');
await withMarketplace(previous, runJourneys).catch((error: Error) =>
  fail(`The previous version does NOT work on the tables of this one. ${error.message}`),
);
console.log('The previous version works on the tables of this one.');
