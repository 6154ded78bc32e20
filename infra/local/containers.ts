import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { projectRoot, type ServerContext } from './home.ts';
import type { ProcessSpec } from './supervisor.ts';

const composeFile = join(projectRoot, 'infra', 'docker-compose.yml');

export function imageOf(service: 'postgres' | 'rabbitmq' | 'mongo' | 'mail'): string {
  return parse(readFileSync(composeFile, 'utf8'), { merge: true }).services[service].image;
}

const pullWithinMs = 300_000;
const removeWithinMs = 30_000;

function docker(args: string[], timeout: number) {
  return promisify(execFile)('docker', args, { timeout });
}

interface ContainerOptions {
  name: string;
  image: string;
  /** Pairs of a host port and a container port. */
  ports: [number, number][];
  /** The folder in the container that is kept in a volume. */
  dataFolder: string;
  env: Record<string, string>;
}

/**
 * Runs a container under the supervisor: `docker run` forwards signals and ends with its container.
 * @throws Error if the image is missing and can't be pulled
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
    // Other users can see command lines, so `--env NAME` makes docker read the value from its own environment.
    ...Object.keys(env).flatMap((setting) => ['--env', setting]),
    image,
  ];
  // A killed `docker run` leaves a container with the same name behind, so this removes that container first.
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

/** This file lists the volumes of a home folder. A container has the same name as its volume. */
function volumesFile(home: string): string {
  return join(home, 'volumes.json');
}

function readVolumes(home: string): Record<string, string> {
  return existsSync(volumesFile(home)) ? JSON.parse(readFileSync(volumesFile(home), 'utf8')) : {};
}

/**
 * The names are random: a home folder that was deleted by hand and recreated must not reuse volumes with old passwords.
 */
function volumeOf(home: string, name: string): string {
  const volumes = readVolumes(home);
  volumes[name] ??= `lendtools-${randomBytes(4).toString('hex')}-${name}`;
  writeFileSync(volumesFile(home), JSON.stringify(volumes, null, 2));
  return volumes[name];
}

export async function removeVolumes(home: string): Promise<void> {
  const volumes = Object.values(readVolumes(home));
  if (volumes.length === 0) return;
  await docker(['rm', '--force', ...volumes], removeWithinMs);
  await docker(['volume', 'rm', '--force', ...volumes], removeWithinMs);
}
