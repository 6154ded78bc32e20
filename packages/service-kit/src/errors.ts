import { type CodeOf, type ErrorCode, errorCodes, type StatusOf } from '@lendtools/contracts';
import { isDatabaseOutage } from './database-errors.ts';

const maxErrors = 50;

/** An error that the client may see. Any other error becomes a generic 500. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly status: StatusOf<C>;
  readonly errors: { msg: string; path: string }[];
  /** Extra fields of the error reply, such as the correct price. */
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

export const unauthenticated = () =>
  new AppError('UNAUTHORIZED', 'Please log in to continue.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
export const forbidden = () => new AppError('FORBIDDEN', 'You are not allowed to do this.');
export const reauthenticationRequired = () =>
  new AppError('REAUTHENTICATION_REQUIRED', 'Please confirm that it’s you to continue.');
export const secondFactorNeeded = () =>
  new AppError(
    'SECOND_FACTOR_NOT_SET_UP',
    'Admins need two-step login: please set it up in Settings, under Login and security.',
  );
/** @param what the edited object, such as "tool" */
export const editedElsewhere = (what: string) =>
  new AppError(
    'EDITED_ELSEWHERE',
    `This ${what} was changed elsewhere since you opened it. Load it again, and then save your changes.`,
  );
/** @param what the forbidden action, such as "list a tool" */
export const emailNotVerified = (what: string) =>
  new AppError(
    'EMAIL_NOT_VERIFIED',
    `Please verify your email before you ${what}: follow the link in our welcome email, or ask for a new one in Settings.`,
  );
export const notFound = (
  code: CodeOf<404> = 'NOT_FOUND',
  message = 'This address does not exist.',
) => new AppError(code, message);
export const imageRejected = (field: string, message: string) =>
  new AppError('IMAGE_REJECTED', message, { path: field });
/** Thrown if the cursor is malformed or belongs to another sort order. */
export const cursorInvalid = () =>
  new AppError('CURSOR_INVALID', 'This page no longer exists. Please start again.', {
    path: 'cursor',
  });
/** @param reason a sentence that names the exceeded limit */
export const tooManyRequests = (retryAfterSeconds: number, reason?: string) =>
  new AppError(
    'TOO_MANY_REQUESTS',
    reason
      ? `${reason} Please try again in ${inWords(retryAfterSeconds)}.`
      : 'Too many attempts. Please wait a little and try again.',
    { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) } },
  );

/** Rounds up, so that a client that waits as long as the message says is not rejected again. */
const inWords = (seconds: number): string => {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const [count, unit] = minutes < 60 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};
export const unavailable = (message = 'This is not available right now. Please try again soon.') =>
  new AppError('UNAVAILABLE', message, { headers: { 'Retry-After': '5' } });

/** True if the database or a called service is unavailable; then the request or event itself is not at fault. */
export const isOutage = (error: unknown): boolean =>
  isDatabaseOutage(error) || (error instanceof AppError && error.status === 503);
