import { STATUS_CODES } from 'node:http';
import type { Problem } from '@lendtools/contracts';
import type { ErrorRequestHandler, Request, Response } from 'express';
import multer from 'multer';
import { ZodError } from 'zod';
import { isCutShort, isDatabaseOutage } from './database-errors.ts';
import { AppError, notFound, unavailable } from './errors.ts';
import type { Logger } from './logging.ts';
import { S3Error } from './s3-bucket.ts';

export const sendProblem = (response: Response, error: AppError, requestId: string): void => {
  const problem: Problem = {
    type: 'about:blank',
    title: STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    code: error.code,
    detail: error.message,
    requestId,
    message: error.message,
    errors: error.errors,
    ...error.details,
  };
  response
    .status(error.status)
    .set(error.headers)
    .type('application/problem+json')
    .send(JSON.stringify(problem));
};

const pathOf = ({ path }: ZodError['issues'][number]): string =>
  path.map(String).reduce((before, part) => {
    if (/^\d+$/.test(part)) return `${before}[${part}]`;
    return before ? `${before}.${part}` : part;
  }, '');

export const invalidRequest = (error: ZodError): AppError => {
  const byPath = new Map<string, { msg: string; path: string }>();
  for (const issue of error.issues) {
    const path = pathOf(issue);
    // Report only the first message of a field: it names the cause, from which later messages follow.
    if (!byPath.has(path)) byPath.set(path, { msg: issue.message, path });
  }
  const errors = [...byPath.values()];
  const [first] = errors;
  return new AppError('VALIDATION_FAILED', first?.msg ?? 'Please check what you entered.', {
    errors,
  });
};

const uploadMessages: Partial<Record<multer.ErrorCode, string>> = {
  LIMIT_FILE_SIZE: 'Please choose a picture of at most 10 MB.',
  LIMIT_FILE_COUNT: 'Too many pictures.',
  LIMIT_UNEXPECTED_FILE: 'There is a picture in a field that takes none.',
};

const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  if (error instanceof ZodError) return invalidRequest(error);
  if (error instanceof multer.MulterError) {
    const message = uploadMessages[error.code] ?? 'The form could not be read.';
    const path = { path: error.field ?? '' };
    return error.code === 'LIMIT_FILE_SIZE'
      ? new AppError('UPLOAD_TOO_LARGE', message, path)
      : new AppError('UPLOAD_REJECTED', message, path);
  }
  if (isDatabaseOutage(error) || isCutShort(error) || error instanceof S3Error)
    return unavailable();
  const { status, type } = error as { status?: number; type?: string };
  // The file server rejects a path outside its folder with 403. The client gets 404 instead.
  if (status === 404 || status === 403) return notFound();
  if (status === 413) return new AppError('BODY_TOO_LARGE', 'This request is too large.');
  if (
    status === 400 ||
    status === 415 ||
    (error instanceof Error &&
      /Multipart|Unexpected end of form|Malformed|^Request (aborted|closed)/.test(error.message))
  ) {
    const message =
      type === 'entity.parse.failed'
        ? 'The request is not valid JSON.'
        : 'The request could not be read.';
    return new AppError('REQUEST_UNREADABLE', message);
  }
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Please try again.');
};

export const handleNotFound = (_request: Request, _response: Response): never => {
  throw notFound();
};

/** Input, authentication, authorization and limits. Others, such as taken dates, are part of normal use. */
const loggedRejections = new Set([400, 401, 403, 413, 422, 429]);

/** Express's last middleware. Turns every error into a reply, and logs unexpected ones with their stack. */
export const handleErrors =
  (logger: Logger): ErrorRequestHandler =>
  (error, request, response, next) => {
    const problem = toAppError(error);
    // Don't log the requested path: it may contain email addresses.
    const path = request.route?.path ?? 'none';
    // Deliberate rejections, such as of slow uploads, are not our errors and need no stack.
    if (problem.status >= 500 && error instanceof AppError)
      logger.warn({ code: problem.code, path, err: error.cause }, 'a request was turned away');
    else if (problem.status >= 500) logger.error({ err: error, path }, 'a request failed');
    if (loggedRejections.has(problem.status)) {
      const userId = response.locals.user?.userId;
      logger.info({ code: problem.code, method: request.method, path, userId }, 'refused');
    }
    if (response.headersSent) return next(error);
    sendProblem(response, problem, String(response.getHeader('X-Request-Id') ?? ''));
  };
