import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

const batchSize = 1_000;

/** Writes lines to a file that only its owner may read. Returns the number of lines. */
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

/** @throws Error if the file is damaged or truncated */
export const readLines = async function* (file: string): AsyncGenerator<string[]> {
  const text = createGunzip().setEncoding('utf8');
  const read = pipeline(createReadStream(file), text);
  // This failure is ignored, because the loop below throws the same error.
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
