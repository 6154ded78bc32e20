import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findRabbitMq, isWindowsDrive } from './machine.mjs';

describe('findRabbitMq', () => {
  let folder: string;
  const program = (path: string) => {
    mkdirSync(join(folder, path));
    writeFileSync(join(folder, path, 'rabbitmq-server'), '', { mode: 0o755 });
    return join(folder, path, 'rabbitmq-server');
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rabbitmq-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('finds RabbitMQ on PATH', () => {
    const path = program('sbin');

    expect(findRabbitMq([], { PATH: `/nowhere:${folder}/sbin` })).toBe(path);
  });

  it('prefers RabbitMQ’s own script to the wrapper on PATH', () => {
    const script = program('package');
    program('sbin');

    expect(findRabbitMq([script], { PATH: `${folder}/sbin` })).toBe(script);
  });

  it('finds nothing if RabbitMQ is not installed', () => {
    expect(findRabbitMq([join(folder, 'nothing')], { PATH: folder })).toBeNull();
  });
});

describe('isWindowsDrive in WSL', () => {
  const mounts = [
    '/dev/sdc / ext4 rw,relatime,discard 0 0',
    'drivers /usr/lib/wsl/drivers 9p ro,aname=drivers;fmask=222 0 0',
    'C:\\134 /mnt/c 9p rw,noatime,aname=drvfs;path=C:\\;uid=1000,mmap,access=client 0 0',
    'D: /mnt/d drvfs rw,noatime,uid=1000 0 0',
    '/dev/sdd /mnt/c/linux ext4 rw 0 0',
  ].join('\n');

  it('detects a folder below the mount point of a Windows drive', () => {
    expect(isWindowsDrive('/mnt/c/Users/jo/lendtools', mounts)).toBe(true);
    expect(isWindowsDrive('/mnt/d/lendtools', mounts)).toBe(true);
  });

  it('accepts a folder in Linux’s own file system', () => {
    expect(isWindowsDrive('/home/jo/lendtools', mounts)).toBe(false);
    expect(isWindowsDrive('/mnt/cc/lendtools', mounts)).toBe(false);
    expect(isWindowsDrive('/mnt/c/linux/lendtools', mounts)).toBe(false);
    expect(isWindowsDrive('/home/jo', '')).toBe(false);
  });
});
