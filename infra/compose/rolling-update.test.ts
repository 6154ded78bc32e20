import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { fakeDocker } from './test/fake-docker.ts';

const file = join(import.meta.dirname, 'rolling-update.sh');
let docker: ReturnType<typeof fakeDocker>;
afterEach(() => docker.remove());

/** @param up the shell script that the fake Docker runs for `docker compose up` */
function twoReplicas(up: string): string {
  return `case "$*" in
  'compose ps --all --quiet '*) printf '%s\\n' old-1 new-1 old-2 new-2 ;;
  'compose ps --quiet '*) printf '%s\\n' old-1 old-2 ;;
  'compose up '*) ${up} ;;
esac`;
}

function update(up: string) {
  docker = fakeDocker(twoReplicas(up));
  return spawnSync(file, ['catalog', 'gateway'], { env: docker.env, encoding: 'utf8' });
}

const scaled =
  'compose up --detach --no-deps --no-recreate --wait --scale catalog=4 catalog' as const;

describe('rolling-update.sh', () => {
  it('removes the old containers once the same number of new ones is ready', () => {
    const { status } = update('exit 0');

    expect([status, ...docker.calls()]).toEqual([
      0,
      'compose build gateway',
      'compose run --rm broker-setup',
      'compose ps --quiet catalog',
      scaled,
      'stop --time 20 old-1 old-2',
      'rm old-1 old-2',
      'compose up --detach --no-deps --wait gateway',
    ]);
  });

  it('removes new containers that do not become ready, and exits with 1', () => {
    const { status, stderr } = update('exit 1');

    expect([status, ...docker.calls().slice(3)]).toEqual([
      1,
      scaled,
      'compose ps --all --quiet catalog',
      'stop --time 20 new-1 new-2',
      'rm new-1 new-2',
    ]);
    expect(stderr).toContain('The new catalog did not become ready');
  });

  it('removes the new containers on Ctrl-C while they start', async () => {
    docker = fakeDocker(twoReplicas('exec sleep 60'));
    const command = spawn(file, ['catalog'], { env: docker.env, detached: true, stdio: 'ignore' });
    await waitFor('the new ones to be awaited', () => docker.calls().includes(scaled));

    // Signal the whole process group, as a terminal does on Ctrl-C.
    process.kill(-(command.pid as number), 'SIGINT');

    const [status] = await once(command, 'exit');
    expect([status, docker.calls().at(-1)]).toEqual([1, 'rm new-1 new-2']);
  });
});
