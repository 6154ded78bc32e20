// Fetches jars of Java servers: `node fetch-jars.mjs mongo-local s3-server`. Uses only built-ins, because npm packages
// are not installed yet.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mavenOptions } from './proxies.mjs';

for (const name of process.argv.slice(2)) {
  const folder = fileURLToPath(new URL(`../${name}/`, import.meta.url));
  rmSync(`${folder}lib/.complete`, { force: true });
  const goal = ['dependency:copy-dependencies', '-DoutputDirectory=lib'];
  const options = ['-q', '-B', '--no-transfer-progress', ...mavenOptions(process.env)];
  const maven = spawnSync('mvn', [...options, ...goal], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (maven.status !== 0) process.exit(1);
  writeFileSync(`${folder}lib/.complete`, '');
}
