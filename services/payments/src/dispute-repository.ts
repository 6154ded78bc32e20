import { columns, type Transaction } from '@lendtools/service-kit';
import type { DisputeState } from './domain/dispute.ts';

interface Dispute {
  disputeId: string;
  paymentId: string;
  amountCents: number;
  state: DisputeState;
  reason: string;
  /** When Stripe was asked for it. */
  askedAt: Date;
}

const disputeColumns = columns('disputeId paymentId amountCents state reason askedAt');

/** What is known of it; to be asked under the payment's lock. */
export const findDispute = async (
  tx: Transaction,
  disputeId: string,
): Promise<Dispute | undefined> => {
  const { rows } = await tx.query<Dispute>(
    `SELECT ${disputeColumns} FROM disputes WHERE dispute_id = $1`,
    [disputeId],
  );
  return rows[0];
};

export const listDisputes = async (tx: Transaction, paymentId: string): Promise<Dispute[]> => {
  const { rows } = await tx.query<Dispute>(
    `SELECT ${disputeColumns} FROM disputes WHERE payment_id = $1`,
    [paymentId],
  );
  return rows;
};

export const keepDispute = async (tx: Transaction, dispute: Dispute): Promise<void> => {
  const { disputeId, paymentId, amountCents, state, reason, askedAt } = dispute;
  await tx.query(
    `INSERT INTO disputes (dispute_id, payment_id, amount_cents, state, reason, asked_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (dispute_id) DO UPDATE SET amount_cents = $3, state = $4, reason = $5, asked_at = $6`,
    [disputeId, paymentId, amountCents, state, reason, askedAt],
  );
};
