import { finished } from 'node:stream';
import type { Request, RequestHandler } from 'express';
import multer from 'multer';
import { unavailable } from './errors.ts';
import { networkOf } from './network-of.ts';

export const maxImageBytes = 10 * 1024 * 1024;

/** Pictures are read into memory, before any limit of a route is asked: those of so many requests and no more. */
const maxAtOnce = 10;
const maxAtOnceByNetwork = 5;
/** A form without a picture is no larger, and never waits for those with one. */
const smallBytes = 100 * 1024;
const underWay = new Map<Request, string>();

/** Reads a multipart body: one file at most for each named field, text fields as strings. JSON passes untouched. */
export const readMultipart = (images: readonly string[]): RequestHandler[] => [
  takePlace,
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
  }).fields(images.map((name) => ({ name, maxCount: 1 }))),
];

const takePlace: RequestHandler = (request, response, next) => {
  const isSmall = Number(request.get('content-length') ?? Number.POSITIVE_INFINITY) <= smallBytes;
  if (isSmall || !request.is('multipart/*')) return next();
  const network = networkOf(request.ip ?? '');
  const ofNetwork = [...underWay.values()].filter((other) => other === network);
  if (underWay.size >= maxAtOnce || ofNetwork.length >= maxAtOnceByNetwork) {
    throw unavailable('Many pictures are on their way right now. Please try again soon.');
  }
  underWay.set(request, network);
  finished(response, () => underWay.delete(request));
  next();
};

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
