import type { ServiceName } from '@lendtools/contracts';
import { mostAgeSeconds, type StoredJob } from '@lendtools/service-kit';

/** What is examined: a process by its environment, or the broker by an administrator's. */
export interface Subject {
  name: ServiceName | 'gateway' | 'broker';
  env: NodeJS.Dict<string>;
}

export interface Finding {
  about: Subject['name'];
  check: string;
  isFine: boolean;
  /** What was found. */
  says: string;
  /** Where something is wrong. */
  todo?: string;
}

/** How a check says what it found. */
export interface Say {
  fine(says: string): void;
  wrong(says: string, todo: string): void;
}

export const patienceMs = 5_000;

/** Where an address leads, without the password that it may hold. */
export const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, '')}`;
};

const reasons: Record<string, string> = {
  ECONNREFUSED: 'does not answer',
  ECONNRESET: 'hangs up',
  ETIMEDOUT: 'does not answer in time',
  ENOTFOUND: 'has a name that this machine does not know',
  EAI_AGAIN: 'has a name that this machine does not know',
  EHOSTUNREACH: 'can not be reached from this machine',
  '28P01': 'refuses the user or the password',
  '28000': 'refuses the user',
  '3D000': 'has no such database',
};

/** In words, where the error is one that operators meet; else the error's own. */
export const reasonOf = (error: unknown): string => {
  const { code, cause, errors, message, name } = error as Error & {
    code?: string;
    errors?: unknown[];
  };
  if (code !== undefined && reasons[code]) return reasons[code];
  if (name === 'TimeoutError') return 'does not answer in time';
  // Of a name with several addresses each was tried; `fetch` wraps what happened.
  const inner = errors?.[0] ?? cause;
  if (inner) return reasonOf(inner);
  if (/ACCESS.REFUSED|Authentication failed|auth/i.test(message))
    return 'refuses the user or the password';
  if (/NOT_ALLOWED|vhost/i.test(message)) return 'has no such virtual host for this user';
  return `fails: ${message}`;
};

/** A clock that is off by more spoils tokens, the ends of holds and the order of messages. */
const mostSkewMs = 2_000;

/** Compares this machine's clock with another's; `ask` is how long the answer may have taken. */
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
    'Let both keep their time by NTP.',
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

/** Late jobs, and jobs with rows that they cannot handle. */
export const judgeJobs = (say: Say, jobs: StoredJob[]): void => {
  for (const { name, everySeconds, ageSeconds, failedRows, error } of jobs) {
    if (ageSeconds > mostAgeSeconds(everySeconds))
      say.wrong(
        `the job ${name} has finished no pass for ${Math.round(ageSeconds / 60)} minutes`,
        'See JobLate in docs/runbook.md.',
      );
    if (failedRows > 0)
      say.wrong(
        `the job ${name} cannot handle ${failedRows} rows: ${error}`,
        'See JobRowsFailing in docs/runbook.md.',
      );
  }
};
