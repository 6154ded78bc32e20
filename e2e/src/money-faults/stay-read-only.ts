import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setReadOnly } from '@lendtools/testing';
import { logsFolder, marketplace } from '../marketplace.ts';
import type { Person } from '../people.ts';
import { hold, line } from '../purchases.ts';
import { openMarket, openPurchases, pay, settle, showMoney } from './money.ts';

const renterCount = 15;
const settlesWithinMs = 180_000;

/**
 * People pay while the database of bookings can't be written. Five minutes, where nothing else is said: ten tries of an
 * event took three, and then it was dead.
 */
export const stayReadOnly = async (forMs: number): Promise<boolean> => {
  const [onlooker, ...renters] = await openMarket(renterCount + 1);
  if (!onlooker) throw new Error('There is nobody');
  const purchases = await openPurchases(renters);
  const ids = purchases.map(({ paymentId }) => paymentId);
  const database = marketplace().databases.bookings as string;
  const linesBefore = countLogLines();

  console.log(`${ids.length} carts wait to be paid; bookings is read-only for ${forMs / 1_000} s.`);
  await setReadOnly(database, true);
  const asking = keepAsking(onlooker.renter, onlooker.toolId);
  const endMs = Date.now() + forMs;
  try {
    // All within the first half: no event is too young to have used up its tries.
    for (const purchase of purchases) {
      await pay(purchase);
      await delay(forMs / 2 / purchases.length);
    }
    await delay(Math.max(0, endMs - Date.now()));
    console.log(`Holds asked for meanwhile were answered: ${JSON.stringify(await asking.stop())}`);
  } finally {
    await setReadOnly(database, false);
  }
  console.log(`Lines that bookings logged meanwhile: ${countLogLines() - linesBefore}`);
  await showMoney('When it could be written again:', ids);
  return settle(ids, settlesWithinMs);
};

/** Somebody would like to hold dates, once a second; counts what they are told. */
const keepAsking = (renter: Person, toolId: string) => {
  const stop = new AbortController();
  const answers: Record<string, number> = {};
  const asking = (async () => {
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
      return asking;
    },
  };
};

const countLogLines = (): number =>
  readdirSync(logsFolder())
    .filter((file) => file.startsWith('bookings'))
    .map((file) => readFileSync(path.join(logsFolder(), file), 'utf8').split('\n').length - 1)
    .reduce((sum, lines) => sum + lines, 0);
