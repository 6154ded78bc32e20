import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

export interface ExportedFile {
  name: string;
  bytes: Uint8Array;
  /** Pictures are compressed already. */
  isCompressed?: boolean;
}

const partBytes = 1_000_000;

/** Packs files one after another, and yields the ZIP file in parts of about a megabyte. */
export const zipFiles = async function* (
  files: AsyncIterable<ExportedFile>,
): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    waiting.push(chunk);
  });
  const take = (): Buffer => {
    const part = Buffer.concat(waiting);
    waiting = [];
    return part;
  };
  for await (const { name, bytes, isCompressed } of files) {
    const file = isCompressed ? new ZipPassThrough(name) : new ZipDeflate(name);
    zip.add(file);
    file.push(bytes, true);
    if (waiting.reduce((sum, { length }) => sum + length, 0) >= partBytes) yield take();
  }
  zip.end();
  yield take();
};
