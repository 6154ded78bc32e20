/** `npm run reset` deletes everything that `npm start` stores in `.local`, after confirmation. */
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { fail, readCommandLine } from '@lendtools/service-kit/command-line';
import { removeVolumes } from './containers.ts';
import { projectRoot } from './home.ts';
import { holderOf } from './run-file.ts';
import { stopLeftovers } from './supervisor.ts';
import { findRunningTestServers } from './test-environment.ts';

const usage = `npm run reset -- [options]
  --yes   without confirmation`;

const { values } = readCommandLine(usage, (args) =>
  parseArgs({ args, options: { yes: { type: 'boolean' } } }),
);
const home = join(projectRoot, '.local');
if (!existsSync(home)) {
  console.log(`There is nothing to delete: ${home} does not exist.`);
  process.exit(0);
}
const holder = holderOf(home);
if (holder !== null) fail(`LendTools is running (pid ${holder}). Stop it with Ctrl-C first.`);
if (await findRunningTestServers())
  fail('The test servers are running. Stop test-servers.ts with Ctrl-C first.');
const isSure = values.yes || (await ask());
if (!isSure) {
  console.log('Nothing was removed.');
  process.exit(0);
}
await stopLeftovers(home);
await stopLeftovers(join(home, 'test'));
await removeVolumes(home).catch((error: Error) =>
  fail(
    `Docker could not delete the containers' data. Start Docker and try again: ${error.message}`,
  ),
);
rmSync(home, { recursive: true, force: true });
console.log('Deleted. The next npm start creates a new neighborhood.');

async function ask(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const question = `This removes all accounts, tools, bookings and mail in ${home}. Sure? [y/N] `;
  // Count the end of the input as "no": without a terminal, the question gets no answer.
  const ended = once(terminal, 'close').then(() => '');
  const answer = await Promise.race([terminal.question(question), ended]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
