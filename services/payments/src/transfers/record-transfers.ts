import type { Transaction } from '@lendtools/service-kit';
import { balanceOf, type Entry, ownerOf } from '../domain/ledger.ts';
import type { StripeTransfer } from '../domain/transfer.ts';
import { recordReversal } from '../store/reversal-repository.ts';
import { endUnknownTransfer, recordTransfer } from '../store/transfer-repository.ts';

interface Recorded {
  paymentId: string;
  /** The payment's entries, those of the transfers included. */
  entries: readonly Entry[];
  /** Ours at Stripe. */
  transfers: readonly StripeTransfer[];
}

/**
 * Records what Stripe made of our transfers. If a restored backup lacks the row of one, it ends the row that was being sent
 * instead: what is left is transferred by another one. Lock the payment first.
 */
export const recordTransfers = async (
  tx: Transaction,
  { paymentId, entries, transfers }: Recorded,
): Promise<void> => {
  for (const { reversals, ...transfer } of transfers) {
    const { bookingId, accountId, cents: amountCents, transferId, rowId, createdAt } = transfer;
    const ownerId = ownerOf(entries, bookingId);
    // Without a share, nothing was posted.
    if (!ownerId) continue;
    const of = { paymentId, bookingId, ownerId, accountId };
    await recordTransfer(tx, { ...of, amountCents, transferId, rowId, sentAt: createdAt });
    for (const reversal of reversals)
      await recordReversal(tx, {
        ...reversal,
        transferId,
        isReturned: isReturned(entries, reversal),
      });
    if (balanceOf(entries, 'sending', bookingId) === 0)
      await endUnknownTransfer(tx, { paymentId, bookingId });
  }
};

/** What a reversal without us returned beyond a debt would be transferred again. */
const isReturned = (
  entries: readonly Entry[],
  { reversalId, rowId }: StripeTransfer['reversals'][number],
): boolean =>
  rowId === null &&
  entries.some(({ key, to }) => key === `reversal:${reversalId}` && to === 'available');
