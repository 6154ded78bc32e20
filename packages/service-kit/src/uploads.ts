import { finished } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import multer from 'multer';
import { AppError, imageRefused, unavailable } from './errors.ts';
import { networkOf } from './network-of.ts';
import { sendProblem } from './problem.ts';

const maxImageBytes = 10 * 1024 * 1024;

/** Pictures are read into memory, before any limit of a route is asked: those of so many requests and no more. */
const maxAtOnce = 10;
const maxAtOnceByNetwork = 5;
/** A form without a picture is no larger, and never waits for those with one. */
const smallBytes = 100 * 1024;
/** Before that, an upload's speed cannot be judged. */
const graceMs = 2_000;

interface Upload {
  request: Request;
  response: Response;
  network: string;
  startedAtMs: number;
  bytesBefore: number;
}
const underWay = new Set<Upload>();

/** Reads a multipart body: one file at most for each named field, text fields as strings. JSON passes untouched. */
export const readMultipart = (images: readonly string[]): RequestHandler[] => [
  takePlace,
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

const takePlace: RequestHandler = (request, response, next) => {
  const isSmall = Number(request.get('content-length') ?? Number.POSITIVE_INFINITY) <= smallBytes;
  if (isSmall || !request.is('multipart/*')) return next();
  const network = networkOf(request.ip ?? '');
  makeRoomFor(network);
  const upload: Upload = {
    ...{ request, response, network },
    startedAtMs: performance.now(),
    bytesBefore: request.socket.bytesRead,
  };
  underWay.add(upload);
  finished(response, () => underWay.delete(upload));
  next();
};

/**
 * Where all places are taken the slowest upload makes room: of the newcomer's network where that has its share, else of
 * the network that has the most. However many networks somebody sends from, byte by byte, they lose their places to
 * whoever sends as anybody does.
 * @throws AppError 503 when those who could make room have only begun, or all is here and worked on
 */
const makeRoomFor = (network: string): void => {
  const byNetwork = Map.groupBy(underWay, (upload) => upload.network);
  const own = byNetwork.get(network) ?? [];
  const most = Math.max(...[...byNetwork.values()].map(({ length }) => length));
  if (own.length >= maxAtOnceByNetwork) endSlowest(own);
  else if (underWay.size >= maxAtOnce)
    endSlowest([...underWay].filter((upload) => byNetwork.get(upload.network)?.length === most));
};

const endSlowest = (uploads: Upload[]): void => {
  const now = performance.now();
  const bytesPerMs = ({ request, bytesBefore, startedAtMs }: Upload) =>
    (request.socket.bytesRead - bytesBefore) / (now - startedAtMs);
  const [slowest] = uploads
    .filter(({ request, startedAtMs }) => !request.complete && now - startedAtMs > graceMs)
    .sort((a, b) => bytesPerMs(a) - bytesPerMs(b));
  if (!slowest) {
    throw unavailable('Many pictures are being uploaded right now. Please try again soon.');
  }
  underWay.delete(slowest);
  const { request, response } = slowest;
  // What is still to come of it would keep its connection.
  response.set('Connection', 'close').once('finish', () => request.socket.destroySoon());
  const message = 'Your pictures took too long to arrive. Please try again.';
  const requestId = String(response.getHeader('X-Request-Id') ?? '');
  sendProblem(response, new AppError('REQUEST_TOO_SLOW', message), requestId);
};

/** Once a form has its reply, it does not matter that the rest of it never came. */
const unlessAnswered =
  (read: RequestHandler): RequestHandler =>
  (request, response, next) =>
    read(request, response, (error?: unknown) => {
      if (!response.headersSent) next(error);
    });

/**
 * The bytes of each image field that came with a file; a field of a form in which none was chosen is not among them.
 * @throws AppError IMAGE_REFUSED for a file with nothing in it
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
