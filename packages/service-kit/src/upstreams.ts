import { drainMs } from './lifecycle.ts';

/** How long a leaving or missing replica is skipped: until nobody can catch it in the act of closing. */
export const restMs = 2 * drainMs;
/** One that did not answer in time may be gone with its host, and every try costs somebody the whole timeout. */
const silentRestMs = 15_000;

/** As many as the gateway makes. */
const mostTries = 3;

interface Replica {
  url: string;
  restsUntilMs: number;
}

/** The replicas of one service: called in turn, without those that just refused or said that they are stopping. */
export class Upstreams {
  readonly #replicas: Replica[];
  #next = 0;

  constructor(urls: readonly string[]) {
    this.#replicas = urls.map((url) => ({ url, restsUntilMs: 0 }));
  }

  /** The next replica's URL; when all of them rest, the one that has rested longest. */
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
   * Calls one replica, and the next one if nobody listens: then nothing was sent, so any request may be repeated. A read is sent
   * again where the connection closed under it: in Docker one name is all replicas, and what was kept to one that stops is
   * used until it closes.
   * @throws what `fetch` throws, when no replica takes the connection or the one that did fails
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

/** True for the error of a connection that nobody took. */
const isRefused = (error: unknown): boolean => codeOf(error) === 'ECONNREFUSED';

/** True for the error of a connection that the other side closed before it had answered. */
const isClosed = (error: unknown): boolean =>
  codeOf(error) === 'UND_ERR_SOCKET' || codeOf(error) === 'ECONNRESET';

const isRead = ({ method = 'GET' }: RequestInit): boolean => method === 'GET' || method === 'HEAD';
