import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectRoot } from './home.ts';
import { type Machine, missingPrerequisites } from './prerequisites.mjs';

/** A new Mac with Apple silicon and Node 22, on which MongoDB can't be downloaded. */
const mac: Machine = {
  platform: 'darwin',
  arch: 'arm64',
  nodeVersion: '22.20.0',
  isRoot: false,
  canInstall: false,
  isForTests: false,
  isOnWindowsDrive: false,
  env: {},
  has: () => false,
  hasRabbitMq: false,
  hasMongoDb: false,
  javaVersion: () => 0,
  hasMaven: false,
  hasJars: () => false,
  hasDocker: () => false,
};
const linux: Machine = { ...mac, platform: 'linux', arch: 'x64' };

function topics(machine: Machine): string[] {
  return missingPrerequisites(machine).map((sentence) => sentence.split(/[.,:]/)[0] ?? '');
}

describe('missing prerequisites', () => {
  it('are all listed at once', () => {
    expect(topics(mac)).toEqual(['Node 24 or newer', 'RabbitMQ', 'MongoDB']);
  });

  it('are listed with how to install them on macOS', () => {
    const text = missingPrerequisites(mac).join('\n');

    expect(text).toContain('brew install rabbitmq');
    expect(text).toContain('brew install --cask temurin; brew install maven');
    expect(text).not.toContain('apt');
  });

  it('include the prerequisites of the tests, for a test run', () => {
    expect(topics({ ...mac, isForTests: true })).toEqual([
      ...['Node 24 or newer', 'RabbitMQ', 'MongoDB'],
      ...['Java 17 and Maven', 'promtool'],
    ]);
  });

  it('are not reported to root on Debian, where apt installs everything', () => {
    const debian = { ...linux, isRoot: true, canInstall: true };

    expect(missingPrerequisites(debian)).toEqual([]);
    expect(missingPrerequisites({ ...debian, isForTests: true })).toEqual([]);
  });

  it('do not include servers whose addresses are given', () => {
    const env = {
      AMQP_URL: 'amqp://broker',
      MONGO_URL: 'mongodb://documents',
      POSTGRES_URL: 'postgres://rows',
    };

    expect(topics({ ...mac, arch: 'riscv64', nodeVersion: '24.0.0', env })).toEqual([]);
  });

  it('do not include RabbitMQ and MongoDB if a Docker engine can run them', () => {
    expect(topics({ ...linux, hasDocker: () => true })).toEqual([]);
  });

  it('do not include MongoDB if Java can run its stand-in', () => {
    const java = { hasRabbitMq: true, javaVersion: () => 21 };

    expect(topics({ ...linux, ...java, hasMaven: true })).toEqual([]);
    expect(topics({ ...linux, ...java, hasJars: () => true })).toEqual([]);
    expect(topics({ ...linux, ...java, javaVersion: () => 11, hasMaven: true })).toEqual([
      'MongoDB',
    ]);
  });

  it('are determined without probing Docker if RabbitMQ and MongoDB are installed', () => {
    const hasDocker = () => {
      throw new Error('asked');
    };

    expect(topics({ ...linux, hasRabbitMq: true, hasMongoDb: true, hasDocker })).toEqual([]);
  });
});

describe('Node', () => {
  const complete = { hasRabbitMq: true, hasMongoDb: true };

  it('is installed by npm on Linux', () => {
    expect(topics({ ...linux, ...complete })).toEqual([]);
    expect(topics({ ...linux, ...complete, arch: 'arm64' })).toEqual([]);
  });

  it('must be version 24 or newer on macOS, where npm does not install it', () => {
    expect(topics({ ...mac, ...complete, nodeVersion: '26.1.0' })).toEqual([]);
    expect(topics({ ...mac, ...complete, nodeVersion: '23.9.0' })).toEqual(['Node 24 or newer']);
  });
});

describe('missingPrerequisites on an unsupported machine', () => {
  it('rejects Windows', () => {
    expect(missingPrerequisites({ ...linux, platform: 'win32' })).toEqual([
      expect.stringContaining('use WSL'),
    ]);
  });

  it('rejects a Windows drive in WSL', () => {
    const sentences = missingPrerequisites({
      ...linux,
      hasRabbitMq: true,
      hasMongoDb: true,
      isOnWindowsDrive: true,
    });

    expect(sentences).toEqual([expect.stringContaining('into ~/lendtools')]);
  });

  it('rejects a system for which npm has no PostgreSQL', () => {
    expect(topics({ ...linux, arch: 'riscv64', hasRabbitMq: true, hasMongoDb: true })).toEqual([
      ...['Node 24 or newer', 'PostgreSQL'],
    ]);
  });

  it('rejects the root account if PostgreSQL can’t run as another user', () => {
    const complete = { nodeVersion: '24.0.0', hasRabbitMq: true, hasMongoDb: true };

    expect(topics({ ...mac, ...complete, isRoot: true })).toEqual(['An ordinary user']);
    expect(topics({ ...linux, ...complete, isRoot: true, has: () => true })).toEqual([]);
  });
});

describe('package.json', () => {
  const { scripts, optionalDependencies } = JSON.parse(
    readFileSync(join(projectRoot, 'package.json'), 'utf8'),
  );

  it('has no pre- and post-scripts, because npm skips them with ignore-scripts', () => {
    expect(Object.keys(scripts).filter((name) => /^(pre|post)/.test(name))).toEqual([]);
  });

  it('lists npm’s Node package for every system on which the user need not install Node', () => {
    const systems = Object.keys(optionalDependencies).map((name) => name.replace('node-', ''));
    const old = { nodeVersion: '20.0.0', hasRabbitMq: true, hasMongoDb: true };

    for (const system of systems) {
      const [platform = '', arch = ''] = system.split('-');
      const machine = { ...linux, ...old, platform: platform as NodeJS.Platform, arch };
      expect([system, missingPrerequisites(machine)]).toEqual([system, []]);
    }
    expect(systems).toHaveLength(2);
  });
});
