// Installs Debian packages: `node install-debian-packages.mjs rabbitmq-server maven`. Concurrent calls wait for each
// other.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const packages = process.argv.slice(2);
const apt = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=2', '-q', '-y'];
const lockFile = '/tmp/lendtools-apt.lock';

if (!areInstalled()) {
  // Package lists are often missing in containers, so they are updated if the first attempt fails.
  if (!install()) {
    run(['apt-get', ...apt, 'update']);
    if (!install()) process.exit(1);
  }
}

function areInstalled() {
  return packages.every(
    (name) => existsSync(`/var/lib/dpkg/info/${name}.list`) && isConfigured(name),
  );
}

function isConfigured(name) {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query replaces it, not JavaScript.
  const query = spawnSync('dpkg-query', ['-W', '-f', '${Status}', name], { encoding: 'utf8' });
  return query.stdout === 'install ok installed';
}

function install() {
  return (
    run(['apt-get', ...apt, 'install', '--no-install-recommends', ...packages]) || areInstalled()
  );
}

function run(command) {
  const withLock = existsSync('/usr/bin/flock') ? ['flock', lockFile, ...command] : command;
  const [program, ...args] = withLock;
  const result = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    // RUNLEVEL=1 keeps packages from starting system-wide servers.
    env: { ...process.env, RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' },
  });
  return result.status === 0;
}
