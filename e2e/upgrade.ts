/**
 * `npm run upgrade-check [-- <commit>]`: checks that the previous version works on the tables of this one. It has to during
 * every upgrade, from the first migration until the last old container has stopped, and after a rollback. By default the
 * previous version is the last tag or, without tags, the commit before the newest migration.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '@lendtools/local/home';
import { startTestSite } from '@lendtools/local/test-site';
import { readCommandLine } from '@lendtools/service-kit/command-line';

/** The most frequent tasks, and those that move money. They are the previous version's journeys, because screens change. */
const journeys = 'journeys/(main-journey|purchases|documented-client)';

const usage = `npm run upgrade-check [-- <commit>] [--test-fix <later commit>]
  migrates with this version, then starts that commit's version on the same databases and runs its journeys
  (${journeys}). Without a commit: the last tag, or the commit before the newest migration.
  --test-fix   applies a later commit's changes of e2e/src to those journeys; the previous version's own code stays`;

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', projectRoot, ...args], { encoding: 'utf8' }).trim();

const previousCommit = (): string => {
  const tag = git('tag', '--list', '--merged', 'HEAD~1', '--sort=-creatordate').split('\n')[0];
  if (tag) return tag;
  const added = ['log', '-1', '--diff-filter=A', '--format=%H', '--', ':(glob)**/migrations/*.sql'];
  return `${git(...added)}^`;
};

const { asked, testFix } = readCommandLine(usage, (args) => {
  const options = { 'test-fix': { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
  return { asked: positionals[0], testFix: values['test-fix'] };
});
const commit = git('rev-parse', asked ?? previousCommit());
// Not below .local, which Jest ignores.
const folder = join(tmpdir(), `lendtools-${commit.slice(0, 12)}`);
const say = (line: string): void => console.log(`  ${line}`);

/** Runs a command in the previous version's folder, prints its output, and returns its exit code. */
const run = async (command: string, args: string[], env = {}): Promise<number | null> => {
  const options = { cwd: folder, stdio: 'inherit', env: { ...process.env, ...env } } as const;
  const [code] = await once(spawn(command, args, options), 'exit');
  return code;
};

console.log(`The previous version: ${git('log', '-1', '--format=%h %s', commit)}`);
git('worktree', 'prune');
if (!existsSync(folder)) git('worktree', 'add', '--force', '--detach', folder, commit);
// Reverts the `--test-fix` of an earlier run.
git('-C', folder, 'checkout', '--quiet', '--force', commit);
if (testFix) {
  const fix = git('diff', `${testFix}^`, testFix, '--', 'e2e/src');
  execFileSync('git', ['-C', folder, 'apply', '-'], { input: `${fix}\n` });
  console.log(`Its journeys use the fix: ${git('log', '-1', '--format=%h %s', testFix)}`);
}
if (!existsSync(join(folder, 'node_modules', '.package-lock.json')))
  await run('npm', ['ci', '--no-audit', '--no-fund']);

console.log('Migrates with this version');
const site = startTestSite(say, 'upgrade-site');
await site.ready;
await site.stop();
rmSync(join(site.home, 'run.json'), { force: true });

console.log('Starts the previous version on these tables');
const old = spawn(
  join(folder, 'node_modules', '.bin', 'node'),
  ['infra/local/start.ts', '--home', site.home, '--port', '0', '--no-demo'],
  { cwd: folder, stdio: 'inherit', env: { ...process.env, RATE_LIMIT_FACTOR: '1000' } },
);
let code: number | null = 1;
const ended = once(old, 'exit');
try {
  const runFile = join(site.home, 'run.json');
  while (!existsSync(runFile) && old.exitCode === null)
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 200))]);
  if (old.exitCode === null) {
    const jest = ['run', '--silent', 'jest', '--', journeys, '--runInBand'];
    code = await run('npm', [...jest, '--selectProjects', 'browser'], {
      TEST_RUN_FILE: runFile,
    });
  }
} finally {
  old.kill('SIGTERM');
  await ended;
}
console.log(
  code === 0
    ? 'The previous version works on the tables of this one.'
    : 'The previous version does NOT work on the tables of this one.',
);
process.exit(code ?? 1);
