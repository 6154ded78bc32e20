import { networksOf } from '@lendtools/service-kit';

/**
 * Limits how many units, such as connections, a network uses at once. A wider network (IPv6 /48) may use a multiple of `share`,
 * up to `most`.
 */
export class NetworkShares {
  readonly #held = new Map<string, number>();
  readonly #share: number;
  readonly #most: number;

  constructor(share: number, most = Number.POSITIVE_INFINITY) {
    this.#share = share;
    this.#most = most;
  }

  /** Takes a unit for each network of the address. @returns a function that releases the units; undefined if a share is used up */
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
