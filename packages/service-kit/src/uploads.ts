import { finished } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import multer from 'multer';
import { AppError, imageRefused, unavailable } from './errors.ts';
import { sendProblem } from './problem.ts';
import { type Upload, UploadBudget } from './upload-budget.ts';

const megabyte = 1024 * 1024;
const maxImageBytes = 10 * megabyte;
/** The most bytes of a form's text fields together, with the boundaries and headers of its parts. */
const maxTextBytes = megabyte;

/**
 * Limits memory: pictures are read into memory before a route's quotas are checked. The announced size is reserved
 * before reading: 112 MB in all (Docker's limit is 512 MB), and half of that per person or network, which fits the
 * largest form.
 */
const pictures = new UploadBudget({ all: 112 * megabyte, ofOne: 56 * megabyte });
/** Forms without pictures have a budget of their own, so that they never wait for uploads. */
const smallBytes = 100 * 1024;
const smallForms = new UploadBudget({ all: 16 * megabyte, ofOne: 8 * megabyte });

/** Reads a multipart body: one file at most for each named field, text fields as strings. JSON passes untouched. */
export const readMultipart = (images: readonly string[]): RequestHandler[] => [
  charge(images.length * maxImageBytes + maxTextBytes),
  unlessAnswered(
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
  ),
];

/** A chunked body announces no size, so reserve the maximum. */
const charge =
  (mostBytes: number): RequestHandler =>
  (request, response, next) => {
    if (!request.is('multipart/*')) return next();
    const bytes = Number(request.get('content-length') ?? mostBytes);
    if (bytes > mostBytes) {
      const message = 'Please choose pictures of at most 10 MB each.';
      throw new AppError('UPLOAD_TOO_LARGE', message);
    }
    const upload: Upload = {
      bytes,
      person: response.locals.user?.userId,
      address: request.ip ?? '',
      startedAtMs: performance.now(),
      bytesBefore: request.socket.bytesRead,
      request,
      end: () => endSlow(request, response),
    };
    const budget = bytes <= smallBytes ? smallForms : pictures;
    if (!budget.take(upload))
      throw unavailable('Many pictures are being uploaded right now. Please try again soon.');
    finished(response, () => budget.release(upload));
    next();
  };

const endSlow = (request: Request, response: Response): void => {
  // Close the connection; otherwise the rest of the body would keep it busy.
  response.set('Connection', 'close').once('finish', () => request.socket.destroySoon());
  const message = 'Your pictures took too long to arrive. Please try again.';
  const requestId = String(response.getHeader('X-Request-Id') ?? '');
  sendProblem(response, new AppError('REQUEST_TOO_SLOW', message), requestId);
};

/** Ignores errors of the rest of a body after the reply was sent. */
const unlessAnswered =
  (read: RequestHandler): RequestHandler =>
  (request, response, next) =>
    read(request, response, (error?: unknown) => {
      if (!response.headersSent) next(error);
    });

/**
 * Returns the bytes of each image field that has a file.
 * @throws AppError IMAGE_REFUSED if a file is empty
 */
export const uploadedImages = (files: unknown): Record<string, Buffer> => {
  const found: Record<string, Buffer> = {};
  for (const [field, [file]] of Object.entries(
    (files ?? {}) as Record<string, Express.Multer.File[]>,
  )) {
    if (file?.size === 0) {
      throw imageRefused(field, 'This file is empty. Please choose another picture.');
    }
    if (file) found[field] = file.buffer;
  }
  return found;
};
