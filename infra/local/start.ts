import { mkdirSync } from 'node:fs';
import { fail, readCommandLine } from '@lendtools/service-kit/command-line';
import { startMarketplace } from './marketplace.ts';
import { holderOf, leaveHome, readRunFile, takeHome } from './run-file.ts';
import { parseStartOptions, usage } from './start-options.ts';
import { printSummary } from './summary.ts';

const started = performance.now();

function say(line: string) {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${seconds.padStart(6)} s  ${line}`);
}

const options = readCommandLine(usage, parseStartOptions);
mkdirSync(options.home, { recursive: true });
if (takeHome(options.home) !== null) {
  const site = readRunFile(options.home)?.site ?? 'it is still starting';
  fail(`LendTools is already running (pid ${holderOf(options.home)}): ${site}`);
}

console.log(`LendTools starts. Its state is in ${options.home}\n`);
const marketplace = startMarketplace(options, say);

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void stop(0));
}

try {
  const run = await marketplace.ready;
  if (!isStopping) {
    printSummary(run);
    say('Ready. Ctrl-C stops everything.');
  }
} catch (error) {
  if (!isStopping) {
    console.error(`\n${(error as Error).message}\n`);
    await stop(1);
  }
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  say('Stopping services, then servers');
  await marketplace.stop();
  leaveHome(options.home);
  say('Stopped');
  process.exit(exitCode);
}
