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
    for (const replica of this.#replicas)
      if (url.startsWith(replica.url)) replica.restsUntilMs = nowMs + restMs;
  }

  #turn(): { url: string; restsUntilMs: number } {
    this.#next = (this.#next + 1) % this.#replicas.length;
    return this.#replicas[this.#next] as { url: string; restsUntilMs: number };
  }
}
