/**
 * Keeps the test servers running during development: `node infra/local/test-servers.ts`, stopped by Ctrl-C. Tests
 * find them through `.local/test/servers.json`, and `npm test` uses them too.
 */
import { findRunningTestServers, startTestServers, testHome } from './test-environment.ts';

const say = (line: string) => console.log(`  ${line}`);
if (await findRunningTestServers()) {
  console.log(`Already running: ${testHome}/servers.json`);
  process.exit(0);
}
const { servers, stop } = await startTestServers(say);
console.log(
  `Ready. The addresses are in ${testHome}/servers.json\n${Object.keys(servers).join(', ')}`,
);

// Keeps this process alive: containers alone would not, unlike child processes.
setInterval(() => {}, 2 ** 30);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.log('Stopping');
    void stop().then(() => process.exit(0));
  });
}
