const minuteMs = 60_000;
/** The maximum number of counts, which take about 20 MB. If there are more, all counts are reset. */
const mostNames = 100_000;

/** Counts usage per name and minute, in this process only. */
export class MinuteCounts {
  readonly #used = new Map<string, number>();
  #startedAtMs = performance.now();

  /** Adds an amount, unless the sum would exceed the limit. Returns whether it was added. */
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

  get secondsLeft(): number {
    return Math.max(0, this.#startedAtMs + minuteMs - performance.now()) / 1_000;
  }
}
