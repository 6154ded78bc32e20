/** Keeps the test servers running until Ctrl-C, so that test runs need not start their own. */
import { findRunningTestServers, startTestServers, testHome } from './test-environment.ts';

function say(line: string) {
  console.log(`  ${line}`);
}

if (await findRunningTestServers()) {
  console.log(`Already running: ${testHome}/servers.json`);
  process.exit(0);
}

const { servers, stop } = await startTestServers(say);
console.log(
  `Ready. The addresses are in ${testHome}/servers.json\n${Object.keys(servers).join(', ')}`,
);

// A timer keeps this process alive, because containers alone would not.
setInterval(() => {}, 2 ** 30);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.log('Stopping');
    void stop().then(() => process.exit(0));
  });
}
