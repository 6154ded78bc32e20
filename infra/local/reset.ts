/** `npm run reset`: deletes everything that `npm start` keeps in `.local`, after asking. */
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { removeVolumes } from './containers.ts';
import { projectRoot } from './home.ts';
import { holderOf } from './run-file.ts';
import { stopLeftovers } from './supervisor.ts';
import { findRunningTestServers } from './test-environment.ts';

const usage = `npm run reset -- [options]
  --yes   without asking`;

const { values } = readCommandLine(usage, (args) =>
  parseArgs({ args, options: { yes: { type: 'boolean' } } }),
);
const home = join(projectRoot, '.local');
if (!existsSync(home)) {
  console.log(`There is nothing to delete: ${home} does not exist.`);
  process.exit(0);
}
const holder = holderOf(home);
if (holder !== null) {
  console.error(`LendTools is running (pid ${holder}). Stop it with Ctrl-C first.`);
  process.exit(1);
}
if (await findRunningTestServers()) {
  console.error('The servers for tests are up. Stop test-servers.ts with Ctrl-C first.');
  process.exit(1);
}
const isSure = values.yes || (await ask());
if (!isSure) {
  console.log('Nothing was removed.');
  process.exit(0);
}
await stopLeftovers(home);
await stopLeftovers(join(home, 'test'));
await removeVolumes(home).catch((error: Error) => {
  console.error(
    `Docker has kept the data of its containers, start it and try again: ${error.message}`,
  );
  process.exit(1);
});
rmSync(home, { recursive: true, force: true });
console.log('Forgotten. The next npm start begins with a new neighborhood.');

async function ask(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const question = `This removes all accounts, tools, bookings and mail in ${home}. Sure? [y/N] `;
  // Where nobody can answer, the input just ends.
  const ended = once(terminal, 'close').then(() => '');
  const answer = await Promise.race([terminal.question(question), ended]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
