import type { ServiceName } from '@lendtools/contracts';
import { mostAgeSeconds, type StoredJob } from '@lendtools/service-kit';

/** A process and its environment. For the broker, this is an administrator's environment. */
export interface Subject {
  name: ServiceName | 'gateway' | 'broker';
  env: NodeJS.Dict<string>;
}

export interface Finding {
  about: Subject['name'];
  check: string;
  isFine: boolean;
  says: string;
  todo?: string;
}

export interface Say {
  fine(says: string): void;
  wrong(says: string, todo: string): void;
}

export const patienceMs = 5_000;

/** Host and path of a URL, without its password. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, '')}`;
}

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

export function reasonOf(error: unknown): string {
  const { code, cause, errors, message, name } = error as Error & {
    code?: string;
    errors?: unknown[];
  };
  if (code !== undefined && reasons[code]) return reasons[code];
  if (name === 'TimeoutError') return 'does not answer in time';
  // Look inside the error: a host with several addresses yields an AggregateError, and `fetch` wraps the cause.
  const inner = errors?.[0] ?? cause;
  if (inner) return reasonOf(inner);
  if (/ACCESS.REFUSED|Authentication failed|auth/i.test(message))
    return 'rejects the user or the password';
  if (/NOT_ALLOWED|vhost/i.test(message)) return 'has no such virtual host for this user';
  return `fails: ${message}`;
}

/** If clocks differ by more than this, tokens and holds expire at the wrong time and messages get out of order. */
const mostSkewMs = 2_000;

export function compareClocks(
  say: Say,
  whose: string,
  { theirs, requestedMs, answeredMs }: { theirs: Date; requestedMs: number; answeredMs: number },
): void {
  const skewMs = theirs.getTime() - (requestedMs + answeredMs) / 2;
  if (Math.abs(skewMs) <= mostSkewMs + (answeredMs - requestedMs)) return;
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  say.wrong(
    `the clock of ${whose} is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`,
    'Synchronize both with NTP.',
  );
}

const mostOutboxAgeMs = 60_000;

export function judgeOutbox(say: Say, oldest: Date | null): void {
  const ageMs = oldest ? Date.now() - oldest.getTime() : 0;
  if (ageMs > mostOutboxAgeMs)
    say.wrong(
      `an event has waited in the outbox for ${Math.round(ageMs / 1_000)} s`,
      'See OutboxStuck in docs/runbook.md.',
    );
}

export function judgeJobs(say: Say, jobs: StoredJob[]): void {
  for (const { name, everySeconds, ageSeconds, failedRows, error } of jobs) {
    if (ageSeconds > mostAgeSeconds(everySeconds))
      say.wrong(
        everySeconds === 0
          ? `a task of ${name} has been due for ${Math.round(ageSeconds / 60)} minutes`
          : `the job ${name} has not completed a pass for ${Math.round(ageSeconds / 60)} minutes`,
        'See JobLate in docs/runbook.md.',
      );
    if (failedRows > 0)
      say.wrong(
        `the job ${name} fails on ${failedRows} rows: ${error}`,
        `See ${name === 'check-ledger' ? 'LedgerDiffers' : 'JobRowsFailing'} in docs/runbook.md.`,
      );
  }
}
