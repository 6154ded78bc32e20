import { setTimeout as delay } from 'node:timers/promises';
import { killHard } from '../src/marketplace.ts';
import { compareBooks } from './books.ts';
import { awaitSettled } from './settled.ts';
import { openNeighborhood, startTrade } from './trade.ts';

/** So that rentals are paid out within the run, and owners' accounts are empty when money has to come back. */
export const shortTimes = { COMPLETE_AFTER_HOURS: '0.005', PAYOUT_DELAY_SECONDS: '20' };

const victims = ['payments', 'bookings', 'rabbitmq'];
const killEveryMs = 30_000;

/**
 * Kills payments, bookings and the broker in turn while owners and renters trade, then compares the ledger with Stripe's books.
 * A short run kills more often, so that it kills each.
 */
export const killServices = async (forMs: number): Promise<boolean> => {
  const neighborhood = await openNeighborhood();
  const trade = startTrade(neighborhood);
  const endMs = Date.now() + forMs;
  const pauseMs = Math.min(killEveryMs, forMs / (victims.length + 1));
  for (let kills = 0; Date.now() + pauseMs <= endMs; kills++) {
    await delay(pauseMs);
    kill(victims[kills % victims.length] as string);
  }
  await delay(Math.max(0, endMs - Date.now()));
  await trade.stop();
  showTrade(trade);
  const isSettled = await awaitSettled();
  const isEqual = await compareBooks();
  return isSettled && isEqual;
};

const kill = (victim: string): void => {
  try {
    killHard(victim);
  } catch (error) {
    // Its last kill was so recent that it is not back.
    console.log(`${victim} was not killed: ${(error as Error).message}`);
  }
};

const mostFailures = 10;

const showTrade = ({ counts, failures }: ReturnType<typeof startTrade>): void => {
  console.log('What happened:');
  console.table(counts);
  console.log(`Given up: ${failures.length}`);
  for (const failure of failures.slice(0, mostFailures)) console.log(failure);
};
