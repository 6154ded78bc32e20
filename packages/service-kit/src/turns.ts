import { AppError, unavailable } from './errors.ts';

interface Waiting {
  rank: number;
  isGone: () => boolean;
  start(): void;
  reject(error: AppError): void;
}

export interface TurnOptions {
  /** Lower ranks go first. */
  rank?: number;
  /** True once the client has disconnected, so that its work can be skipped. */
  isGone?: () => boolean;
}

/**
 * Runs costly work a few at a time. Other work waits, ordered by rank, then by arrival. If more than `mostWaiting` wait, the last
 * in the queue gets 503 with Retry-After.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  #waiting: Waiting[] = [];
  #running = 0;

  constructor({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  async run<T>(work: () => Promise<T>, options: TurnOptions = {}): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#wait(options);
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  #wait({ rank = 0, isGone = () => false }: TurnOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const after = this.#waiting.findIndex((other) => other.rank > rank);
      const at = after === -1 ? this.#waiting.length : after;
      this.#waiting.splice(at, 0, { rank, isGone, start: resolve, reject });
      if (this.#waiting.length > this.#mostWaiting) this.#dropGone();
      if (this.#waiting.length > this.#mostWaiting) this.#waiting.pop()?.reject(unavailable());
    });
  }

  /** Passes the turn to the first in the queue without freeing it, so that a new request cannot overtake. */
  #handOn(): void {
    let next = this.#waiting.shift();
    while (next?.isGone()) {
      next.reject(clientGone());
      next = this.#waiting.shift();
    }
    if (next) next.start();
    else this.#running--;
  }

  #dropGone(): void {
    const { gone = [], there = [] } = Object.groupBy(this.#waiting, ({ isGone }) =>
      isGone() ? 'gone' : 'there',
    );
    this.#waiting = there;
    for (const { reject } of gone) reject(clientGone());
  }
}

const clientGone = () => new AppError('REQUEST_UNREADABLE', 'The client closed the connection.');
