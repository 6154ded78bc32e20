import { schedule, type Transaction } from '@lendtools/service-kit';
import type { Entry } from '../domain/ledger.ts';
import { reversibleCents } from '../domain/reversal.ts';
import type { ShareId } from '../domain/share.ts';
import { listAllDebts } from '../store/debt-repository.ts';
import { listReversible } from '../store/reversal-repository.ts';

/** Takes back what is owed for a share. The task checks what it may take. */
export const scheduleReversalsOfShare = async (tx: Transaction, share: ShareId): Promise<void> => {
  for (const { id } of await listReversible(tx, share)) await schedule(tx, 'reverse-transfer', id);
};

/** Takes back what an owner owes, because the owner's account has money again. */
export const scheduleReversalsOfOwner = async (tx: Transaction, ownerId: string): Promise<void> => {
  for (const debt of await listAllDebts(tx, ownerId)) await scheduleReversalsOfShare(tx, debt);
};

/** Takes back what owners owe for shares of a payment. */
export const scheduleReversals = async (
  tx: Transaction,
  paymentId: string,
  entries: readonly Entry[],
): Promise<void> => {
  for (const bookingId of new Set(entries.map((entry) => entry.bookingId)))
    if (bookingId && reversibleCents(entries, bookingId) > 0)
      await scheduleReversalsOfShare(tx, { paymentId, bookingId });
};
