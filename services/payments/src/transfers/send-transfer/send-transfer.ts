import { faultPoint, rowAttempts } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import type { Deps } from '../../deps.ts';
import type { ShareId } from '../../domain/share.ts';
import { findPayment } from '../../store/payment-repository.ts';
import {
  claimTransfer,
  findUnrecorded,
  rescheduleTransfer,
  type StoredTransfer,
  sendAgainLater,
  shareIdOf,
} from '../../store/transfer-repository.ts';
import { rethrowOutage, withoutSecrets } from '../../stripe/stripe-api.ts';
import { failureOf, judgeFailure } from '../judge-failure.ts';
import { groupOf, readTransfers, toTransfer } from '../read-transfers.ts';
import { rejectPrepared, replacePrepared, settleTransfers } from '../settle-transfers.ts';
import { delayIfStopped, prepareTransfer } from './prepare-transfer.ts';

export type TransferDeps = Pick<Deps, 'pool' | 'stripe' | 'logger'>;

/** Transfers to the owner what a share has, or finds the outcome of its last transfer. @param key of the share */
export const sendTransfer = async (deps: TransferDeps, key: string): Promise<void> => {
  const { logger } = deps;
  const transfer = await claimOrPrepare(deps, shareIdOf(key));
  if (!transfer) return;
  const { attempt } = await rowAttempts(deps, 'send-transfer');
  await attempt(transfer.id, () =>
    send(deps, transfer).catch((error) => recordFailure(deps, transfer, error)),
  ).catch((err) => logger.warn({ err, transfer: transfer.id }, 'a transfer could not be sent'));
};

const claimOrPrepare = async (
  deps: TransferDeps,
  share: ShareId,
): Promise<StoredTransfer | undefined> => {
  const claimed = await claimTransfer(deps.pool, share);
  if (claimed) return claimed;
  return (await rescheduleTransfer(deps.pool, share)) ? undefined : prepareTransfer(deps, share);
};

const send = async (deps: TransferDeps, transfer: StoredTransfer): Promise<void> => {
  const { pool, stripe } = deps;
  const { paymentId, bookingId, id } = transfer;
  const payment = await findPayment(pool, paymentId);
  if (!payment?.intentId || !payment.chargeId)
    throw new Error(`Payment ${paymentId} has no captured charge`);
  const { intentId, chargeId } = payment;
  await faultPoint('payments.beforeStripeTransfer');
  if (await adopt(deps, transfer, intentId)) return;
  // It was checked when it was prepared, which may be long ago.
  if (transfer.tries > 1 && (await delayIfStopped(deps, transfer))) return;
  const made = await createAtStripe(stripe, transfer, { intentId, chargeId });
  await faultPoint('payments.afterStripeTransfer');
  const sent = toTransfer(made, { bookingId, transferId: id, reversals: [] });
  await settleTransfers(pool, paymentId, [sent]);
};

/**
 * Looks at Stripe first: a request that failed may have been carried out, and a restored backup lacks the transfers that were
 * sent since.
 * @returns whether a transfer of the share was found that is not recorded yet
 */
const adopt = async (
  { pool, stripe, logger }: TransferDeps,
  transfer: StoredTransfer,
  intentId: string,
): Promise<boolean> => {
  const { id, paymentId, bookingId } = transfer;
  const all = await readTransfers(stripe, { paymentId, intentId });
  const transferIds = all.map(({ transferId }) => transferId);
  const unrecorded = await findUnrecorded(pool, transferIds);
  const found = all.filter(
    (one) => one.bookingId === bookingId && unrecorded.includes(one.transferId),
  );
  if (found.length === 0) return false;
  logger.info({ transfer: id, found }, 'found a transfer at Stripe');
  await settleTransfers(pool, paymentId, found);
  // Another transfer sent this row's money: end the row and transfer what is left.
  if (!found.some(({ rowId }) => rowId === id)) await replacePrepared(pool, transfer);
  return true;
};

const createAtStripe = (
  stripe: Stripe,
  { id, attempt, ...transfer }: StoredTransfer,
  { intentId, chargeId }: { intentId: string; chargeId: string },
): Promise<Stripe.Transfer> => {
  const { paymentId, bookingId, accountId, amountCents, withoutSource } = transfer;
  return stripe.transfers.create(
    {
      amount: amountCents,
      currency: 'usd',
      destination: accountId,
      transfer_group: groupOf(intentId),
      ...(!withoutSource && { source_transaction: chargeId }),
      metadata: { paymentId, bookingId, transferId: id },
    },
    { idempotencyKey: `transfer:${id}#${attempt}` },
  );
};

/** @throws the failure, unless Stripe rejected the transfer */
const recordFailure = async (
  deps: TransferDeps,
  transfer: StoredTransfer,
  failure: unknown,
): Promise<void> => {
  const { pool, logger } = deps;
  const { id } = transfer;
  const verdict = judgeFailure(failure, transfer);
  if (verdict === 'rejected') {
    logger.error({ err: withoutSecrets(failure), transfer: id }, 'Stripe rejected a transfer');
    return rejectPrepared(pool, transfer, failureOf(failure));
  }
  const withoutSource = verdict === 'without-source';
  const freshKey = verdict !== 'unknown';
  await sendAgainLater(pool, id, { ...failureOf(failure), freshKey, withoutSource });
  if (!withoutSource) rethrowOutage(failure, logger);
};
