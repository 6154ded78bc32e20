/** How long a replica that refused a connection is passed over. */
const restMs = 1_000;

/** The replicas of one service: asked in turn, without those that just refused. */
export class Upstreams {
  readonly #replicas: { url: string; restsUntilMs: number }[];
  #next = 0;

  constructor(urls: readonly string[]) {
    this.#replicas = urls.map((url) => ({ url, restsUntilMs: 0 }));
  }

  /** The next replica's URL; when all of them rest, the next one all the same. */
  pick(nowMs = Date.now()): string {
    for (let tried = 0; tried < this.#replicas.length; tried++) {
      const replica = this.#turn();
      if (replica.restsUntilMs <= nowMs) return replica.url;
    }
    return this.#turn().url;
  }

  rest(url: string, nowMs = Date.now()): void {
    const replica = this.#replicas.find((each) => each.url === url);
    if (replica) replica.restsUntilMs = nowMs + restMs;
  }

  /**
   * Asks one replica, and the next one where nobody listens: then nothing was sent, so any request may be repeated.
   * @throws what `fetch` throws, when no replica takes the connection or the one that did fails
   */
  async fetch(path: string, init: RequestInit): Promise<Response> {
    for (let left = this.#replicas.length; ; left--) {
      const base = this.pick();
      try {
        return await fetch(new URL(path, base), init);
      } catch (error) {
        if (!isRefused((error as Error).cause)) throw error;
        this.rest(base);
        if (left <= 1) throw error;
      }
    }
  }

  #turn(): { url: string; restsUntilMs: number } {
    this.#next = (this.#next + 1) % this.#replicas.length;
    return this.#replicas[this.#next] as { url: string; restsUntilMs: number };
  }
}

/** True for the error of a connection that nobody took. */
export const isRefused = (error: unknown): boolean =>
  (error as { code?: string } | undefined)?.code === 'ECONNREFUSED';
