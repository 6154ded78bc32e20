import type { Problem } from '@lendtools/contracts';

export const networkErrorText = 'Network error, try again!';
const unexpectedText = 'Something went wrong on our side. Please try again.';

/** The API's problem document for a failed call; empty if the reply has none, for example from a proxy. */
export function problemOf<Details = object>(error: unknown): Partial<Problem & Details> {
  const { data } = (error ?? {}) as { data?: unknown };
  return typeof data === 'object' && data !== null ? data : {};
}

export function errorStatus(error: unknown): unknown {
  return ((error ?? {}) as { status?: unknown }).status;
}

/** The message to show for a failed call: the server's own if it sent one. */
export function errorMessage(error: unknown, fallback = unexpectedText): string {
  const status = errorStatus(error);
  if (status === 'FETCH_ERROR' || status === 'TIMEOUT_ERROR') return networkErrorText;
  const { errors, message, detail } = problemOf(error);
  return errors?.[0]?.msg ?? message ?? detail ?? fallback;
}

export function errorCode(error: unknown): string | undefined {
  return problemOf(error).code;
}

export function fieldErrors(error: unknown): Record<string, string> {
  const entries = (problemOf(error).errors ?? []).filter(({ path }) => path);
  return Object.fromEntries(entries.map(({ path, msg }) => [path, msg]));
}
