import type { GoneFromShare } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';

/**
 * Publishes the shares of a locked payment if they changed, or if the payment changed at Stripe (bookings waits for that
 * version). The payment must not have changed since its money was read.
 */
export const publishShares = async (
  tx: Transaction,
  paymentId: string,
  shares: GoneFromShare[],
): Promise<void> => {
  const { rows } = await tx.query<{ version: number }>(
    `UPDATE payments SET published_shares = $2::jsonb, stripe_changed_at = now(),
       version = greatest(version, shares_version + 1), shares_version = greatest(version, shares_version + 1)
     WHERE id = $1
       AND (coalesce(published_shares, '[]') <> $2::jsonb OR (stripe_changed_at IS NOT NULL AND shares_version < version))
     RETURNING version`,
    [paymentId, JSON.stringify(shares)],
  );
  for (const { version } of rows)
    await addToOutbox(
      tx,
      newEvent('PaymentSharesChanged', { id: paymentId, version }, { paymentId, shares }),
    );
};
