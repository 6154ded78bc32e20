import type { RequestHandler } from 'express';
import multer from 'multer';

export const maxImageBytes = 10 * 1024 * 1024;

/** Reads a multipart body: one file at most for each named field, text fields as strings. JSON passes untouched. */
export const readMultipart = (images: readonly string[]): RequestHandler =>
  multer({
    storage: multer.memoryStorage(),
    limits: {
      fileSize: maxImageBytes,
      files: images.length,
      fields: 40,
      fieldSize: 64 * 1024,
      fieldNameSize: 100,
      parts: 50,
    },
  }).fields(images.map((name) => ({ name, maxCount: 1 })));

/** The bytes of each image field that came with a non-empty file. */
export const uploadedImages = (files: unknown): Record<string, Buffer> => {
  const found: Record<string, Buffer> = {};
  for (const [field, [file]] of Object.entries(
    (files ?? {}) as Record<string, Express.Multer.File[]>,
  )) {
    if (file && file.size > 0) found[field] = file.buffer;
  }
  return found;
};
