import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { marketplace } from '../src/marketplace.ts';

/** Linux treats all of 127.0.0.0/8 as loopback, so each address can simulate a client in a different network. */
export const networkAddress = (i: number): string => `127.${10 + (i >> 8)}.${i & 255}.1`;

const patienceMs = 10_000;

export interface Reply {
  /** The status is 0 if no reply came in time. */
  status: number;
  ms: number;
  body: string;
  cookies: string[];
}

interface Call {
  method?: string;
  path: string;
  headers?: Record<string, string | number>;
  body?: string | Buffer;
}

/** Sends a request on a new connection from the given local address. Never rejects. */
export const requestFrom = (
  localAddress: string,
  { method = 'GET', path, headers = {}, body }: Call,
): Promise<Reply> => {
  const startedAt = performance.now();
  const { port } = new URL(marketplace().site);
  return new Promise((resolve) => {
    const finish = (status: number, text = '', cookies: string[] = []) =>
      resolve({ status, ms: performance.now() - startedAt, body: text, cookies });
    const requested = request(
      {
        host: '127.0.0.1',
        port,
        localAddress,
        method,
        path,
        agent: false,
        headers: { ...headers, ...(body && { 'content-length': Buffer.byteLength(body) }) },
        signal: AbortSignal.timeout(patienceMs),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', () => finish(0));
        response.on('end', () =>
          finish(response.statusCode ?? 0, text, response.headers['set-cookie'] ?? []),
        );
      },
    );
    requested.on('error', () => finish(0));
    requested.end(body);
  });
};

export interface Observed {
  replies: Reply[];
  failed: number;
  medianMs: number;
  slowestMs: number;
}

/** Repeats a request until the signal is aborted. A reply other than `expected` counts as failed. */
export const observe = async (
  call: () => Promise<Reply>,
  { over, expected, pauseMs = 250 }: { over: AbortSignal; expected: number; pauseMs?: number },
): Promise<Observed> => {
  const replies: Reply[] = [];
  while (!over.aborted) {
    replies.push(await call());
    await delay(pauseMs);
  }
  const times = replies.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    replies,
    failed: replies.filter(({ status }) => status !== expected).length,
    medianMs: times[times.length >> 1] ?? Number.NaN,
    slowestMs: times.at(-1) ?? Number.NaN,
  };
};

/** Counts replies by status, such as `12 × 401, 3 × 503`. */
export const statusesOf = (replies: Iterable<{ status: number }>): string => {
  const counts = new Map<string, number>();
  for (const { status } of replies) {
    const name = status === 0 ? 'no reply' : String(status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a], [b]) => a.localeCompare(b));
  return sorted.map(([name, count]) => `${count} × ${name}`).join(', ') || 'none';
};

export const describe = (what: string, observed: Observed): string =>
  `  ${what}: ${observed.replies.length}, ${observed.failed} failed; median ${ms(observed.medianMs)}, ` +
  `slowest ${ms(observed.slowestMs)}; ${statusesOf(observed.replies)}`;

const ms = (value: number): string => `${value.toFixed(0)} ms`;
