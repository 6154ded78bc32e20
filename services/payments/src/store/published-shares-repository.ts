import type { GoneFromShare } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';

interface ReadShares {
  /** The payment's version before its money was read. */
  readVersion: number;
  shares: GoneFromShare[];
}

/**
 * Publishes the shares of a locked payment if they changed, or if the payment changed at Stripe (bookings waits for that
 * version). No-op if the payment changed since `readVersion`.
 */
export const publishShares = async (
  tx: Transaction,
  paymentId: string,
  { readVersion, shares }: ReadShares,
): Promise<void> => {
  const { rows } = await tx.query<{ version: number }>(
    `UPDATE payments SET published_shares = $3::jsonb, stripe_changed_at = now(),
       version = greatest(version, shares_version + 1), shares_version = greatest(version, shares_version + 1)
     WHERE id = $1 AND version = $2
       AND (coalesce(published_shares, '[]') <> $3::jsonb OR (stripe_changed_at IS NOT NULL AND shares_version < version))
     RETURNING version`,
    [paymentId, readVersion, JSON.stringify(shares)],
  );
  for (const { version } of rows)
    await addToOutbox(
      tx,
      newEvent('PaymentSharesChanged', { id: paymentId, version }, { paymentId, shares }),
    );
};
