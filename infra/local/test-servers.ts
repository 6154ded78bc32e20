/**
 * Keeps the servers for tests up while somebody works: `node infra/local/test-servers.ts`, ended by
 * Ctrl-C. Tests find them through `.local/test/servers.json`, and `npm test` uses them as well.
 */
import { findRunningTestServers, startTestServers, testHome } from './test-environment.ts';

const say = (line: string) => console.log(`  ${line}`);
if (await findRunningTestServers()) {
  console.log(`They are up already: ${testHome}/servers.json`);
  process.exit(0);
}
const { servers, stop } = await startTestServers(say);
console.log(
  `Ready. The addresses are in ${testHome}/servers.json\n${Object.keys(servers).join(', ')}`,
);

// Containers, unlike children, would not keep this process.
setInterval(() => {}, 2 ** 30);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.log('Stopping');
    void stop().then(() => process.exit(0));
  });
}
