import { networksOf } from '@lendtools/service-kit';

const windowMs = 15 * 60_000;
/** How many networks are counted at most: their counts take about 20 MB. Beyond this number, all counts are reset. */
const mostNetworks = 100_000;

/**
 * Counts failed logins and sign-ups per network over 15 minutes, in memory. The counts rank the requests that wait for a
 * password hash: the first attempt of a network precedes the tenth of another, so guesses barely delay a new user.
 */
export class RecentAttempts {
  readonly #counts = new Map<string, number>();
  #startedAtMs = performance.now();

  /** Counts an attempt and returns its rank, at least 1. Rank 0 is for known devices and signed-in users. */
  add(ip: string): number {
    const isOver = performance.now() - this.#startedAtMs > windowMs;
    if (isOver || this.#counts.size > mostNetworks) {
      this.#counts.clear();
      this.#startedAtMs = performance.now();
    }
    const ranks = networksOf(ip).map(({ name, factor }) => {
      const count = (this.#counts.get(name) ?? 0) + 1;
      this.#counts.set(name, count);
      return Math.ceil(count / factor);
    });
    return Math.max(...ranks);
  }

  remove(ip: string): void {
    for (const { name } of networksOf(ip)) {
      const left = (this.#counts.get(name) ?? 1) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    }
  }
}
