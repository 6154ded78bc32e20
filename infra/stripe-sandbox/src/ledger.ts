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

export interface LedgerLine {
  at: string;
  put?: StripeObject[];
  reply?: KeptReply;
  delivery?: Delivery;
}

interface Ledger {
  lines: LedgerLine[];
  /** Resolves once the line is synced to disk. */
  append(line: LedgerLine): Promise<void>;
  close(): Promise<void>;
}

/**
 * Each line of the append-only file is a transaction. A killed process loses nothing, because a line is written before
 * its change is visible. An incomplete last line is truncated.
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
    // A running fsync may have started before this line was written, so a second one must follow.
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
