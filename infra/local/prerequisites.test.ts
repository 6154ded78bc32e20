import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectRoot } from './home.ts';
import { type Machine, missingPrerequisites } from './prerequisites.mjs';

/** A new Mac with Apple silicon: nothing but Node 22, and no download of MongoDB. */
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

const topics = (machine: Machine): string[] =>
  missingPrerequisites(machine).map((sentence) => sentence.split(/[.,:]/)[0] ?? '');

describe('the missing prerequisites', () => {
  it('are named all at once', () => {
    expect(topics(mac)).toEqual(['Node 24 or newer', 'RabbitMQ', 'MongoDB']);
  });

  it('say how to install each on macOS', () => {
    const text = missingPrerequisites(mac).join('\n');

    expect(text).toContain('brew install rabbitmq');
    expect(text).toContain('brew install --cask temurin; brew install maven');
    expect(text).not.toContain('apt');
  });

  it('include those of the tests', () => {
    expect(topics({ ...mac, isForTests: true })).toEqual([
      ...['Node 24 or newer', 'RabbitMQ', 'MongoDB'],
      ...['Java 17 and Maven', 'promtool'],
    ]);
  });

  it('are none as root on Debian, where apt installs everything', () => {
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

  it('do not include RabbitMQ and MongoDB where a Docker engine runs them', () => {
    expect(topics({ ...linux, hasDocker: () => true })).toEqual([]);
  });

  it('do not include MongoDB where Java runs its stand-in', () => {
    const java = { hasRabbitMq: true, javaVersion: () => 21 };

    expect(topics({ ...linux, ...java, hasMaven: true })).toEqual([]);
    expect(topics({ ...linux, ...java, hasJars: () => true })).toEqual([]);
    expect(topics({ ...linux, ...java, javaVersion: () => 11, hasMaven: true })).toEqual([
      'MongoDB',
    ]);
  });

  it('do not ask for Docker when nothing is missing', () => {
    const hasDocker = () => {
      throw new Error('asked');
    };

    expect(topics({ ...linux, hasRabbitMq: true, hasMongoDb: true, hasDocker })).toEqual([]);
  });
});

describe('Node', () => {
  const complete = { hasRabbitMq: true, hasMongoDb: true };

  it('comes from npm on Linux', () => {
    expect(topics({ ...linux, ...complete })).toEqual([]);
    expect(topics({ ...linux, ...complete, arch: 'arm64' })).toEqual([]);
  });

  it("is the machine's own on macOS, from version 24 on", () => {
    expect(topics({ ...mac, ...complete, nodeVersion: '26.1.0' })).toEqual([]);
    expect(topics({ ...mac, ...complete, nodeVersion: '23.9.0' })).toEqual(['Node 24 or newer']);
  });
});

describe('a place where LendTools cannot run', () => {
  it('is Windows', () => {
    expect(missingPrerequisites({ ...linux, platform: 'win32' })).toEqual([
      expect.stringContaining('use WSL'),
    ]);
  });

  it('is a drive of Windows in WSL', () => {
    const sentences = missingPrerequisites({
      ...linux,
      hasRabbitMq: true,
      hasMongoDb: true,
      isOnWindowsDrive: true,
    });

    expect(sentences).toEqual([expect.stringContaining('into ~/lendtools')]);
  });

  it('is a system for which npm has no PostgreSQL', () => {
    expect(topics({ ...linux, arch: 'riscv64', hasRabbitMq: true, hasMongoDb: true })).toEqual([
      ...['Node 24 or newer', 'PostgreSQL'],
    ]);
  });

  it('is the root account where PostgreSQL cannot be run as another user', () => {
    const complete = { nodeVersion: '24.0.0', hasRabbitMq: true, hasMongoDb: true };

    expect(topics({ ...mac, ...complete, isRoot: true })).toEqual(['An ordinary user']);
    expect(topics({ ...linux, ...complete, isRoot: true, has: () => true })).toEqual([]);
  });
});

describe('package.json', () => {
  const { scripts, optionalDependencies } = JSON.parse(
    readFileSync(join(projectRoot, 'package.json'), 'utf8'),
  );

  it('has no pre- and post-scripts, which npm skips with ignore-scripts', () => {
    expect(Object.keys(scripts).filter((name) => /^(pre|post)/.test(name))).toEqual([]);
  });

  it('brings Node to every system that is not told to install it', () => {
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
