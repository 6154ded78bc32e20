import {
  columns,
  type Db,
  type ListRange,
  type Pool,
  type Transaction,
} from '@lendtools/service-kit';
import { maxDeclinesOfPayment } from './domain/declines.ts';
import type { Payment, PaymentState } from './domain/payment.ts';

/** A payment with the fields that only the code that calls Stripe needs. */
export interface StoredPayment extends Payment {
  intentId: string | null;
  clientSecret: string | null;
  intentAttempt: number;
  /** Declined cards plus failed authentications. */
  declines: number;
  /** Stripe's ids of the cards whose authentication failed. */
  failedAuthentications: string[];
}

/** No card can pay any more: the reconciler cancels the intent within a second. */
export const hasEndedByDeclines = ({ state, declines }: StoredPayment): boolean =>
  declines >= maxDeclinesOfPayment &&
  (state.status === 'pending' || state.status === 'failed' || state.status === 'canceled');

type ChargedState = Extract<PaymentState, { succeededAt: Date }>;

/** Fields that only some states have are null or 0 in the others. */
type PaymentRow = Omit<StoredPayment, 'state'> &
  Omit<ChargedState, 'status' | 'succeededAt'> & {
    status: PaymentState['status'];
    failure: string | null;
    succeededAt: Date | null;
    authorizedAt: Date | null;
  };

const paymentColumns = columns(
  `id userId holdId onRequest amountCents version intentId clientSecret intentAttempt declines failedAuthentications status failure succeededAt
   authorizedAt reservedCents refundedCents outsideCents heldCents lostCents dispute`,
);
const selected = `SELECT ${paymentColumns} FROM payments`;

export interface NewPayment {
  userId: string;
  holdId: string | null;
  onRequest: boolean;
  amountCents: number;
  expiresAt: Date;
  /** Keyed hashes of the payer's networks. */
  networks: string[];
}

/** The reconciler checks an open payment after this time if neither the webhook nor the browser has settled it. */
const checkAfter = "interval '2 minutes'";

/** Inserts a payment, or returns the hold's existing one. */
export const openPayment = async (db: Db, payment: NewPayment): Promise<StoredPayment> => {
  const { userId, holdId, onRequest, amountCents, expiresAt, networks } = payment;
  const { rows } = await db.query<PaymentRow>(
    `INSERT INTO payments (user_id, hold_id, amount_cents, expires_at, next_check_at, on_request, networks)
     VALUES ($1, $2, $3, $4, LEAST($4, now() + ${checkAfter}), $5, $6)
     ON CONFLICT (hold_id) DO NOTHING RETURNING ${paymentColumns}`,
    [userId, holdId, amountCents, expiresAt, onRequest, networks],
  );
  return rows[0] ? fromRow(rows[0]) : one(db, 'WHERE hold_id = $1', holdId as string);
};

/** Finds a user's open payment without a hold. Locks per user until the commit, so that concurrent requests can't both add one. */
export const lockOpenUnassigned = async (
  tx: Transaction,
  userId: string,
): Promise<StoredPayment | undefined> => {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('payments of ' || $1, 0))`, [
    userId,
  ]);
  return findOpenUnassigned(tx, userId);
};

export const findOpenUnassigned = (db: Db, userId: string): Promise<StoredPayment | undefined> =>
  find(
    db,
    `WHERE user_id = $1 AND hold_id IS NULL AND status IN ('pending', 'failed') ORDER BY id DESC LIMIT 1`,
    userId,
  );

/** At the limit on declines, makes the payment due, so that the reconciler cancels its intent. */
export const saveDeclines = async (
  tx: Transaction,
  { id, state, declines, failedAuthentications }: StoredPayment,
): Promise<void> => {
  const isOpen = state.status === 'pending' || state.status === 'failed';
  await tx.query(
    `UPDATE payments SET declines = $2, failed_authentications = $3,
       expires_at = CASE WHEN $4 THEN LEAST(expires_at, now()) ELSE expires_at END,
       next_check_at = CASE WHEN $4 THEN now() ELSE next_check_at END
     WHERE id = $1`,
    [id, declines, failedAuthentications, isOpen && declines >= maxDeclinesOfPayment],
  );
};

export const findPaymentOfHold = (db: Db, holdId: string): Promise<StoredPayment | undefined> =>
  find(db, 'WHERE hold_id = $1', holdId);

const find = async (db: Db, where: string, value: string): Promise<StoredPayment | undefined> => {
  const { rows } = await db.query<PaymentRow>(`${selected} ${where}`, [value]);
  return rows[0] && fromRow(rows[0]);
};

const one = async (db: Db, where: string, value: string): Promise<StoredPayment> => {
  const payment = await find(db, where, value);
  if (!payment) throw new Error('The payment does not exist');
  return payment;
};

export const findPayment = (db: Db, id: string): Promise<StoredPayment | undefined> =>
  find(db, 'WHERE id = $1', id);

export const readPayment = (db: Db, id: string): Promise<StoredPayment> =>
  one(db, 'WHERE id = $1', id);

export const findPaymentByIntent = (db: Db, intentId: string): Promise<StoredPayment | undefined> =>
  find(db, 'WHERE intent_id = $1', intentId);

export const lockPayment = (tx: Transaction, id: string): Promise<StoredPayment> =>
  one(tx, 'WHERE id = $1 FOR UPDATE', id);

/** Sets the intent unless the payment has one or has ended. @returns whether it did */
export const setIntent = async (
  db: Db,
  id: string,
  intent: { id: string; client_secret: string | null },
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `UPDATE payments SET intent_id = $2, client_secret = $3
     WHERE id = $1 AND intent_id IS NULL AND status = 'pending'`,
    [id, intent.id, intent.client_secret],
  );
  return rowCount !== 0;
};

/** Moves on to a fresh idempotency key; a no-op if a concurrent request that saw the same failure already did. */
export const nextIntentAttempt = async (db: Db, id: string, failed: number): Promise<void> => {
  await db.query(
    'UPDATE payments SET intent_attempt = intent_attempt + 1 WHERE id = $1 AND intent_attempt = $2',
    [id, failed],
  );
};

/**
 * Makes a payment due at once when it becomes authorized or stops being so.
 * @param hasChangedAtStripe a dispute or a refund in the dashboard: moves the payment's place in the list that bookings reconciles
 */
export const updatePayment = async (
  tx: Transaction,
  { id, version, state }: Payment,
  hasChangedAtStripe: boolean,
): Promise<void> => {
  const sums = 'refundedCents' in state ? state : null;
  const isAuthorized = state.status === 'authorized';
  await tx.query(
    `UPDATE payments SET status = $2, version = $3, failure = $4, succeeded_at = $5, reserved_cents = $6,
       refunded_cents = $7, outside_cents = $8, held_cents = $9, lost_cents = $10, dispute = $11,
       stripe_changed_at = CASE WHEN $12 THEN now() ELSE stripe_changed_at END,
       authorized_at = CASE WHEN $13 THEN now() ELSE authorized_at END,
       expires_at = CASE WHEN $13 THEN 'infinity' ELSE expires_at END,
       next_check_at = CASE WHEN $13 OR authorized_at IS NOT NULL THEN now() ELSE next_check_at END
     WHERE id = $1`,
    [
      id,
      // `authorized` is stored as pending with authorized_at (migration 0012).
      isAuthorized ? 'pending' : state.status,
      version,
      state.status === 'failed' ? state.failure : null,
      sums?.succeededAt ?? null,
      sums?.reservedCents ?? 0,
      sums?.refundedCents ?? 0,
      sums?.outsideCents ?? 0,
      sums?.heldCents ?? 0,
      sums?.lostCents ?? 0,
      sums?.dispute ?? null,
      hasChangedAtStripe,
      isAuthorized,
    ],
  );
};

/** The user's newest payments with nothing refunded, promised or disputed. */
export const findSucceededPayments = async (
  pool: Pool,
  userId: string,
): Promise<StoredPayment[]> => {
  const { rows } = await pool.query<PaymentRow>(
    `${selected} WHERE user_id = $1 AND status = 'succeeded'
       AND reserved_cents + outside_cents + held_cents + lost_cents = 0
     ORDER BY id DESC LIMIT 200`,
    [userId],
  );
  return rows.map(fromRow);
};

const newsAt = 'greatest(succeeded_at, stripe_changed_at)';

/**
 * Payments that succeeded with no refund promised, and payments that changed at Stripe without us, by the time of that change.
 * Leaves out other refunded payments: bookings ordered those refunds itself.
 */
export const paymentsSince = async (
  pool: Pool,
  { since, upTo, after, limit }: ListRange,
): Promise<{ at: string; payment: StoredPayment; hasChangedAtStripe: boolean }[]> => {
  const { rows } = await pool.query<PaymentRow & { at: string; hasChangedAtStripe: boolean }>(
    `SELECT ${paymentColumns}, ${newsAt}::text AS at, stripe_changed_at IS NOT NULL AS "hasChangedAtStripe"
     FROM payments WHERE succeeded_at IS NOT NULL AND ${newsAt} >= $1 AND ${newsAt} < $2
       AND (stripe_changed_at IS NOT NULL OR (status = 'succeeded' AND reserved_cents = 0))
       AND ($3::timestamptz IS NULL OR (${newsAt}, id) > ($3, $4))
     ORDER BY ${newsAt}, id LIMIT $5`,
    [since, upTo, after?.at ?? null, after?.key ?? null, limit],
  );
  return rows.map((row) => ({ ...row, payment: fromRow(row) }));
};

/** Must match the predicate of the index `payments_due`. */
const isDue = `(status IN ('pending', 'failed')
  OR (status = 'canceled' AND authorized_at IS NOT NULL AND next_check_at < 'infinity'))`;

/** `isExpired` compares with the database's clock, because the replicas' clocks may differ. */
export type DuePayment = StoredPayment & { isExpired: boolean };

/**
 * Claims payments that are due for a check: open ones, and ended authorizations that bookings has not acknowledged yet. The
 * claim is a lease of one minute: other replicas skip the rows, and they are due again if this replica dies.
 */
export const claimDuePayments = async (pool: Pool, limit: number): Promise<DuePayment[]> => {
  const { rows } = await pool.query<PaymentRow & { isExpired: boolean }>(
    `UPDATE payments SET next_check_at = now() + interval '1 minute' WHERE id IN (
       SELECT id FROM payments WHERE ${isDue} AND next_check_at <= now()
       ORDER BY next_check_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING ${paymentColumns}, expires_at <= now() AS "isExpired"`,
    [limit],
  );
  return rows.map((row) => ({ ...fromRow(row), isExpired: row.isExpired }));
};

/** How many payments may still succeed, and how long ago the oldest of them should have ended. */
export const countOpenPayments = async (
  db: Db,
): Promise<{ count: number; overdueSeconds: number }> => {
  const { rows } = await db.query<{ count: number; overdueSeconds: number }>(
    `SELECT count(*) AS count, coalesce(greatest(0, extract(epoch FROM now() - min(expires_at))), 0)::float8 AS "overdueSeconds"
     FROM payments WHERE status IN ('pending', 'failed')`,
  );
  return rows[0] as { count: number; overdueSeconds: number };
};

/** Postpones the check of an open payment, at most until it expires. No-op if an event has made it due meanwhile. */
export const checkLater = async (pool: Pool, id: string, after: string): Promise<void> => {
  await pool.query(
    `UPDATE payments SET next_check_at = GREATEST(LEAST(expires_at, now() + $2::interval), now() + interval '5 seconds')
     WHERE id = $1 AND next_check_at > now()`,
    [id, after],
  );
};

/**
 * Postpones the check of an authorization by a tenth of its age, between 5 minutes and an hour: an owner may take days to
 * answer, and events trigger a check at once. No-op if an event has made it due meanwhile.
 */
export const checkAuthorizationLater = async (pool: Pool, id: string): Promise<void> => {
  await pool.query(
    `UPDATE payments SET next_check_at = now() + least(interval '1 hour',
       greatest(interval '5 minutes', (now() - authorized_at) / 10))
     WHERE id = $1 AND next_check_at > now()`,
    [id],
  );
};

/** For an ended authorization whose end bookings has acknowledged. */
export const stopChecking = async (pool: Pool, id: string): Promise<void> => {
  await pool.query(`UPDATE payments SET next_check_at = 'infinity' WHERE id = $1`, [id]);
};

export const checkPaymentOfHold = async (db: Db, holdId: string): Promise<void> => {
  await db.query(
    `UPDATE payments SET next_check_at = now() WHERE hold_id = $1 AND status = 'pending'`,
    [holdId],
  );
};

/** Ends the open payment of a hold that is gone. An authorization is only checked now: bookings decides whether it ends. */
export const expirePaymentOfHold = async (db: Db, holdId: string): Promise<void> => {
  await db.query(
    `UPDATE payments SET next_check_at = now(),
       expires_at = CASE WHEN authorized_at IS NULL THEN LEAST(expires_at, now()) ELSE expires_at END
     WHERE hold_id = $1 AND status IN ('pending', 'failed')`,
    [holdId],
  );
};

const fromRow = (row: PaymentRow): StoredPayment => {
  const { id, userId, holdId, onRequest, amountCents, version } = row;
  const { intentId, clientSecret, intentAttempt, declines, failedAuthentications } = row;
  return {
    id,
    userId,
    holdId,
    onRequest,
    amountCents,
    version,
    intentId,
    clientSecret,
    intentAttempt,
    declines,
    failedAuthentications,
    state: stateOf(row),
  };
};

const stateOf = (row: PaymentRow): PaymentState => {
  const { status, succeededAt, reservedCents, refundedCents, outsideCents } = row;
  if (status === 'failed') return { status, failure: row.failure ?? '' };
  if (status === 'pending' && row.authorizedAt) return { status: 'authorized' };
  if (status === 'pending' || status === 'authorized' || status === 'canceled') return { status };
  const { heldCents, lostCents, dispute } = row;
  return {
    status,
    succeededAt: succeededAt ?? new Date(0),
    reservedCents,
    refundedCents,
    outsideCents,
    heldCents,
    lostCents,
    dispute,
  };
};
