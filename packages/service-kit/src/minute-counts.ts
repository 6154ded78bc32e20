const minuteMs = 60_000;
/** About 20 MB. Beyond that, all counts are reset. */
const mostNames = 100_000;

/** Counts usage per key and minute, in this process. */
export class MinuteCounts {
  readonly #used = new Map<string, number>();
  #startedAtMs = performance.now();

  /** Adds an amount unless that would exceed the limit. Returns whether it did. */
  spend(name: string, limit: number, amount = 1): boolean {
    const now = performance.now();
    if (now - this.#startedAtMs > minuteMs || this.#used.size > mostNames) {
      this.#used.clear();
      this.#startedAtMs = now;
    }
    const used = (this.#used.get(name) ?? 0) + amount;
    if (used > limit) return false;
    this.#used.set(name, used);
    return true;
  }

  /** Seconds until the counts are reset. */
  get secondsLeft(): number {
    return Math.max(0, this.#startedAtMs + minuteMs - performance.now()) / 1_000;
  }
}
