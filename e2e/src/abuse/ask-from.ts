import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { marketplace } from '../marketplace.ts';

/** All of 127.0.0.0/8 is loopback, so each address can simulate a separate network. */
export const networkAddress = (i: number): string => `127.${10 + (i >> 8)}.${i & 255}.1`;

/** A slower reply counts as failed. */
const patienceMs = 10_000;

export interface Reply {
  /** 0 without a reply in time. */
  status: number;
  ms: number;
  body: string;
  cookies: string[];
}

interface Ask {
  method?: string;
  path: string;
  headers?: Record<string, string | number>;
  body?: string | Buffer;
}

/** Sends a request over a new connection from an address of this machine. Never rejects. */
export const askFrom = (
  localAddress: string,
  { method = 'GET', path, headers = {}, body }: Ask,
): Promise<Reply> => {
  const startedAt = performance.now();
  const { port } = new URL(marketplace().site);
  return new Promise((resolve) => {
    const finish = (status: number, text = '', cookies: string[] = []) =>
      resolve({ status, ms: performance.now() - startedAt, body: text, cookies });
    const asked = request(
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
    asked.on('error', () => finish(0));
    asked.end(body);
  });
};

export interface Observed {
  replies: Reply[];
  failed: number;
  medianMs: number;
  slowestMs: number;
}

/** Repeats the request until the signal. A reply other than `expected`, or none within ten seconds, counts as failed. */
export const observe = async (
  ask: () => Promise<Reply>,
  { over, expected, pauseMs = 250 }: { over: AbortSignal; expected: number; pauseMs?: number },
): Promise<Observed> => {
  const replies: Reply[] = [];
  while (!over.aborted) {
    replies.push(await ask());
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

/** How many replies had each status, such as `12 × 401, 3 × 503`. */
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
