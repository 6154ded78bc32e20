import { schedule, type Transaction } from '@lendtools/service-kit';
import { balanceOf, type Entry } from '../domain/ledger.ts';
import { shareKey } from '../store/transfer-repository.ts';

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
