import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

const batchSize = 1_000;

/** Writes one line for each item, compressed, for the owner's eyes alone; answers how many there were. */
export const writeLines = async <T>(
  file: string,
  batches: AsyncIterable<T[]>,
  toLine: (item: T) => string,
): Promise<number> => {
  let count = 0;
  const texts = async function* () {
    for await (const batch of batches) {
      count += batch.length;
      yield batch.map((item) => `${toLine(item)}\n`).join('');
    }
  };
  const target = createWriteStream(file, { mode: 0o600, flush: true });
  await pipeline(Readable.from(texts()), createGzip(), target);
  return count;
};

/** The lines of such a file, by the thousand. @throws Error when it is damaged or cut off. */
export const readLines = async function* (file: string): AsyncGenerator<string[]> {
  const text = createGunzip().setEncoding('utf8');
  const read = pipeline(createReadStream(file), text);
  // It also breaks the loop below, which is where it is noticed.
  read.catch(() => {});
  let rest = '';
  let batch: string[] = [];
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) {
      batch.push(line);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
};
