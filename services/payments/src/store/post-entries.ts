import { addToOutbox, newEvent } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';
import type { Entry } from '../domain/ledger.ts';
import { moneyEventsOf } from '../domain/money-events.ts';
import { insertEntries } from './ledger-repository.ts';

/** Inserts entries of a payment, and publishes what its owners are notified of. */
export const postEntries = async (
  tx: Transaction,
  paymentId: string,
  entries: readonly Entry[],
): Promise<void> => {
  await insertEntries(tx, paymentId, entries);
  for (const { type, key, data } of moneyEventsOf(paymentId, entries))
    await addToOutbox(tx, newEvent(type, { id: key, version: 1 }, data));
};
