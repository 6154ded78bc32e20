import type { EventData, ListedPayment } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { type ListRange, onCommit, type Pool, type Transaction } from '@lendtools/service-kit';
import type { DisputeState } from './domain/dispute.ts';
import type { Decision, Payment, PaymentState } from './domain/payment.ts';
import { paymentCount } from './payment-metrics.ts';

/** A payment with what only our talk with Stripe needs. */
export interface StoredPayment extends Payment {
  intentId: string | null;
  clientSecret: string | null;
  intentAttempt: number;
}

interface PaymentRow {
  id: string;
  user_id: string;
  hold_id: string | null;
  amount_cents: number;
  status: PaymentState['status'];
  version: number;
  intent_id: string | null;
  client_secret: string | null;
  intent_attempt: number;
  failure: string | null;
  succeeded_at: Date | null;
  reserved_cents: number;
  refunded_cents: number;
  outside_cents: number;
  held_cents: number;
  lost_cents: number;
  dispute: DisputeState | null;
}

type Database = Pool | Transaction;

export interface NewPayment {
  userId: string;
  holdId: string | null;
  amountCents: number;
  expiresAt: Date;
}

/** How long an open payment is left to the webhook and the browser before the reconciler asks. */
const checkAfter = "interval '2 minutes'";

/** Opens a payment, or finds the one that its hold already has. */
export const openPayment = async (db: Database, payment: NewPayment): Promise<StoredPayment> => {
  const { userId, holdId, amountCents, expiresAt } = payment;
  const inserted = await db.query<PaymentRow>(
    `INSERT INTO payments (user_id, hold_id, amount_cents, expires_at, next_check_at)
     VALUES ($1, $2, $3, $4, LEAST($4, now() + ${checkAfter}))
     ON CONFLICT (hold_id) DO NOTHING RETURNING *`,
    [userId, holdId, amountCents, expiresAt],
  );
  if (inserted.rows[0]) return fromRow(inserted.rows[0]);
  const found = await db.query<PaymentRow>('SELECT * FROM payments WHERE hold_id = $1', [holdId]);
  return only(found.rows[0]);
};

/** A user's open payments without a hold; one request of theirs at a time may find out and add another. */
export const countOpenUnassigned = async (tx: Transaction, userId: string): Promise<number> => {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('payments of ' || $1, 0))`, [
    userId,
  ]);
  const { rows } = await tx.query<{ count: number }>(
    `SELECT count(*)::int FROM payments
     WHERE user_id = $1 AND hold_id IS NULL AND status IN ('pending', 'failed')`,
    [userId],
  );
  return rows[0]?.count ?? 0;
};

export const findPayment = async (db: Database, id: string): Promise<StoredPayment | null> => {
  const { rows } = await db.query<PaymentRow>('SELECT * FROM payments WHERE id = $1', [id]);
  return rows[0] ? fromRow(rows[0]) : null;
};

export const findPaymentByIntent = async (
  db: Database,
  intentId: string,
): Promise<StoredPayment | null> => {
  const { rows } = await db.query<PaymentRow>('SELECT * FROM payments WHERE intent_id = $1', [
    intentId,
  ]);
  return rows[0] ? fromRow(rows[0]) : null;
};

/** Reads the payment for a change: whoever else wants to change it waits for this transaction. */
export const lockPayment = async (tx: Transaction, id: string): Promise<StoredPayment> => {
  const { rows } = await tx.query<PaymentRow>('SELECT * FROM payments WHERE id = $1 FOR UPDATE', [
    id,
  ]);
  return only(rows[0]);
};

/**
 * Gives the payment its intent unless it has one or has ended; returns how it stands afterwards. The
 * first intent wins, so that a browser that asks twice can never be given two to pay.
 */
export const attachIntent = async (
  db: Database,
  id: string,
  intent: { id: string; client_secret: string | null },
): Promise<StoredPayment> => {
  const { rowCount } = await db.query(
    `UPDATE payments SET intent_id = $2, client_secret = $3
     WHERE id = $1 AND intent_id IS NULL AND status = 'pending'`,
    [id, intent.id, intent.client_secret],
  );
  if (rowCount) paymentCount.inc({ status: 'pending' });
  return only((await db.query<PaymentRow>('SELECT * FROM payments WHERE id = $1', [id])).rows[0]);
};

/** Takes a fresh idempotency key into use, once for all who saw the old one fail. */
export const nextIntentAttempt = async (
  db: Database,
  id: string,
  failed: number,
): Promise<void> => {
  await db.query(
    'UPDATE payments SET intent_attempt = intent_attempt + 1 WHERE id = $1 AND intent_attempt = $2',
    [id, failed],
  );
};

/** Stores a decision and its event in one transaction; a decision that changed nothing writes nothing. */
export const savePayment = async (
  tx: Transaction,
  before: StoredPayment,
  decision: Decision,
  refund?: Omit<EventData<'PaymentRefunded'>, 'paymentId' | 'userId' | 'holdId' | 'refundCents'>,
): Promise<void> => {
  const { payment, event } = decision;
  if (payment.version === before.version) return;
  const { state } = payment;
  const sums = 'refundedCents' in state ? state : null;
  await tx.query(
    `UPDATE payments SET status = $2, version = $3, failure = $4, succeeded_at = $5, reserved_cents = $6,
       refunded_cents = $7, outside_cents = $8, held_cents = $9, lost_cents = $10, dispute = $11,
       stripe_changed_at = CASE WHEN $12 THEN now() ELSE stripe_changed_at END WHERE id = $1`,
    [
      payment.id,
      state.status,
      payment.version,
      state.status === 'failed' ? state.failure : null,
      sums?.succeededAt ?? null,
      sums?.reservedCents ?? 0,
      sums?.refundedCents ?? 0,
      sums?.outsideCents ?? 0,
      sums?.heldCents ?? 0,
      sums?.lostCents ?? 0,
      sums?.dispute ?? null,
      event?.type === 'PaymentRefundedAtStripe' || event?.type === 'PaymentDisputed',
    ],
  );
  if (!event) return;
  const { id: paymentId, userId, holdId, version } = payment;
  const shared = { paymentId, userId, holdId };
  const aggregate = { id: paymentId, version };
  if (event.type === 'PaymentSucceeded') {
    onCommit(tx, () => paymentCount.inc({ status: 'succeeded' }));
    const data = succeededData({ ...before, ...payment });
    await addToOutbox(tx, newEvent('PaymentSucceeded', aggregate, data));
  } else if (event.type === 'PaymentFailed') {
    onCommit(tx, () => paymentCount.inc({ status: state.status }));
    const { final, message } = event;
    await addToOutbox(tx, newEvent('PaymentFailed', aggregate, { ...shared, final, message }));
  } else if (event.type === 'PaymentRefundedAtStripe') {
    const { type, ...news } = event;
    await addToOutbox(tx, newEvent(type, aggregate, { ...shared, ...news, ...toldSums(payment) }));
  } else if (event.type === 'PaymentDisputed') {
    const { type, ...news } = event;
    await addToOutbox(tx, newEvent(type, aggregate, { ...shared, ...news, ...toldSums(payment) }));
  } else {
    if (!refund) throw new Error(`The refund of payment ${paymentId} lacks what its event says`);
    const data = { ...shared, ...refund, refundCents: event.refundCents };
    await addToOutbox(tx, newEvent('PaymentRefunded', aggregate, data));
  }
};

/** What is not there to be given back any more, as of the payment's version. */
const toldSums = ({ id, state }: Payment) => {
  if (!('refundedCents' in state)) throw new Error(`Payment ${id} has not succeeded`);
  const { outsideCents, heldCents, lostCents, dispute } = state;
  return { outsideCents, disputedCents: heldCents + lostCents, heldCents, dispute };
};

/** What the others are told of a succeeded payment, by event and when they ask. */
export const succeededData = (payment: StoredPayment): EventData<'PaymentSucceeded'> => {
  const { id, userId, holdId, amountCents, intentId, state } = payment;
  if (!('succeededAt' in state) || !intentId) throw new Error(`Payment ${id} has not succeeded`);
  return {
    paymentId: id,
    userId,
    holdId,
    amountCents,
    currency: 'usd',
    paymentIntentId: intentId,
    succeededAt: state.succeededAt.toISOString(),
  };
};

/** The newest payments that a user made and that nothing of went back or is to. */
export const listSucceededPayments = async (
  pool: Pool,
  userId: string,
): Promise<StoredPayment[]> => {
  const { rows } = await pool.query<PaymentRow>(
    `SELECT * FROM payments WHERE user_id = $1 AND status = 'succeeded'
       AND reserved_cents + outside_cents + held_cents + lost_cents = 0
     ORDER BY id DESC LIMIT 200`,
    [userId],
  );
  return rows.map(fromRow);
};

const newsAt = 'greatest(succeeded_at, stripe_changed_at)';

/**
 * Payments that succeeded and that nothing of is promised back, and those that changed at Stripe, by the time of their last
 * news. Of a refund that it ordered itself bookings knows.
 */
export const paymentsSince = async (
  pool: Pool,
  { since, upTo, after, limit }: ListRange,
): Promise<{ at: string; key: string; item: ListedPayment }[]> => {
  const { rows } = await pool.query<PaymentRow & { at: string; has_changed: boolean }>(
    `SELECT *, ${newsAt}::text AS at, stripe_changed_at IS NOT NULL AS has_changed FROM payments
     WHERE succeeded_at IS NOT NULL AND ${newsAt} >= $1 AND ${newsAt} < $2
       AND (stripe_changed_at IS NOT NULL OR (status = 'succeeded' AND reserved_cents = 0))
       AND ($3::timestamptz IS NULL OR (${newsAt}, id) > ($3, $4))
     ORDER BY ${newsAt}, id LIMIT $5`,
    [since, upTo, after?.at ?? null, after?.key ?? null, limit],
  );
  return rows.map((row) => {
    const payment = fromRow(row);
    const item: ListedPayment = {
      ...succeededData(payment),
      mayBeBooked: row.status === 'succeeded' && row.reserved_cents === 0,
      ...(row.has_changed && { atStripe: { version: row.version, ...toldSums(payment) } }),
    };
    return { at: row.at, key: row.id, item };
  });
};

/** Expired by the database's clock: one clock for all replicas, whatever theirs say. */
export type DuePayment = StoredPayment & { isExpired: boolean };

/**
 * Claims open payments that are due for a look. Moving `next_check_at` on in the claim is a lease: other
 * replicas skip the rows, and a replica that dies with them leaves them due again a minute later.
 */
export const claimDuePayments = async (pool: Pool, limit: number): Promise<DuePayment[]> => {
  const { rows } = await pool.query<PaymentRow & { is_expired: boolean }>(
    `UPDATE payments SET next_check_at = now() + interval '1 minute' WHERE id IN (
       SELECT id FROM payments WHERE status IN ('pending', 'failed') AND next_check_at <= now()
       ORDER BY next_check_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING *, expires_at <= now() AS is_expired`,
    [limit],
  );
  return rows.map((row) => ({ ...fromRow(row), isExpired: row.is_expired }));
};

/** Leaves an open payment alone for a while: at most until it expires. */
export const checkLater = async (pool: Pool, id: string): Promise<void> => {
  await pool.query(
    `UPDATE payments SET next_check_at = GREATEST(LEAST(expires_at, now() + ${checkAfter}), now() + interval '5 seconds')
     WHERE id = $1`,
    [id],
  );
};

/** The hold is gone: its payment, if it is still open, ends now. */
export const expirePaymentOfHold = async (db: Database, holdId: string): Promise<void> => {
  await db.query(
    `UPDATE payments SET expires_at = LEAST(expires_at, now()), next_check_at = now()
     WHERE hold_id = $1 AND status IN ('pending', 'failed')`,
    [holdId],
  );
};

const only = (row: PaymentRow | undefined): StoredPayment => {
  if (!row) throw new Error('The payment is not there');
  return fromRow(row);
};

const fromRow = (row: PaymentRow): StoredPayment => {
  return {
    id: row.id,
    userId: row.user_id,
    holdId: row.hold_id,
    amountCents: row.amount_cents,
    version: row.version,
    intentId: row.intent_id,
    clientSecret: row.client_secret,
    intentAttempt: row.intent_attempt,
    state: stateOf(row),
  };
};

const stateOf = (row: PaymentRow): PaymentState => {
  if (row.status === 'failed') return { status: 'failed', failure: row.failure ?? '' };
  if (row.status === 'pending' || row.status === 'canceled') return { status: row.status };
  return {
    status: row.status,
    succeededAt: row.succeeded_at ?? new Date(0),
    reservedCents: row.reserved_cents,
    refundedCents: row.refunded_cents,
    outsideCents: row.outside_cents,
    heldCents: row.held_cents,
    lostCents: row.lost_cents,
    dispute: row.dispute,
  };
};
