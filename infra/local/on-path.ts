import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where on PATH the program lies; null when it is not there. */
export function onPath(program: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}
