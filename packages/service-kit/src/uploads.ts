import { finished } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import multer from 'multer';
import { AppError, imageRejected, unavailable } from './errors.ts';
import { sendProblem } from './problem.ts';
import { type Upload, UploadBudget } from './upload-budget.ts';

const megabyte = 1024 * 1024;
const maxImageBytes = 10 * megabyte;
/** Maximum of a form's text fields, including the boundaries and headers of its parts. */
const maxTextBytes = megabyte;

/**
 * Limits memory, because pictures are read into memory before a route's quotas are checked. A user or network may use
 * half, which fits the largest form. Docker limits the process to 512 MB.
 */
const pictures = new UploadBudget({ all: 112 * megabyte, ofOne: 56 * megabyte });
/** Forms up to this size have their own budget, so that forms without pictures never wait for uploads. */
const smallBytes = 100 * 1024;
const smallForms = new UploadBudget({ all: 16 * megabyte, ofOne: 8 * megabyte });

/** Reads a multipart body with at most one file per named field. Does not touch a JSON body. */
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

/** Reserves the announced size of an upload, or the maximum for a chunked body, which announces none. */
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
  // Close the connection: otherwise the rest of the body would keep it busy.
  response.set('Connection', 'close').once('finish', () => request.socket.destroySoon());
  const message = 'Your pictures took too long to arrive. Please try again.';
  const requestId = String(response.getHeader('X-Request-Id') ?? '');
  sendProblem(response, new AppError('REQUEST_TOO_SLOW', message), requestId);
};

/** Ignores errors of a request that already has its reply. */
const unlessAnswered =
  (read: RequestHandler): RequestHandler =>
  (request, response, next) =>
    read(request, response, (error?: unknown) => {
      if (!response.headersSent) next(error);
    });

/** @throws AppError IMAGE_REJECTED if a file is empty */
export const uploadedImages = (files: unknown): Record<string, Buffer> => {
  const found: Record<string, Buffer> = {};
  for (const [field, [file]] of Object.entries(
    (files ?? {}) as Record<string, Express.Multer.File[]>,
  )) {
    if (file?.size === 0) {
      throw imageRejected(field, 'This file is empty. Please choose another picture.');
    }
    if (file) found[field] = file.buffer;
  }
  return found;
};
