import { networksOf } from '@lendtools/service-kit';

const windowMs = 15 * 60_000;
/** Some 20 MB; beyond that the counts start again. */
const mostNetworks = 100_000;

/**
 * Failed logins and sign-ups of each network within a quarter of an hour, counted in this process, which cost no query. They rank
 * who waits for a password hash: the first attempt of one network goes before the tenth of another, so that a crowd of
 * guessing networks holds up newcomers for one round.
 */
export class RecentAttempts {
  readonly #counts = new Map<string, number>();
  #startedAtMs = performance.now();

  /** Counts an attempt. Returns its rank, at least 1: 0 is for devices and people that are known. */
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

  /** Removes an attempt that succeeded. */
  remove(ip: string): void {
    for (const { name } of networksOf(ip)) {
      const left = (this.#counts.get(name) ?? 1) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    }
  }
}
