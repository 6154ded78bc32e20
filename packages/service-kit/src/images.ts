import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endpoints, imageWidth, imageWidths } from '@lendtools/contracts';
import type { Request, Response } from 'express';
import { imageRefused, notFound } from './errors.ts';

const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);
/** Without a cap sharp accepts a 256-megapixel bomb. */
const limitInputPixels = 25e6;
/** No picture of a thing is longer and narrower, and WebP holds no side of more than 16,383 pixels. */
const mostOblong = 10;

/** A picture in all its widths. */
export interface StoredPicture {
  /** As replies name it. */
  path: string;
  bytes: number;
  /** When the same picture was last uploaded. */
  savedAtMs: number;
}

export interface ImageStore {
  /** Re-encodes and keeps a picture; returns the path under which it is served. */
  save(field: string, bytes: Buffer): Promise<string>;
  /** Answers with a stored picture, or 404. */
  serve(name: string, response: Response, request: Request): Promise<void>;
  list(): Promise<StoredPicture[]>;
  /** Deletes a picture, unless somebody has uploaded the same since `savedBefore`. */
  remove(path: string, savedBefore: number): Promise<void>;
}

const encode = async (field: string, bytes: Buffer): Promise<Buffer[]> => {
  // Only two of the services keep pictures; sharp costs the others 25 MB.
  const { default: sharp } = await import('sharp');
  const image = sharp(bytes, { limitInputPixels, failOn: 'error' });
  const noPicture = () =>
    imageRefused(field, 'Please choose a picture: a JPEG, PNG, WebP, GIF or AVIF file.');
  const { format, width, height } = await image.metadata().catch((error: Error) => {
    if (!/pixel limit/i.test(error.message)) throw noPicture();
    throw imageRefused(field, 'Please choose a picture of at most 25 megapixels.');
  });
  if (!formats.has(format)) throw noPicture();
  if (Math.max(width, height) > mostOblong * Math.min(width, height)) {
    const message = 'Please choose a picture whose long side is at most ten times its short one.';
    throw imageRefused(field, message);
  }
  // Decoding once and resizing the largest result costs a third of three full decodes. Metadata, and so the
  // place where a photograph was taken, is dropped because sharp keeps none unless told to.
  const largest = await image
    .autoOrient()
    .resize({ width: imageWidths[2], withoutEnlargement: true })
    .webp({ quality: 80, effort: 3 })
    .toBuffer()
    .catch(() => {
      throw imageRefused(field, 'This picture is damaged. Please choose another.');
    });
  const smaller = imageWidths
    .slice(0, 2)
    .map((size) =>
      sharp(largest)
        .resize({ width: size, withoutEnlargement: true })
        .webp({ quality: 78, effort: 3 })
        .toBuffer(),
    );
  return [...(await Promise.all(smaller)), largest];
};

/** Pictures as files in a folder, named by their content, so that they may be cached for ever. */
export const createImageStore = async (folder: string, prefix: string): Promise<ImageStore> => {
  await mkdir(folder, { recursive: true });
  const write = async (name: string, bytes: Buffer): Promise<void> => {
    const temporary = path.join(folder, `.${randomUUID()}`);
    await writeFile(temporary, bytes);
    await rename(temporary, path.join(folder, name));
  };

  return {
    ...createCleaner(folder, prefix),

    async save(field, bytes) {
      const sizes = await encode(field, bytes);
      const hash = createHash('sha256')
        .update(sizes[2] as Buffer)
        .digest('hex')
        .slice(0, 32);
      await Promise.all(
        sizes.map((size, i) => write(`${prefix}-${hash}-${imageWidths[i]}.webp`, size)),
      );
      return `${endpoints.images}${prefix}-${hash}-640.webp`;
    },

    async serve(name, response, request) {
      const file = `${prefix}-${name}`;
      if (!(await stat(path.join(folder, file)).catch(() => undefined)))
        throw notFound('IMAGE_NOT_FOUND', 'This picture does not exist.');
      await new Promise<void>((resolve, reject) => {
        response.type('image/webp');
        // A whole path would be refused where a folder above begins with a dot, as `.local` does.
        const options = {
          root: path.resolve(folder),
          maxAge: '365d',
          immutable: true,
          // Nobody asks for half a picture, and a range beyond its end would be an error.
          acceptRanges: false,
        };
        response.sendFile(file, options, (error) => {
          if (error && !request.destroyed && !response.headersSent) reject(error);
          else resolve();
        });
      });
    },
  };
};

const temporaryAgeMs = 86_400_000;
const aside = '.aside-';

const createCleaner = (folder: string, prefix: string): Pick<ImageStore, 'list' | 'remove'> => {
  const at = (name: string): string => path.join(folder, name);
  const fileName = new RegExp(`^(${prefix}-[0-9a-f]{32})-\\d+\\.webp$`);

  /** What a process left behind that ended while writing or removing a file. */
  const tidy = async (name: string): Promise<void> => {
    if (name.startsWith(aside)) await rename(at(name), at(name.slice(aside.length)));
    else if ((await stat(at(name))).mtimeMs < Date.now() - temporaryAgeMs) await rm(at(name));
  };

  /**
   * Looks at the file only once it is aside: whoever saves the same picture at this very moment puts a new file in its
   * place, or has put it there and gets it back.
   */
  const removeFile = async (name: string, savedBefore: number): Promise<void> => {
    await rename(at(name), at(aside + name));
    if ((await stat(at(aside + name))).mtimeMs < savedBefore) await rm(at(aside + name));
    else await rename(at(aside + name), at(name));
  };

  return {
    async list() {
      const pictures = new Map<string, StoredPicture>();
      for (const name of await readdir(folder)) {
        if (name.startsWith('.')) await tidy(name).catch(ignoreMissing);
        const [, base] = fileName.exec(name) ?? [];
        const file = base && (await stat(at(name)).catch(ignoreMissing));
        if (!file) continue;
        const imagePath = `${endpoints.images}${base}-640.webp`;
        const known = pictures.get(imagePath) ?? { path: imagePath, bytes: 0, savedAtMs: 0 };
        known.bytes += file.size;
        known.savedAtMs = Math.max(known.savedAtMs, file.mtimeMs);
        pictures.set(imagePath, known);
      }
      return [...pictures.values()];
    },

    async remove(imagePath, savedBefore) {
      for (const width of imageWidths) {
        const name = imageWidth(path.basename(imagePath), width);
        await removeFile(name, savedBefore).catch(ignoreMissing);
      }
    },
  };
};

/** Another replica was faster. */
const ignoreMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};
