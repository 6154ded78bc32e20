import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { projectRoot, type ServerContext } from './home.ts';
import type { ProcessSpec } from './supervisor.ts';

/** The images are named in the compose file alone. */
const composeFile = join(projectRoot, 'infra', 'docker-compose.yml');
export const imageOf = (service: 'postgres' | 'rabbitmq' | 'mongo' | 'mail'): string =>
  parse(readFileSync(composeFile, 'utf8'), { merge: true }).services[service].image;

const pullWithinMs = 300_000;
const removeWithinMs = 30_000;

const docker = (args: string[], timeout: number) =>
  promisify(execFile)('docker', args, { timeout });

interface ContainerOptions {
  name: string;
  image: string;
  /** Pairs of a port on the host and the port in the container that it leads to. */
  ports: [number, number][];
  /** The folder in the container that survives it, in a volume. */
  dataFolder: string;
  env: Record<string, string>;
}

/**
 * A container as a process of the supervisor: `docker run` lives as long as the container, passes signals on to it, and
 * removes it in the end. The data is in a volume, so that the next start finds it again.
 * @throws when the image is neither here nor can be pulled
 */
export async function containerProcess(
  context: ServerContext,
  options: ContainerOptions,
): Promise<Pick<ProcessSpec, 'command' | 'args' | 'env' | 'afterStop'>> {
  const { name, image, ports, dataFolder, env } = options;
  await pullImage(context, image);
  const volume = volumeOf(context.home, name);
  const args = [
    ...['--rm', '--name', volume, '--volume', `${volume}:${dataFolder}`],
    ...ports.flatMap(([host, inside]) => ['--publish', `127.0.0.1:${host}:${inside}`]),
    // Without a value docker takes it from its own environment: other users can read a command line.
    ...Object.keys(env).flatMap((setting) => ['--env', setting]),
    image,
  ];
  // After a kill of `docker run` the container still has the name.
  const script = 'docker rm --force "$0" >/dev/null 2>&1; exec docker run "$@"';
  return {
    command: 'sh',
    args: ['-c', script, volume, ...args],
    env: { ...process.env, ...env },
    afterStop: async () => {
      await docker(['rm', '--force', volume], removeWithinMs).catch(() => {});
    },
  };
}

async function pullImage({ say }: ServerContext, image: string): Promise<void> {
  const isHere = await docker(['image', 'inspect', image], removeWithinMs).then(
    () => true,
    () => false,
  );
  if (isHere) return;
  say(`Docker: pulling ${image}`);
  await docker(['pull', '--quiet', image], pullWithinMs).catch(({ stderr }: { stderr: string }) => {
    const reason = stderr.trim().split('\n').at(-1) || 'it took longer than five minutes';
    throw new Error(`Docker has no image ${image} and can't pull it: ${reason}`);
  });
}

/** The volumes of a home, by the names of their processes. The container of each has the same name. */
const volumesFile = (home: string): string => join(home, 'volumes.json');
const readVolumes = (home: string): Record<string, string> =>
  existsSync(volumesFile(home)) ? JSON.parse(readFileSync(volumesFile(home), 'utf8')) : {};

/** A home that was deleted by hand and made again must not find the old volume: its passwords are new. */
function volumeOf(home: string, name: string): string {
  const volumes = readVolumes(home);
  volumes[name] ??= `lendtools-${randomBytes(4).toString('hex')}-${name}`;
  writeFileSync(volumesFile(home), JSON.stringify(volumes, null, 2));
  return volumes[name];
}

/** Deletes the volumes of a home, with the containers that a killed run left. */
export async function removeVolumes(home: string): Promise<void> {
  const volumes = Object.values(readVolumes(home));
  if (volumes.length === 0) return;
  await docker(['rm', '--force', ...volumes], removeWithinMs);
  await docker(['volume', 'rm', '--force', ...volumes], removeWithinMs);
}
