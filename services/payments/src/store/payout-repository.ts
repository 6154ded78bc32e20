import type { EventData } from '@lendtools/contracts';
import type { Transaction } from '@lendtools/service-kit';

/**
 * Stores a payout that ended. A no-op if the row has the same status or a later one: replies of Stripe may be stored in any order.
 * @returns the payout's version, undefined after a no-op
 */
export const savePayout = async (
  tx: Transaction,
  payout: EventData<'PayoutSettled'>,
): Promise<number | undefined> => {
  const { payoutId, ownerId, amountCents, status, failureCode, arrivesAt } = payout;
  const { rows } = await tx.query<{ version: number }>(
    `INSERT INTO payouts AS p (payout_id, owner_id, amount_cents, status, failure_code, arrives_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (payout_id) DO UPDATE SET status = excluded.status, failure_code = excluded.failure_code,
       arrives_at = excluded.arrives_at, version = p.version + 1, settled_at = now()
     WHERE p.status = 'paid' AND excluded.status = 'failed'
     RETURNING version`,
    [payoutId, ownerId, amountCents, status, failureCode, arrivesAt],
  );
  return rows[0]?.version;
};
