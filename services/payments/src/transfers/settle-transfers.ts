import {
  databaseNow,
  faultPoint,
  inTransaction,
  type Pool,
  type Transaction,
} from '@lendtools/service-kit';
import { type Entry, ownerOf } from '../domain/ledger.ts';
import { rejectEntries, type StripeTransfer, transferEntries } from '../domain/transfer.ts';
import { lockLedger } from '../store/lock-ledger.ts';
import { checkAccountNow } from '../store/payout-account-repository.ts';
import { postEntries } from '../store/post-entries.ts';
import {
  endUnknownTransfer,
  rejectTransfer,
  type StoredTransfer,
  type TransferFailure,
} from '../store/transfer-repository.ts';
import { recordTransfers } from './record-transfers.ts';
import { scheduleReversals } from './schedule-reversals.ts';
import { scheduleTransfers } from './schedule-transfers.ts';

/** Posts and records transfers that Stripe made. No-op for those that are posted and recorded. */
export const settleTransfers = (
  pool: Pool,
  paymentId: string,
  transfers: readonly StripeTransfer[],
): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const posted = await lockLedger(tx, paymentId);
    const entries = [...posted];
    for (const transfer of transfers) {
      const { bookingId } = transfer;
      const ownerId = ownerOf(entries, bookingId);
      if (ownerId) entries.push(...transferEntries(entries, { bookingId, ownerId }, transfer));
    }
    await postEntries(tx, paymentId, entries.slice(posted.length));
    await recordTransfers(tx, { paymentId, entries, transfers });
    await scheduleReversals(tx, paymentId, entries);
    await scheduleTransfers(tx, paymentId, entries);
    await faultPoint('payments.beforeTransferCommit');
  });

/** Returns to the share what Stripe did not transfer. */
export const rejectPrepared = (
  pool: Pool,
  transfer: StoredTransfer,
  failure: TransferFailure,
): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const posted = await lockLedger(tx, transfer.paymentId);
    if (!(await rejectTransfer(tx, transfer.id, failure))) return;
    await returnPrepared(tx, posted, transfer);
    // The account may have been restricted, and its webhook lost.
    await checkAccountNow(tx, transfer.ownerId);
  });

/** Ends a transfer that was not sent, because another one of the share was found. What is left is transferred at once. */
export const replacePrepared = (pool: Pool, transfer: StoredTransfer): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const { paymentId } = transfer;
    const posted = await lockLedger(tx, paymentId);
    if (!(await endUnknownTransfer(tx, transfer))) return;
    await scheduleTransfers(tx, paymentId, await returnPrepared(tx, posted, transfer));
  });

const returnPrepared = async (
  tx: Transaction,
  posted: readonly Entry[],
  { id, paymentId, bookingId, ownerId, amountCents: cents }: StoredTransfer,
): Promise<Entry[]> => {
  const prepared = { id, bookingId, ownerId, cents };
  const returned = rejectEntries(posted, prepared, await databaseNow(tx));
  await postEntries(tx, paymentId, returned);
  return [...posted, ...returned];
};
