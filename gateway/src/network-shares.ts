import { networkOf } from '@lendtools/service-kit';

/** How much of something each network holds, and none more than its share. */
export class NetworkShares {
  readonly #held = new Map<string, number>();
  readonly #share: number;

  constructor(share: number) {
    this.#share = share;
  }

  /** Takes one for the network of an address; returns what gives it back, or undefined where its share is used up. */
  take(address: string): (() => void) | undefined {
    const network = networkOf(address);
    const held = this.#held.get(network) ?? 0;
    if (held >= this.#share) return undefined;
    this.#held.set(network, held + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#held.get(network) ?? 1) - 1;
      if (left > 0) this.#held.set(network, left);
      else this.#held.delete(network);
    };
  }
}
