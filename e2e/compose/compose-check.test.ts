import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { projectRoot } from '@lendtools/local/home';
import { waitFor } from '@lendtools/testing';
import { fakeDocker } from '../../infra/compose/test/fake-docker.ts';

const config = {
  services: { gateway: { image: 'lendtools' }, postgres: { image: 'postgres:18' } },
};
const officialImages = `'image inspect '*) ;;`;
const emptyEngine = (up: string, images: string = officialImages): string => `case "$*" in
  version*) echo 28.5.2 ;;
  'compose version'*) echo 2.40.3 ;;
  *' config '*) echo '${JSON.stringify(config)}' ;;
  ${images}
  *' up '*) ${up} ;;
  inspect*) echo '[]' ;;
esac`;

let name: string;
let folder: string;
let docker: ReturnType<typeof fakeDocker>;
beforeEach(() => {
  name = randomUUID();
  folder = join(projectRoot, '.local', `compose-check-${name}`);
  mkdirSync(join(projectRoot, '.local'), { recursive: true });
});
afterEach(() => {
  docker.remove();
  rmSync(folder, { recursive: true, force: true });
});

const startCheck = (script: string, ...options: string[]) => {
  docker = fakeDocker(script);
  const file = join(import.meta.dirname, 'compose-check-command.ts');
  const command = spawn(process.execPath, [file, '--name', name, ...options], {
    env: {
      ...docker.env,
      COMPOSE_PROJECT_NAME: 'the-operators',
      COMPOSE_FILE: 'of-the-operator.yml',
    },
    detached: true,
  });
  const ended = Promise.all([once(command, 'exit'), text(command.stdout)]);
  return { command, ended: ended.then(([[status], printed]) => ({ status, printed })) };
};
const composeCalls = (): string[] =>
  docker.calls().filter((call) => /^compose (?!version)/.test(call));
const downs = (): string[] => composeCalls().filter((call) => call.includes(' down '));

describe('compose:check', () => {
  it('calls Compose only with the check’s own project, files and settings, and removes the project', async () => {
    const { status, printed } = await startCheck(emptyEngine('exit 0')).ended;

    const base = `--file ${join(projectRoot, 'infra', 'docker-compose.yml')}`;
    const ours = `compose --project-name lendtools-check-${name} ${base} `;
    const calls = composeCalls();
    expect(calls.map((call) => call.startsWith(ours))).toEqual(calls.map(() => true));
    expect(calls.filter((call) => !call.includes(`--env-file ${folder}/.env `))).toEqual([]);
    expect(downs()).toHaveLength(1);
    // The fake engine runs no containers, so the check fails here.
    expect([status, printed]).toEqual([1, expect.stringContaining('No container of mail')]);
    expect(existsSync(folder)).toBe(false);
  });

  it('never calls Compose if the settings could not be written', async () => {
    writeFileSync(folder, 'in the way');

    const { status } = await startCheck(emptyEngine('exit 0')).ended;

    expect([status, composeCalls()]).toEqual([1, []]);
  });

  it('rewrites settings that a killed run left incomplete', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, '.env.new'), 'POSTGRES_PASSWORD=');

    await startCheck(emptyEngine('exit 1'), '--keep').ended;

    expect(readFileSync(join(folder, '.env'), 'utf8')).toMatch(/^POSTGRES_PASSWORD=\w{36}$/m);
  });

  it('names its images differently from the operator’s, and uses stand-ins if no registry responds', async () => {
    const noRegistry = `'image inspect lendtools-stand-in/'*) echo present ;;
      'image inspect '* | pull*) echo no such host >&2; exit 1 ;;`;

    const { printed } = await startCheck(emptyEngine('exit 1', noRegistry), '--keep').ended;

    const { services } = JSON.parse(readFileSync(join(folder, 'images.yaml'), 'utf8'));
    const NODE_IMAGE = 'lendtools-stand-in/node:24-bookworm-slim';
    expect(services).toEqual({
      gateway: { image: 'lendtools-check', build: { args: { NODE_IMAGE } } },
      postgres: { image: 'lendtools-stand-in/postgres:18' },
    });
    expect(printed).toContain("postgres:18 can't be pulled (no such host), so lendtools-stand-in/");
    expect(docker.calls().filter((call) => /^(build|tag|import)/.test(call))).toEqual([]);
  });

  it.each([
    [[], 1],
    [['--keep'], 0],
  ])(
    'removes the project on Ctrl-C, except with --keep: options %j, %j removals',
    async (options, times) => {
      const { command, ended } = startCheck(emptyEngine('exec sleep 60'), ...options);
      await waitFor('the containers to start', () =>
        composeCalls().some((call) => / up /.test(call)),
      );

      // On Ctrl-C a terminal signals the whole process group.
      process.kill(-(command.pid as number), 'SIGINT');

      expect(await ended).toMatchObject({ status: 130 });
      expect(downs()).toHaveLength(times);
      expect(existsSync(join(folder, '.env'))).toBe(times === 0);
    },
  );
});
