import { drainMs } from './lifecycle.ts';

/**
 * How long to skip a replica that is stopping or refuses connections: long enough that it has stopped before the next
 * request is sent to it.
 */
export const restMs = 2 * drainMs;
/** How long to skip a replica that timed out. Its host may be gone, and each further try costs a caller the whole timeout. */
const silentRestMs = 15_000;

/** How often a read is tried. The gateway has the same limit. */
const mostTries = 3;

interface Replica {
  url: string;
  restsUntilMs: number;
}

/**
 * The replicas of one service, called in turn. Skips those that just refused a connection, timed out or are stopping.
 */
export class Upstreams {
  readonly #replicas: Replica[];
  #next = 0;

  constructor(urls: readonly string[]) {
    this.#replicas = urls.map((url) => ({ url, restsUntilMs: 0 }));
  }

  /** Returns the URL of the next replica that is not resting. If all are resting, returns the one whose rest ends first. */
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
   * Calls one replica, and the next if the connection is refused: nothing was sent, so any request can be retried. A
   * read is also retried if its connection closes. That matters in Docker, where one name covers all replicas and a
   * kept-alive connection to a stopping one is used until it closes.
   * @throws what `fetch` throws, if all replicas refuse the connection or the request fails otherwise
   */
  async fetch(path: string, init: RequestInit): Promise<Response> {
    for (let tries = 1, refused = 0; ; tries++) {
      const base = this.pick();
      try {
        const reply = await fetch(new URL(path, base), init);
        if (reply.headers.get('connection') === 'close') this.rest(base);
        return reply;
      } catch (error) {
        if ((error as Error).name === 'TimeoutError') this.rest(base, Date.now(), silentRestMs);
        const { cause } = error as Error;
        if (isRefused(cause)) {
          this.rest(base);
          if (++refused < this.#replicas.length) continue;
        } else if (isClosed(cause) && isRead(init) && tries < mostTries) continue;
        throw error;
      }
    }
  }
}

const codeOf = (error: unknown): string | undefined =>
  (error as { code?: string } | undefined)?.code;

const isRefused = (error: unknown): boolean => codeOf(error) === 'ECONNREFUSED';

/** True if the other side closed the connection before it replied. */
const isClosed = (error: unknown): boolean =>
  codeOf(error) === 'UND_ERR_SOCKET' || codeOf(error) === 'ECONNRESET';

const isRead = ({ method = 'GET' }: RequestInit): boolean => method === 'GET' || method === 'HEAD';
