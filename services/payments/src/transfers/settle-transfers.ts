import {
  databaseNow,
  faultPoint,
  inTransaction,
  type Pool,
  type Transaction,
} from '@lendtools/service-kit';
import type { Entry } from '../domain/ledger.ts';
import { rejectEntries, type StripeTransfer, transferEntries } from '../domain/transfer.ts';
import { readLedger } from '../store/ledger-repository.ts';
import { lockPayment } from '../store/payment-repository.ts';
import { checkAccountNow, lockAccounts } from '../store/payout-account-repository.ts';
import { postEntries } from '../store/post-entries.ts';
import {
  endUnfinished,
  rejectTransfer,
  type StoredTransfer,
  type TransferFailure,
} from '../store/transfer-repository.ts';
import { ownerOf, recordTransfers, scheduleTransfers } from './record-transfers.ts';
import { scheduleReversals } from './schedule-reversals.ts';

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
    if (!(await endUnfinished(tx, transfer))) return;
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

/** Locks a payment and the owners of its shares. @returns the payment's entries */
export const lockLedger = async (tx: Transaction, paymentId: string): Promise<Entry[]> => {
  await lockPayment(tx, paymentId);
  const ownerIds = (await readLedger(tx, paymentId)).flatMap(({ ownerId }) => ownerId ?? []);
  await lockAccounts(tx, ownerIds);
  return readLedger(tx, paymentId);
};
