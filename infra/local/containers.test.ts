import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { fakeDocker } from '../compose/test/fake-docker.ts';
import { containerProcess, removeVolumes } from './containers.ts';
import { openHome, type ServerContext } from './home.ts';

/** A fake Docker. It has every image except `missing`, which it cannot pull. Its containers run until stopped. */
const script = `case "$*" in
  *missing) echo 'pull access denied' >&2; exit 1 ;;
  "image inspect pullable") exit 1 ;;
  run*) echo "password in its environment: $BROKER_PASSWORD" >>"$0.env"; exec sleep 1000 ;;
esac`;

let home: string;
let context: ServerContext;
let docker: ReturnType<typeof fakeDocker>;
const { PATH } = process.env;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'containers-'));
  context = await openHome({ home, say: () => {} });
  docker = fakeDocker(script);
  process.env.PATH = docker.env.PATH;
});
afterEach(async () => {
  await context.supervisor.stopAll();
  process.env.PATH = PATH;
  docker.remove();
  rmSync(home, { recursive: true });
});

const options = {
  name: 'rabbitmq',
  image: 'rabbitmq:4-management',
  ports: [[20_001, 5672]] as [number, number][],
  dataFolder: '/var/lib/rabbitmq',
  env: { BROKER_PASSWORD: 'secret' },
};

function ran() {
  return docker.calls().find((call) => call.startsWith('run '));
}

async function start(): Promise<string> {
  const container = await containerProcess(context, options);
  await context.supervisor.start({
    ...container,
    name: 'rabbitmq',
    isReady: async () => ran() !== undefined,
  });
  return /--name (\S+)/.exec(ran() ?? '')?.[1] ?? '';
}

describe('a server in a container', () => {
  it('publishes its ports only on 127.0.0.1', async () => {
    await start();

    expect(ran()).toContain('--publish 127.0.0.1:20001:5672');
  });

  it('gets its password in the environment, not on the command line', async () => {
    await start();
    const dockerProgram = join(docker.env.PATH.split(':')[0] ?? '', 'docker');
    const given = await waitFor('the container', () =>
      existsSync(`${dockerProgram}.env`) ? readFileSync(`${dockerProgram}.env`, 'utf8') : false,
    );

    expect(given).toContain('environment: secret');
    expect(docker.calls().join('\n')).not.toContain('secret');
  });

  it('removes its container when it stops, and before it restarts', async () => {
    const name = await start();
    const removal = `rm --force ${name}`;

    expect(docker.calls().filter((call) => call === removal)).toHaveLength(1);
    await context.supervisor.stop('rabbitmq');
    expect(docker.calls().filter((call) => call === removal)).toHaveLength(2);
  });

  it('keeps its data for the next start, but not if its home folder was recreated', async () => {
    const { args } = await containerProcess(context, options);

    expect((await containerProcess(context, options)).args).toEqual(args);
    rmSync(join(home, 'volumes.json'));
    expect((await containerProcess(context, options)).args).not.toEqual(args);
  });

  it('pulls a missing image', async () => {
    await containerProcess(context, { ...options, image: 'pullable' });

    expect(docker.calls()).toContain('pull --quiet pullable');
  });

  it('fails if a missing image cannot be pulled', async () => {
    const rejected = containerProcess(context, { ...options, image: 'missing' });

    await expect(rejected).rejects.toThrow(
      "Docker has no image missing and can't pull it: pull access denied",
    );
  });
});

describe('removeVolumes', () => {
  it('deletes the volumes of the home folder', async () => {
    const name = await start();
    await context.supervisor.stopAll();

    await removeVolumes(home);

    expect(docker.calls()).toContain(`volume rm --force ${name}`);
  });

  it('does not call Docker if the home folder has no volumes', async () => {
    await removeVolumes(home);

    expect(docker.calls()).toEqual([]);
  });
});
