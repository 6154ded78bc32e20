import { drainMs } from './lifecycle.ts';

/** How long to skip a replica that is stopping or refused a connection. After this time it has stopped. */
export const restMs = 2 * drainMs;
/** How long to skip a replica after a timeout. Each try costs a caller the whole timeout. */
const silentRestMs = 15_000;

const mostTries = 3;

interface Replica {
  url: string;
  restsUntilMs: number;
}

/** Calls the replicas of a service in turn. Skips those that refused a connection, timed out or are stopping. */
export class Upstreams {
  readonly #replicas: Replica[];
  #next = 0;

  constructor(urls: readonly string[]) {
    this.#replicas = urls.map((url) => ({ url, restsUntilMs: 0 }));
  }

  /** If all replicas are skipped, returns the one whose pause ends first. */
  pick(nowMs = Date.now()): string {
    const replicas = this.#replicas;
    for (let tried = 0; tried < replicas.length; tried++) {
      this.#next = (this.#next + 1) % replicas.length;
      const replica = replicas[this.#next] as Replica;
      if (replica.restsUntilMs <= nowMs) return replica.url;
    }
    return replicas.reduce((a, b) => (b.restsUntilMs < a.restsUntilMs ? b : a)).url;
  }

  rest(url: string, nowMs = Date.now(), forMs = restMs): void {
    const replica = this.#replicas.find((each) => each.url === url);
    if (replica) replica.restsUntilMs = nowMs + forMs;
  }

  /**
   * A refused connection sent nothing, so any request is retried on another replica. A read is also retried if its
   * connection closes: in Docker all replicas share one name, so a stopping one cannot be skipped. Redirects are not followed.
   * @throws what `fetch` throws for the last try
   */
  async fetch(path: string, init: RequestInit): Promise<Response> {
    for (let tries = 1, unreachable = 0; ; tries++) {
      const base = this.pick();
      try {
        const reply = await fetch(new URL(path, base), { ...init, redirect: 'manual' });
        if (reply.headers.get('connection') === 'close') this.rest(base);
        return reply;
      } catch (error) {
        if ((error as Error).name === 'TimeoutError') this.rest(base, Date.now(), silentRestMs);
        const { cause } = error as Error;
        if (isUnreachable(cause)) {
          this.rest(base);
          if (++unreachable < this.#replicas.length) continue;
        } else if (isClosed(cause) && isRead(init) && tries < mostTries) continue;
        throw error;
      }
    }
  }
}

const codeOf = (error: unknown): string | undefined =>
  (error as { code?: string } | undefined)?.code;

const isUnreachable = (error: unknown): boolean => codeOf(error) === 'ECONNREFUSED';

/** True if the replica closed the connection before it replied. */
const isClosed = (error: unknown): boolean =>
  codeOf(error) === 'UND_ERR_SOCKET' || codeOf(error) === 'ECONNRESET';

const isRead = ({ method = 'GET' }: RequestInit): boolean => method === 'GET' || method === 'HEAD';
