import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const picturesFolder = join(import.meta.dirname, 'pictures');

const mostViews = 3;

export async function picturesOf(name: string): Promise<Buffer[]> {
  const files = Array.from({ length: mostViews }, (_, view) =>
    join(picturesFolder, `${name}-${view + 1}.webp`),
  );
  const views = await Promise.all(files.map(readIfThere));
  return views.filter((view) => view !== null);
}

export function pictureOfPerson(key: string): Promise<Buffer> {
  return readFile(join(picturesFolder, 'people', `${key}.webp`));
}

async function readIfThere(file: string): Promise<Buffer | null> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  return isThere ? readFile(file) : null;
}
