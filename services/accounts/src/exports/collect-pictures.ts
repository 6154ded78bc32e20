import path from 'node:path';
import { imageWidth, imageWidths } from '@lendtools/contracts';
import type { ExportedFile } from './zip-files.ts';

export const largest = (imagePath: string): string => imageWidth(imagePath, imageWidths[2]);

interface Options {
  /** Returns undefined for a picture that is gone. */
  read: (imagePath: string) => Promise<Uint8Array | undefined>;
  mostBytes: number;
}

/** The pictures in their largest width, up to `mostBytes`, and a text file with the addresses of the rest. */
export const collectPictures = async function* (
  imagePaths: Iterable<string>,
  { read, mostBytes }: Options,
): AsyncGenerator<ExportedFile> {
  const waiting = new Set(imagePaths);
  let total = 0;
  for (const imagePath of waiting) {
    const bytes = await read(imagePath);
    total += bytes?.length ?? 0;
    if (total > mostBytes) break;
    waiting.delete(imagePath);
    if (bytes)
      yield {
        name: `pictures/${path.basename(largest(imagePath))}`,
        bytes,
        isCompressed: true,
      };
  }
  if (waiting.size > 0) yield listOf([...waiting], mostBytes);
};

const listOf = (imagePaths: string[], mostBytes: number): ExportedFile => ({
  name: 'pictures/not-included.txt',
  bytes: Buffer.from(
    `This file has at most ${mostBytes / 1_000_000} MB of pictures. The pictures below are not included.
To see one, open its address on the website of LendTools.

${imagePaths.map((imagePath) => `${largest(imagePath)}\n`).join('')}`,
  ),
});
