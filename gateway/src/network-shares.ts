import { networksOf } from '@lendtools/service-kit';

/** Limits how many units of a resource each network holds. A wider network may hold a multiple of the share, up to `most`. */
export class NetworkShares {
  readonly #held = new Map<string, number>();
  readonly #share: number;
  readonly #most: number;

  constructor(share: number, most = Number.POSITIVE_INFINITY) {
    this.#share = share;
    this.#most = most;
  }

  /** Takes one unit for an address. @returns a function that releases it; undefined if a share is used up */
  take(address: string): (() => void) | undefined {
    const networks = networksOf(address);
    const isUsedUp = networks.some(
      ({ name, factor }) =>
        (this.#held.get(name) ?? 0) >= Math.min(this.#share * factor, this.#most),
    );
    if (isUsedUp) return undefined;
    for (const { name } of networks) this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const { name } of networks) this.#release(name);
    };
  }

  #release(name: string): void {
    const left = (this.#held.get(name) ?? 1) - 1;
    if (left > 0) this.#held.set(name, left);
    else this.#held.delete(name);
  }
}
