import type { ServiceName } from '@lendtools/contracts';
import { mostAgeSeconds, type StoredJob } from '@lendtools/service-kit';

/** A process with its environment, or the broker with an administrator's. */
export interface Subject {
  name: ServiceName | 'gateway' | 'broker';
  env: NodeJS.Dict<string>;
}

export interface Finding {
  about: Subject['name'];
  check: string;
  isFine: boolean;
  says: string;
  /** How to fix it, if something is wrong. */
  todo?: string;
}

/** Collects a check's findings. */
export interface Say {
  fine(says: string): void;
  wrong(says: string, todo: string): void;
}

export const patienceMs = 5_000;

/** Host and path of a URL, without credentials. */
export const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, '')}`;
};

const reasons: Record<string, string> = {
  ECONNREFUSED: 'does not answer',
  ECONNRESET: 'closes the connection',
  ETIMEDOUT: 'does not answer in time',
  ENOTFOUND: 'has a host name that does not resolve',
  EAI_AGAIN: 'has a host name that does not resolve',
  EHOSTUNREACH: 'is unreachable from this machine',
  '28P01': 'rejects the user or the password',
  '28000': 'rejects the user',
  '3D000': 'has no such database',
};

/** A readable reason for common errors, otherwise the error's own message. */
export const reasonOf = (error: unknown): string => {
  const { code, cause, errors, message, name } = error as Error & {
    code?: string;
    errors?: unknown[];
  };
  if (code !== undefined && reasons[code]) return reasons[code];
  if (name === 'TimeoutError') return 'does not answer in time';
  // A host with several addresses yields an AggregateError; `fetch` wraps the cause.
  const inner = errors?.[0] ?? cause;
  if (inner) return reasonOf(inner);
  if (/ACCESS.REFUSED|Authentication failed|auth/i.test(message))
    return 'rejects the user or the password';
  if (/NOT_ALLOWED|vhost/i.test(message)) return 'has no such virtual host for this user';
  return `fails: ${message}`;
};

/** A larger skew breaks token validity, hold expiry and message order. */
const mostSkewMs = 2_000;

/** Compares this machine's clock with a server's, allowing for the duration of the query. */
export const compareClocks = (
  say: Say,
  whose: string,
  { theirs, askedMs, answeredMs }: { theirs: Date; askedMs: number; answeredMs: number },
): void => {
  const skewMs = theirs.getTime() - (askedMs + answeredMs) / 2;
  if (Math.abs(skewMs) <= mostSkewMs + (answeredMs - askedMs)) return;
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  say.wrong(
    `the clock of ${whose} is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`,
    'Synchronize both with NTP.',
  );
};

const mostOutboxAgeMs = 60_000;

export const judgeOutbox = (say: Say, oldest: Date | null): void => {
  const ageMs = oldest ? Date.now() - oldest.getTime() : 0;
  if (ageMs > mostOutboxAgeMs)
    say.wrong(
      `an event has waited in the outbox for ${Math.round(ageMs / 1_000)} s`,
      'See OutboxStuck in docs/runbook.md.',
    );
};

/** Reports late jobs and jobs with failing rows. */
export const judgeJobs = (say: Say, jobs: StoredJob[]): void => {
  for (const { name, everySeconds, ageSeconds, failedRows, error } of jobs) {
    if (ageSeconds > mostAgeSeconds(everySeconds))
      say.wrong(
        `the job ${name} has not completed a pass for ${Math.round(ageSeconds / 60)} minutes`,
        'See JobLate in docs/runbook.md.',
      );
    if (failedRows > 0)
      say.wrong(
        `the job ${name} fails on ${failedRows} rows: ${error}`,
        'See JobRowsFailing in docs/runbook.md.',
      );
  }
};
