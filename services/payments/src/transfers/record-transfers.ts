import { schedule, type Transaction } from '@lendtools/service-kit';
import { balanceOf, type Entry } from '../domain/ledger.ts';
import type { StripeTransfer } from '../domain/transfer.ts';
import { recordReversal } from '../store/reversal-repository.ts';
import { endUnfinished, recordTransfer, shareKey } from '../store/transfer-repository.ts';

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
      await recordReversal(tx, { ...reversal, transferId, isHeld: isHeld(entries, reversal) });
    if (balanceOf(entries, 'sending', bookingId) === 0)
      await endUnfinished(tx, { paymentId, bookingId });
  }
};

/** What a reversal without us returned beyond a debt would be transferred again. */
const isHeld = (
  entries: readonly Entry[],
  { reversalId, rowId }: StripeTransfer['reversals'][number],
): boolean =>
  rowId === null &&
  entries.some(({ key, to }) => key === `reversal:${reversalId}` && to === 'available');

/** Transfers what shares have, and looks for transfers of unknown outcome. The task checks whether it is due, and may. */
export const scheduleTransfers = async (
  tx: Transaction,
  paymentId: string,
  entries: readonly Entry[],
): Promise<void> => {
  const bookingIds = new Set(entries.map(({ bookingId }) => bookingId));
  const waits = (bookingId: string) =>
    balanceOf(entries, 'available', bookingId) > 0 || balanceOf(entries, 'sending', bookingId) > 0;
  for (const bookingId of bookingIds)
    if (bookingId && waits(bookingId))
      await schedule(tx, 'send-transfer', shareKey({ paymentId, bookingId }));
};

export const ownerOf = (entries: readonly Entry[], bookingId: string): string | undefined =>
  entries.find((entry) => entry.bookingId === bookingId && entry.ownerId)?.ownerId ?? undefined;
