import { schedule, type Transaction } from '@lendtools/service-kit';
import type { Entry } from '../domain/ledger.ts';
import { reversibleCents } from '../domain/reversal.ts';
import { listReversible } from '../store/own-reversal-repository.ts';

/** Takes back what owners owe for shares of a payment. The task checks what it may take. */
export const scheduleReversals = async (
  tx: Transaction,
  paymentId: string,
  entries: readonly Entry[],
): Promise<void> => {
  for (const bookingId of new Set(entries.map((entry) => entry.bookingId)))
    if (bookingId && reversibleCents(entries, bookingId) > 0)
      for (const { id } of await listReversible(tx, { paymentId, bookingId }))
        await schedule(tx, 'reverse-transfer', id);
};
