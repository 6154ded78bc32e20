import type { IncomingMessage } from 'node:http';
import { networkOf, networksOf } from './network-of.ts';

/** An upload is never ended for being slow before this time. */
const graceMs = 2_000;
/** The share of all bytes that a wider network, such as an IPv6 /48, may use. */
const widerShare = 0.75;

export interface Upload {
  /** The size that the client announced. */
  bytes: number;
  person: string | undefined;
  address: string;
  startedAtMs: number;
  /** How many bytes the connection had received before this upload. */
  bytesBefore: number;
  request: IncomingMessage;
  end(): void;
}

/**
 * Limits the bytes of uploads in progress. Each user and each network has a share. If a share is full, a new upload ends the
 * slowest ones, so that trickling uploads cannot lock others out.
 */
export class UploadBudget {
  readonly #all: number;
  readonly #ofOne: number;
  readonly #inProgress = new Set<Upload>();

  constructor({ all, ofOne }: { all: number; ofOne: number }) {
    this.#all = all;
    this.#ofOne = ofOne;
  }

  /** Reserves bytes, ending slow uploads if needed. Returns false if there is not enough room. */
  take(upload: Upload): boolean {
    const ended = new Set<Upload>();
    for (const { most, has } of this.#sharesOf(upload)) {
      const others = [...this.#inProgress].filter((other) => has(other) && !ended.has(other));
      let missing = sumOf(others) + upload.bytes - most;
      for (const slow of this.#slowestOf(others)) {
        if (missing <= 0) break;
        ended.add(slow);
        missing -= slow.bytes;
      }
      if (missing > 0) return false;
    }
    for (const slow of ended) {
      this.release(slow);
      slow.end();
    }
    this.#inProgress.add(upload);
    return true;
  }

  release(upload: Upload): void {
    this.#inProgress.delete(upload);
  }

  #sharesOf({ person, address }: Upload) {
    const ofPerson = {
      most: this.#ofOne,
      has: (other: Upload) => person !== undefined && other.person === person,
    };
    const ofNetworks = networksOf(address).map(({ name }, i) => ({
      most: i === 0 ? this.#ofOne : widerShare * this.#all,
      has: (other: Upload) => networksOf(other.address)[i]?.name === name,
    }));
    return [ofPerson, ...ofNetworks, { most: this.#all, has: () => true }];
  }

  /** Lists the networks with the most bytes first, and within them the slowest uploads. Skips new and complete uploads. */
  #slowestOf(uploads: Upload[]): Upload[] {
    const byNetwork = Map.groupBy(uploads, ({ address }) => networkOf(address));
    const held = (upload: Upload) => sumOf(byNetwork.get(networkOf(upload.address)) ?? []);
    const now = performance.now();
    const bytesPerMs = ({ request, bytesBefore, startedAtMs }: Upload) =>
      (request.socket.bytesRead - bytesBefore) / (now - startedAtMs);
    return uploads
      .filter(({ request, startedAtMs }) => !request.complete && now - startedAtMs > graceMs)
      .sort((a, b) => held(b) - held(a) || bytesPerMs(a) - bytesPerMs(b));
  }
}

const sumOf = (uploads: Upload[]): number => uploads.reduce((sum, { bytes }) => sum + bytes, 0);
