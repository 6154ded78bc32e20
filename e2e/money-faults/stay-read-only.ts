import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setReadOnly } from '@lendtools/testing';
import { logsFolder, marketplace } from '../src/marketplace.ts';
import type { Person } from '../src/people.ts';
import { hold, line } from '../src/purchases.ts';
import { openMarket, openPurchases, pay, settle, showMoney } from './money.ts';

const renterCount = 15;
const settlesWithinMs = 180_000;

/** Pays while the database is read-only. Events must survive the outage, so that each payment becomes a booking. */
export const stayReadOnly = async (forMs: number): Promise<boolean> => {
  const [onlooker, ...renters] = await openMarket(renterCount + 1);
  if (!onlooker) throw new Error('The market has no renters');
  const purchases = await openPurchases(renters);
  const ids = purchases.map(({ paymentId }) => paymentId);
  const database = marketplace().databases.bookings as string;
  const linesBefore = countLogLines();

  console.log(`${ids.length} carts wait to be paid; bookings is read-only for ${forMs / 1_000} s.`);
  await setReadOnly(database, true);
  const holding = keepHolding(onlooker.renter, onlooker.toolId);
  const endMs = Date.now() + forMs;
  try {
    // Pay during the first half only, so that the last event, too, is retried for half of the outage.
    for (const purchase of purchases) {
      await pay(purchase);
      await delay(forMs / 2 / purchases.length);
    }
    await delay(Math.max(0, endMs - Date.now()));
    console.log(`Replies to holds meanwhile: ${JSON.stringify(await holding.stop())}`);
  } finally {
    await setReadOnly(database, false);
  }
  console.log(`Lines that bookings logged meanwhile: ${countLogLines() - linesBefore}`);
  await showMoney('When the database is writable again:', ids);
  return settle(ids, settlesWithinMs);
};

const keepHolding = (renter: Person, toolId: string) => {
  const stop = new AbortController();
  const answers: Record<string, number> = {};
  const holding = (async () => {
    while (!stop.signal.aborted) {
      const { status, headers } = await hold(renter, [line(toolId)]);
      const after = headers.get('retry-after');
      const answer = after ? `${status}, Retry-After: ${after}` : String(status);
      answers[answer] = (answers[answer] ?? 0) + 1;
      await delay(1_000, undefined, { signal: stop.signal }).catch(() => {});
    }
    return answers;
  })();
  return {
    stop() {
      stop.abort();
      return holding;
    },
  };
};

const countLogLines = (): number =>
  readdirSync(logsFolder())
    .filter((file) => file.startsWith('bookings'))
    .map((file) => readFileSync(path.join(logsFolder(), file), 'utf8').split('\n').length - 1)
    .reduce((sum, lines) => sum + lines, 0);
