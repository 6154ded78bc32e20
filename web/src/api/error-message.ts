import type { SerializedError } from '@reduxjs/toolkit';
import type { FetchBaseQueryError } from '@reduxjs/toolkit/query/react';

interface Problem {
  code?: string;
  detail?: string;
  message?: string;
  errors?: { msg: string; path?: string }[];
}

type ApiError = FetchBaseQueryError | SerializedError | undefined;

export const networkErrorText = 'Network error, try again!';
const unexpectedText = 'Something went wrong on our side. Please try again.';

function readProblem(error: unknown): Problem | null {
  const data = (error as { data?: unknown } | undefined)?.data;
  return typeof data === 'object' && data !== null ? (data as Problem) : null;
}

/** The sentence to show for a failed call: the server's own words where it gave some. */
export function errorMessage(error: ApiError | unknown, fallback = unexpectedText): string {
  const status = (error as { status?: unknown } | undefined)?.status;
  if (status === 'FETCH_ERROR' || status === 'TIMEOUT_ERROR') return networkErrorText;
  const problem = readProblem(error);
  return problem?.errors?.[0]?.msg ?? problem?.message ?? problem?.detail ?? fallback;
}

/** The API's error code, such as TOOL_UNAVAILABLE, where the reply carries one. */
export function errorCode(error: unknown): string | undefined {
  return readProblem(error)?.code;
}

/** Messages by field name, for a form's `setErrors`. */
export function fieldErrors(error: unknown): Record<string, string> {
  const entries = (readProblem(error)?.errors ?? []).filter(({ path }) => path);
  return Object.fromEntries(entries.map(({ path, msg }) => [path, msg]));
}
