import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
const neededBytes = 1024 ** 3;

/** Creates an empty folder for the data of the test servers, in memory if there is room: on a disk, the servers need 50 % more CPU time. */
export function createDataFolder(home: string): string {
  const name = `lendtools-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`;
  const folder = hasRoom() ? join(memory, name) : join(home, 'data');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

function hasRoom(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= neededBytes;
}
