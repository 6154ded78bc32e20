import { expect, it } from '@jest/globals';
import { collectPictures } from './collect-pictures.ts';
import type { ExportedFile } from './zip-files.ts';

const path = (name: string) => `/api/images/tools-${name}-640.webp`;

const collected = async (paths: string[], sizes: Record<string, number>) => {
  const read = async (imagePath: string) => {
    const size = sizes[imagePath];
    return size === undefined ? undefined : new Uint8Array(size);
  };
  const files: ExportedFile[] = [];
  for await (const file of collectPictures(paths, { read, mostBytes: 100 })) files.push(file);
  return files;
};

it('lists the pictures that are too much for the file', async () => {
  const [a, b, c] = [path('a'), path('b'), path('c')] as const;

  const files = await collected([a, b, c], { [a]: 60, [b]: 60, [c]: 1 });

  expect(files.map(({ name }) => name)).toEqual([
    'pictures/tools-a-1280.webp',
    'pictures/not-included.txt',
  ]);
  const text = Buffer.from(files[1]?.bytes as Uint8Array).toString();
  expect(text).toContain('/api/images/tools-b-1280.webp\n/api/images/tools-c-1280.webp\n');
});

it('lists nothing if all pictures fit, whether or not one is gone', async () => {
  const [a, b, gone] = [path('a'), path('b'), path('gone')] as const;

  const files = await collected([a, gone, b, a], { [a]: 50, [b]: 50 });

  expect(files.map(({ name }) => name)).toEqual([
    'pictures/tools-a-1280.webp',
    'pictures/tools-b-1280.webp',
  ]);
});
