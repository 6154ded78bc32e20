import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endpoints, imageWidth, imageWidths } from '@lendtools/contracts';
import type { Request, Response } from 'express';
import type { Sharp, default as sharpLibrary } from 'sharp';
import type { Pool } from './database.ts';
import { imageRejected, notFound } from './errors.ts';
import { openPictures, type PictureSettings, type SavedBetween } from './picture-files.ts';
import { Turns } from './turns.ts';

const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);
/** Uploads may use no other decoders of libvips, the image library. */
const decoders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(
  (format) => `VipsForeignLoad${format}Buffer`,
);
/** Without this limit sharp accepts a 256-megapixel decompression bomb. */
const limitInputPixels = 25e6;
/** WebP allows at most 16,383 pixels a side, so the ratio of the sides must be limited. */
const maxAspectRatio = 10;

const isAway = 'the store of pictures is away';
/** This must be short, because a readiness probe times out after 5 s in all. */
const probeWaitsMs = 2_000;

export interface StoredPicture {
  /** The path as it appears in replies. */
  path: string;
  bytes: number;
  /** When the picture was last uploaded, or moved to the bucket. */
  savedAtMs: number;
}

export interface ImageStore {
  /**
   * Re-encodes and stores a picture; returns the path under which it is served.
   * @param whose a user or network, so that one with many pictures does not delay the others
   * @throws AppError IMAGE_REJECTED, or 503 when the queue is full
   */
  save(field: string, bytes: Buffer, whose?: string): Promise<string>;
  /** @throws AppError 404 if there is no such picture */
  serve(name: string, response: Response, request: Request): Promise<void>;
  /** The largest width of a picture; undefined if there is no such picture. */
  read(path: string): Promise<Buffer | undefined>;
  list(): Promise<StoredPicture[]>;
  /** Deletes a picture if its last upload is within the given period. Returns whether it deleted any file. */
  remove(path: string, saved: SavedBetween, signal?: AbortSignal): Promise<boolean>;
  lacks(): Promise<string | undefined>;
}

/**
 * Decoding 25 megapixels takes 110 MB (progressive JPEG) and a second of one core. AVIF takes 16 MB per megapixel, so
 * it has stricter limits. Measured with sharp 0.35 on 2026-11-24.
 */
const turns = new Turns({ atOnce: 2, mostWaiting: 40 });
const avifTurns = new Turns({ atOnce: 1, mostWaiting: 40 });
const maxAvifPixels = 12e6;
const pending = new Map<string, number>();

/** Ranks the second picture of a user behind the first of every other user, so that one user cannot fill the queue. */
const inTurn = async <T>(work: () => Promise<T>, whose: string, isAvif: boolean): Promise<T> => {
  const rank = pending.get(whose) ?? 0;
  pending.set(whose, rank + 1);
  const decode = () => turns.run(work, { rank });
  try {
    return await (isAvif ? avifTurns.run(decode, { rank }) : decode());
  } finally {
    const left = (pending.get(whose) ?? 1) - 1;
    if (left > 0) pending.set(whose, left);
    else pending.delete(whose);
  }
};

const loadSharp = async (): Promise<typeof sharpLibrary> => {
  // Loaded on demand, because sharp takes 25 MB of memory and only two services store pictures.
  const { default: sharp } = await import('sharp');
  // No picture is decoded twice, so libvips's cache would only waste memory.
  sharp.cache(false);
  // Reading a header already runs a decoder, so blocking other decoders protects against bugs in SVG or TIFF.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: decoders });
  return sharp;
};

let loading: Promise<typeof sharpLibrary> | undefined;

const encode = async (field: string, bytes: Buffer, whose: string): Promise<Buffer[]> => {
  loading ??= loadSharp();
  const sharp = await loading;
  const image = sharp(bytes, { limitInputPixels, failOn: 'error' });
  const { format, width, height } = await image.metadata().catch((error: Error) => {
    if (!/pixel limit/i.test(error.message)) throw noPicture(field);
    throw imageRejected(field, 'Please choose a picture of at most 25 megapixels.');
  });
  if (!formats.has(format)) throw noPicture(field);
  const isAvif = format === 'heif';
  if (isAvif && width * height > maxAvifPixels)
    throw imageRejected(field, 'Please choose an AVIF picture of at most 12 megapixels.');
  if (Math.max(width, height) > maxAspectRatio * Math.min(width, height)) {
    const message = 'Please choose a picture whose long side is at most ten times its short one.';
    throw imageRejected(field, message);
  }
  return inTurn(() => resize(sharp, field, image), whose, isAvif);
};

const noPicture = (field: string) =>
  imageRejected(field, 'Please choose a picture: a JPEG, PNG, WebP, GIF or AVIF file.');

/**
 * Makes the smaller sizes from the largest, which is faster than decoding the upload three times. Sharp drops metadata, such as a
 * photo's location.
 */
const resize = async (
  sharp: typeof sharpLibrary,
  field: string,
  image: Sharp,
): Promise<Buffer[]> => {
  const largest = await image
    .autoOrient()
    .resize({ width: imageWidths[2], withoutEnlargement: true })
    .webp({ quality: 80, effort: 3 })
    .toBuffer()
    .catch(() => {
      throw imageRejected(field, 'This picture is damaged. Please choose another.');
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

/**
 * Names pictures by the hash of their content, so that they can be cached forever. The database of `pool` needs a table
 * `unused_pictures (path, since)`.
 */
export const createImageStore = async (
  settings: PictureSettings,
  { prefix, pool }: { prefix: string; pool: Pool },
): Promise<ImageStore> => {
  if (settings.IMAGES_DIR) await mkdir(settings.IMAGES_DIR, { recursive: true });
  const places = await openPictures(settings, prefix);
  const newest = places.at(-1) as (typeof places)[0];
  const fileName = new RegExp(`^(${prefix}-[0-9a-f]{32})-\\d+\\.webp$`);

  return {
    async save(field, bytes, whose = '') {
      const sizes = await encode(field, bytes, whose);
      const hash = createHash('sha256')
        .update(sizes[2] as Buffer)
        .digest('hex')
        .slice(0, 32);
      const imagePath = `${endpoints.images}${prefix}-${hash}-640.webp`;
      // If a purge is deleting the same picture, this waits for its commit. The files are then written again.
      await pool.query('DELETE FROM unused_pictures WHERE path = $1', [imagePath]);
      await Promise.all(
        sizes.map((size, i) => newest.write(`${prefix}-${hash}-${imageWidths[i]}.webp`, size)),
      );
      return imagePath;
    },

    async serve(name, response, request) {
      for (const place of places)
        if (await place.send(`${prefix}-${name}`, request, response)) return;
      throw notFound('IMAGE_NOT_FOUND', 'This picture does not exist.');
    },

    async read(imagePath) {
      const name = imageWidth(path.basename(imagePath), imageWidths[2]);
      for (const place of places) {
        const found = await place.read(name);
        if (found) return found.content;
      }
      return undefined;
    },

    async list() {
      const pictures = new Map<string, StoredPicture>();
      for (const place of places) {
        for await (const file of place.list()) {
          const [, base] = fileName.exec(file.name) ?? [];
          if (!base) continue;
          const imagePath = `${endpoints.images}${base}-640.webp`;
          const known = pictures.get(imagePath) ?? { path: imagePath, bytes: 0, savedAtMs: 0 };
          known.bytes += file.bytes;
          known.savedAtMs = Math.max(known.savedAtMs, file.savedAtMs);
          pictures.set(imagePath, known);
        }
      }
      return [...pictures.values()];
    },

    async remove(imagePath, saved, signal) {
      const names = imageWidths.map((width) => imageWidth(path.basename(imagePath), width));
      let isRemoved = false;
      for (const place of places) {
        // Wait for all deletions even if one fails: none may still run after this function returns.
        const ends = await Promise.allSettled(
          names.map((name) => place.remove(name, saved, signal)),
        );
        for (const end of ends) {
          if (end.status === 'rejected') throw end.reason;
          isRemoved ||= end.value;
        }
      }
      return isRemoved;
    },

    lacks: () =>
      Promise.race([
        newest.check().then(
          () => undefined,
          () => isAway,
        ),
        delay(probeWaitsMs, isAway, { ref: false }),
      ]),
  };
};
