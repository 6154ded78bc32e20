import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { openBucket } from './s3-bucket.ts';

export interface PictureFile {
  name: string;
  bytes: number;
  /** When the file was last uploaded, or moved to the bucket. */
  savedAtMs: number;
}

/** Files are named by the hash of their content, so they never change. */
export interface PictureFiles {
  list(): AsyncIterable<PictureFile>;
  read(name: string): Promise<{ content: Buffer; savedAtMs: number } | undefined>;
  write(name: string, content: Buffer, savedAtMs?: number): Promise<void>;
  /** Deletes a file; with `saved`, only if it was last uploaded in that period. Returns whether it was deleted. */
  remove(name: string, saved?: SavedBetween, signal?: AbortSignal): Promise<boolean>;
  send(name: string, request: Request, response: Response): Promise<boolean>;
  check(): Promise<void>;
}

export interface SavedBetween {
  since: number;
  before: number;
}

export const isBetween = (savedAtMs: number, { since, before }: SavedBetween): boolean =>
  since <= savedAtMs && savedAtMs < before;

export interface PictureSettings {
  IMAGES_DIR?: string | undefined;
  S3_URL?: string | undefined;
}

/**
 * Opens the stores of a service's pictures, in the order of lookup. New pictures go to the last store. There are two stores
 * while pictures are moved from the folder to the bucket.
 */
export const openPictures = async (
  { IMAGES_DIR, S3_URL }: PictureSettings,
  prefix: string,
): Promise<[PictureFiles, ...PictureFiles[]]> => {
  const places = [
    ...(IMAGES_DIR ? [inFolder(IMAGES_DIR, prefix)] : []),
    ...(S3_URL ? [await inBucket(S3_URL, prefix)] : []),
  ];
  return places as [PictureFiles, ...PictureFiles[]];
};

const webp = 'image/webp';
const keepForEver = 'public, max-age=31536000, immutable';
/** The name is ours: a hash and a width. */
const shownAs = (name: string): string => `inline; filename="${name}"`;
const temporaryAgeMs = 86_400_000;
const aside = '.aside-';

const inFolder = (folder: string, prefix: string): PictureFiles => {
  const at = (name: string): string => path.join(folder, name);

  /** Cleans up after a process that crashed while it wrote or removed a file. */
  const tidy = async (name: string): Promise<void> => {
    if (name.startsWith(aside)) await rename(at(name), at(name.slice(aside.length)));
    else if ((await stat(at(name))).mtimeMs < Date.now() - temporaryAgeMs) await rm(at(name));
  };

  return {
    async *list() {
      for (const name of await readdir(folder)) {
        if (name.startsWith('.')) await tidy(name).catch(ignoreMissing);
        if (!name.startsWith(`${prefix}-`)) continue;
        const file = await stat(at(name)).catch(ignoreMissing);
        if (file) yield { name, bytes: file.size, savedAtMs: file.mtimeMs };
      }
    },

    async read(name) {
      const file = await stat(at(name)).catch(ignoreMissing);
      const content = file && (await readFile(at(name)).catch(ignoreMissing));
      return content && { content, savedAtMs: file.mtimeMs };
    },

    async write(name, content, savedAtMs) {
      const temporary = at(`.${randomUUID()}`);
      await writeFile(temporary, content);
      if (savedAtMs !== undefined) await utimes(temporary, new Date(), new Date(savedAtMs));
      await rename(temporary, at(name));
    },

    /**
     * Renames the file before it checks the file's time. If a new upload came first, the file is moved back; a later
     * upload writes a new file.
     */
    async remove(name, saved) {
      const look = async (): Promise<boolean> => {
        await rename(at(name), at(aside + name));
        const { mtimeMs } = await stat(at(aside + name));
        const isMeant = !saved || isBetween(mtimeMs, saved);
        if (isMeant) await rm(at(aside + name));
        else await rename(at(aside + name), at(name));
        return isMeant;
      };
      return (await look().catch(ignoreMissing)) ?? false;
    },

    send: (name, request, response) =>
      new Promise((resolve, reject) => {
        response.type(webp);
        // Without `root`, a path with a dot folder such as `.local` would be rejected.
        const options = {
          root: path.resolve(folder),
          cacheControl: false,
          headers: { 'Cache-Control': keepForEver, 'Content-Disposition': shownAs(name) },
          // No client requests parts of a picture, and a range beyond the end would be an error.
          acceptRanges: false,
        };
        response.sendFile(name, options, (error) => {
          if (!error || request.destroyed || response.headersSent) resolve(true);
          else if ((error as NodeJS.ErrnoException).code === 'ENOENT') resolve(false);
          else reject(error);
        });
      }),

    check: async () => {},
  };
};

const ignoreMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};

/** S3 itself records only when an object was written, not when its picture was uploaded. */
const savedAt = 'x-amz-meta-saved-at';
const savedAtOf = (headers: Headers): number =>
  Date.parse(headers.get(savedAt) ?? headers.get('last-modified') ?? '');

const inBucket = async (url: string, prefix: string): Promise<PictureFiles> => {
  const bucket = await openBucket(url);
  return {
    async *list() {
      for await (const { name, bytes, lastModifiedMs } of bucket.list(`${prefix}-`))
        yield { name, bytes, savedAtMs: lastModifiedMs };
    },

    async read(name) {
      const reply = await bucket.get(name);
      return (
        reply && { content: Buffer.from(await reply.bytes()), savedAtMs: savedAtOf(reply.headers) }
      );
    },

    write: (name, content, savedAtMs) =>
      bucket.put(
        name,
        content,
        savedAtMs === undefined ? {} : { [savedAt]: new Date(savedAtMs).toISOString() },
      ),

    async remove(name, saved, signal) {
      if (saved) {
        const headers = await bucket.head(name, signal);
        if (!headers || !isBetween(savedAtOf(headers), saved)) return false;
      }
      await bucket.delete(name, signal);
      return true;
    },

    async send(name, request, response) {
      const reply = await bucket.get(name);
      if (!reply) return false;
      const length = reply.headers.get('content-length');
      response.set({
        'Content-Type': webp,
        'Cache-Control': keepForEver,
        'Content-Disposition': shownAs(name),
        'Last-Modified': new Date(savedAtOf(reply.headers)).toUTCString(),
      });
      if (request.fresh || request.method === 'HEAD') {
        await reply.body?.cancel();
        if (request.fresh) response.status(304).removeHeader('Content-Type');
        else if (length) response.set('Content-Length', length);
        response.end();
        return true;
      }
      if (length) response.set('Content-Length', length);
      // If the bucket's reply breaks off, the client's reply is truncated too.
      await pipeline(Readable.fromWeb(reply.body as never), response).catch(() => {});
      return true;
    },

    check: () => bucket.check(),
  };
};
