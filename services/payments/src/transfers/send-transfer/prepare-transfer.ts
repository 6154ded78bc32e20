import {
  databaseNow,
  faultPoint,
  inTransaction,
  schedule,
  type Transaction,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { balanceOf, ownerOf } from '../../domain/ledger.ts';
import type { ShareId } from '../../domain/share.ts';
import { netDebts, prepareEntries } from '../../domain/transfer.ts';
import { listNettableDebts } from '../../store/debt-repository.ts';
import { listOpenDisputes } from '../../store/dispute-repository.ts';
import { lockLedger } from '../../store/lock-ledger.ts';
import { findAccount, type StoredAccount } from '../../store/payout-account-repository.ts';
import { postEntries } from '../../store/post-entries.ts';
import { hasReturnedMoney } from '../../store/reversal-repository.ts';
import {
  delayTransfer,
  endRejectedTransfers,
  hasUnknownTransfer,
  insertTransfer,
  rescheduleTransfer,
  type StoredTransfer,
  shareKey,
} from '../../store/transfer-repository.ts';

/** About as long as the first claim of a transfer. */
const claimMs = 20_000;

/**
 * Pays the owner's debts from what a share has, and inserts a transfer of the rest. Waits while something stops it: its end
 * schedules the task again.
 * @returns undefined if there is nothing to transfer now
 */
export const prepareTransfer = (
  { pool }: Pick<Deps, 'pool'>,
  share: ShareId,
): Promise<StoredTransfer | undefined> =>
  inTransaction(pool, async (tx) => {
    const { paymentId, bookingId } = share;
    const posted = await lockLedger(tx, paymentId);
    const ownerId = ownerOf(posted, bookingId);
    if (!ownerId) return undefined;
    if (await hasUnknownTransfer(tx, share)) {
      // Its claim may have ended since this task looked for one.
      await schedule(tx, 'send-transfer', shareKey(share), new Date(Date.now() + claimMs));
      return undefined;
    }
    if (balanceOf(posted, 'available', bookingId) === 0) {
      await endRejectedTransfers(tx, share);
      return undefined;
    }
    const accountId = payableAccount(await findAccount(tx, ownerId));
    if (!accountId || (await isStopped(tx, share)) || (await rescheduleTransfer(tx, share)))
      return undefined;
    const happenedAt = await databaseNow(tx);
    const debts = (await listNettableDebts(tx, ownerId)).toSorted(ownFirst(share));
    const owned = { ...share, ownerId };
    const { movements, leftCents } = netDebts(posted, owned, { debts, happenedAt });
    for (const one of movements) await postEntries(tx, one.paymentId, one.entries);
    await endRejectedTransfers(tx, share);
    if (leftCents === 0) return undefined;
    const transfer = await insertTransfer(tx, { ...owned, accountId, amountCents: leftCents });
    const prepared = { id: transfer.id, bookingId, ownerId, cents: leftCents };
    await postEntries(tx, paymentId, prepareEntries(prepared, happenedAt));
    await faultPoint('payments.beforePrepareCommit');
    return transfer;
  });

const payableAccount = (account: StoredAccount | undefined): string | null =>
  account?.state === 'ready' && !account.isHeld ? account.accountId : null;

const isStopped = async (tx: Transaction, share: ShareId): Promise<boolean> => {
  const disputes = await listOpenDisputes(tx, share.paymentId);
  if (disputes.some(({ isWaived }) => !isWaived)) return true;
  return hasReturnedMoney(tx, share);
};

/**
 * Delays a transfer of unknown outcome while something stops it. Its money is not available meanwhile: an earlier request may
 * still be carried out.
 * @returns whether it waits
 */
export const delayIfStopped = (
  { pool }: Pick<Deps, 'pool'>,
  transfer: StoredTransfer,
): Promise<boolean> =>
  inTransaction(pool, async (tx) => {
    await lockLedger(tx, transfer.paymentId);
    const isPayable = payableAccount(await findAccount(tx, transfer.ownerId)) !== null;
    if (isPayable && !(await isStopped(tx, transfer))) return false;
    await delayTransfer(tx, transfer.id);
    return true;
  });

/** A share's own debt comes first, then the owner's oldest. */
const ownFirst =
  ({ paymentId, bookingId }: ShareId) =>
  (one: ShareId, other: ShareId): number => {
    const isOwn = (debt: ShareId) => debt.paymentId === paymentId && debt.bookingId === bookingId;
    return Number(isOwn(other)) - Number(isOwn(one));
  };
