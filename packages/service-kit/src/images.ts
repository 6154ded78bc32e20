import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endpoints, imageWidth, imageWidths } from '@lendtools/contracts';
import type { Request, Response } from 'express';
import type { Sharp, default as sharpLibrary } from 'sharp';
import type { Pool } from './database.ts';
import { imageRefused, notFound } from './errors.ts';
import { openPictures, type PictureSettings, type SavedBetween } from './picture-files.ts';
import { Turns } from './turns.ts';

const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);
/** The names in libvips of the only decoders that uploads may use. */
const decoders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(
  (format) => `VipsForeignLoad${format}Buffer`,
);
/** Without this limit sharp accepts a 256-megapixel decompression bomb. */
const limitInputPixels = 25e6;
/** Longest allowed ratio of the sides. WebP allows at most 16,383 pixels a side. */
const maxAspectRatio = 10;

const isAway = 'the store of pictures is away';
/** A readiness probe times out after 5 s in all. */
const probeWaitsMs = 2_000;

export interface StoredPicture {
  /** The picture's path as replies show it. */
  path: string;
  bytes: number;
  /** When the picture was last uploaded; in a bucket, when it was uploaded or moved there. */
  savedAtMs: number;
}

export interface ImageStore {
  /**
   * Re-encodes and stores a picture; returns the path under which it is served.
   * @param whose a user or network; their further pictures queue behind other people's first ones
   * @throws AppError IMAGE_REFUSED, or 503 when the queue is full
   */
  save(field: string, bytes: Buffer, whose?: string): Promise<string>;
  /** Sends a stored picture, or throws 404. */
  serve(name: string, response: Response, request: Request): Promise<void>;
  list(): Promise<StoredPicture[]>;
  /** Deletes a picture if its last upload is within these times. True if any of its files was deleted. */
  remove(path: string, saved: SavedBetween, signal?: AbortSignal): Promise<boolean>;
  /** What is degraded, in words for the operator. */
  lacks(): Promise<string | undefined>;
}

/**
 * Limits on memory and CPU. Decoding 25 megapixels takes 110 MB (progressive JPEG) and one second of a core. AVIF
 * takes 16 MB per megapixel, so it is limited to 12 megapixels and one at a time (measured with sharp 0.35 on
 * 2026-11-24).
 */
const turns = new Turns({ atOnce: 2, mostWaiting: 40 });
const avifTurns = new Turns({ atOnce: 1, mostWaiting: 40 });
const maxAvifPixels = 12e6;
const pending = new Map<string, number>();

/** Queues the work. A user's second picture ranks behind everyone's first, so that one user cannot fill the queue. */
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
  // Loaded on demand: only two services store pictures, and sharp takes 25 MB of memory.
  const { default: sharp } = await import('sharp');
  // Each picture is decoded once, so libvips's cache would only waste memory.
  sharp.cache(false);
  // Reading a header already runs the file's decoder. Blocking the other decoders keeps bugs in SVG or TIFF out of
  // reach.
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
    throw imageRefused(field, 'Please choose a picture of at most 25 megapixels.');
  });
  if (!formats.has(format)) throw noPicture(field);
  const isAvif = format === 'heif';
  if (isAvif && width * height > maxAvifPixels)
    throw imageRefused(field, 'Please choose an AVIF picture of at most 12 megapixels.');
  if (Math.max(width, height) > maxAspectRatio * Math.min(width, height)) {
    const message = 'Please choose a picture whose long side is at most ten times its short one.';
    throw imageRefused(field, message);
  }
  return inTurn(() => resize(sharp, field, image), whose, isAvif);
};

const noPicture = (field: string) =>
  imageRefused(field, 'Please choose a picture: a JPEG, PNG, WebP, GIF or AVIF file.');

/**
 * Makes all widths. Decoding once and resizing the largest result costs a third of three full decodes. Sharp drops
 * the metadata by default, and so the location where a photo was taken.
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

/**
 * Stores pictures under the hash of their content, so that they can be cached forever.
 * @param service.pool with a table `unused_pictures (path, since)`
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
      // If a purge is deleting the same picture, this waits for its commit; the files are then written again.
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
        // Wait for all deletions before reporting a failure: the caller must not return while one is still running.
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
