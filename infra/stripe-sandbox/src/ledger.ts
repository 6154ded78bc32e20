import {
  closeSync,
  fsync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { StripeObject } from './objects.ts';

/** A reply that is stored under its idempotency key. */
export interface KeptReply {
  key: string;
  fingerprint: string;
  status: number;
  body: object;
}

export interface Delivery {
  event: string;
  attempt: number;
  status: number | null;
  delivered: boolean;
}

/** One line of the ledger: everything that one request changed, or one delivery. */
export interface LedgerLine {
  at: string;
  put?: StripeObject[];
  reply?: KeptReply;
  delivery?: Delivery;
}

interface Ledger {
  lines: LedgerLine[];
  /** Writes the line synchronously; resolves once it is synced to disk. */
  append(line: LedgerLine): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the append-only file, in which each line is a transaction. A line is in the page cache before its change is visible, so a
 * killed process loses nothing. One fsync covers all lines that wait for it. An incomplete last line was cut off by a crash
 * before its reply was sent; it is truncated, so that the next line does not continue it.
 */
export function openLedger(folder: string): Ledger {
  mkdirSync(folder, { recursive: true });
  const file = openSync(path.join(folder, 'ledger.jsonl'), 'a+');
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) ftruncateSync(file, Buffer.byteLength(whole));

  let syncing: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const sync = () =>
    new Promise<void>((resolve, reject) =>
      fsync(file, (error) => (error ? reject(error) : resolve())),
    );
  const durable = (): Promise<void> => {
    if (!syncing) {
      syncing = sync().finally(() => {
        syncing = null;
      });
      return syncing;
    }
    // The running fsync may have started before this line was written, so wait for the next one.
    next ??= syncing.then(() => {
      next = null;
      return durable();
    });
    return next;
  };

  return {
    lines: whole
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as LedgerLine),
    append(line) {
      writeSync(file, `${JSON.stringify(line)}\n`);
      return durable();
    },
    async close() {
      await durable();
      closeSync(file);
    },
  };
}
