import { type CodeOf, type ErrorCode, errorCodes, type StatusOf } from '@lendtools/contracts';
import { isDatabaseOutage } from './database-errors.ts';

/** A request with a hundred thousand mistakes does not get them all back. */
const maxErrors = 50;

/**
 * An error that the client may read; its status is the one that the contracts' table has for its code. Anything else that
 * is thrown becomes a constant 500.
 */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly status: StatusOf<C>;
  readonly errors: { msg: string; path: string }[];
  /** Further members of the problem document, such as the right price. */
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    code: C,
    message: string,
    options: {
      path?: string;
      errors?: { msg: string; path: string }[];
      details?: Record<string, unknown>;
      headers?: Record<string, string>;
    } = {},
  ) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.status = errorCodes[code];
    this.errors = options.errors?.slice(0, maxErrors) ?? [
      { msg: message, path: options.path ?? '' },
    ];
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}

/** The errors that every service shares; a service lists its own in its `errors.ts`. */
export const unauthenticated = () =>
  new AppError('UNAUTHORIZED', 'Please log in to continue.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
export const forbidden = () => new AppError('FORBIDDEN', 'You are not allowed to do this.');
/** @param what was edited, such as "tool" */
export const editedElsewhere = (what: string) =>
  new AppError(
    'EDITED_ELSEWHERE',
    `This ${what} was changed elsewhere since you opened it. Load it again, and then save your changes.`,
  );
/** @param what they want to do, such as "list a tool"; where REQUIRE_VERIFIED_EMAIL asks for it. */
export const emailNotVerified = (what: string) =>
  new AppError(
    'EMAIL_NOT_VERIFIED',
    `Please verify your email before you ${what}: follow the link in our welcome email, or ask for a new one in Settings.`,
  );
export const notFound = (
  code: CodeOf<404> = 'NOT_FOUND',
  message = 'This address does not exist.',
) => new AppError(code, message);
/** @param field the picture's own in its form */
export const imageRefused = (field: string, message: string) =>
  new AppError('IMAGE_REFUSED', message, { path: field });
/** A list's cursor is not one of ours, or is for another order. */
export const cursorInvalid = () =>
  new AppError('CURSOR_INVALID', 'This page no longer exists. Please start again.', {
    path: 'cursor',
  });
/** With `reason`, a sentence that says what there was too much of, the message also says when to try again. */
export const tooManyRequests = (retryAfterSeconds: number, reason?: string) =>
  new AppError(
    'TOO_MANY_REQUESTS',
    reason
      ? `${reason} Please try again in ${inWords(retryAfterSeconds)}.`
      : 'Too many attempts. Please wait a little and try again.',
    { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) } },
  );

/** Rounded up, so that nobody who waits that long is refused again. */
const inWords = (seconds: number): string => {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const [count, unit] = minutes < 60 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};
export const unavailable = (message = 'This is not available right now. Please try again soon.') =>
  new AppError('UNAVAILABLE', message, { headers: { 'Retry-After': '5' } });

/**
 * True for errors that are not the fault of a request or event: the database, or a called service, is unavailable to
 * everybody.
 */
export const isOutage = (error: unknown): boolean =>
  isDatabaseOutage(error) || (error instanceof AppError && error.status === 503);
