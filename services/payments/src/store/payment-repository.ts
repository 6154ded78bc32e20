import type { GoneFromShare } from '@lendtools/contracts';
import {
  columns,
  type Db,
  type ListRange,
  type Pool,
  type Transaction,
} from '@lendtools/service-kit';
import type { Payment, PaymentState } from '../domain/payment.ts';

export interface StoredPayment extends Payment {
  intentId: string | null;
  /** Known once the ledger contains the payment. */
  chargeId: string | null;
  clientSecret: string | null;
  /** Whether the intent saves its card. */
  savesCard: boolean;
  intentAttempt: number;
  /** Declined cards plus failed authentications. */
  declines: number;
  failedAuthentications: string[];
}

type ChargedState = Extract<PaymentState, { succeededAt: Date }>;

/** Fields that the payment's state lacks are null or 0. */
type PaymentRow = Omit<StoredPayment, 'state'> &
  Omit<ChargedState, 'status' | 'succeededAt'> & {
    status: PaymentState['status'];
    failure: string | null;
    succeededAt: Date | null;
    authorizedAt: Date | null;
  };

const paymentColumns = columns(
  `id userId holdId onRequest amountCents version intentId chargeId clientSecret savesCard intentAttempt declines failedAuthentications status failure succeededAt
   authorizedAt reservedCents refundedCents outsideCents heldCents lostCents dispute`,
);
const selected = `SELECT ${paymentColumns} FROM payments`;

export interface NewPayment {
  userId: string;
  holdId: string | null;
  onRequest: boolean;
  amountCents: number;
  expiresAt: Date;
  networks: string[];
}

/** When to check an open payment that neither the webhook nor the browser has settled. */
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

/** Serializes a user's new payments until the commit, so that concurrent requests can't add two where one is allowed. */
export const lockPaymentsOf = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('payments of ' || $1, 0))`, [
    userId,
  ]);
};

/** A user's open payment without a hold. */
export const findOpenUnassigned = (db: Db, userId: string): Promise<StoredPayment | undefined> =>
  find(
    db,
    `WHERE user_id = $1 AND hold_id IS NULL AND status IN ('pending', 'failed') ORDER BY id DESC LIMIT 1`,
    userId,
  );

/** An open payment of one of these holds whose card is neither charged nor authorized. */
export const findUnpaidOfHolds = (db: Db, holdIds: string[]): Promise<StoredPayment | undefined> =>
  find(
    db,
    `WHERE hold_id = ANY($1) AND status IN ('pending', 'failed') AND authorized_at IS NULL ORDER BY id LIMIT 1`,
    holdIds,
  );

export const findPaymentOfHold = (db: Db, holdId: string): Promise<StoredPayment | undefined> =>
  find(db, 'WHERE hold_id = $1', holdId);

const find = async (
  db: Db,
  where: string,
  value: string | string[],
): Promise<StoredPayment | undefined> => {
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

export const setSavesCard = async (db: Db, id: string, savesCard: boolean): Promise<void> => {
  await db.query('UPDATE payments SET saves_card = $2 WHERE id = $1', [id, savesCard]);
};

export const readPayment = (db: Db, id: string): Promise<StoredPayment> =>
  one(db, 'WHERE id = $1', id);

export const findPaymentByIntent = (db: Db, intentId: string): Promise<StoredPayment | undefined> =>
  find(db, 'WHERE intent_id = $1', intentId);

/** Does not block entries of the payment that another transaction inserts: one that nets a debt may hold its owner's lock. */
export const lockPayment = (tx: Transaction, id: string): Promise<StoredPayment> =>
  one(tx, 'WHERE id = $1 FOR NO KEY UPDATE', id);

/** Sets a payment's intent, unless the payment has an intent or has ended. @returns whether the intent was set */
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

/** Makes the next try use a fresh key. No-op if a concurrent request that saw the same failure already did. */
export const nextIntentAttempt = async (db: Db, id: string, failed: number): Promise<void> => {
  await db.query(
    'UPDATE payments SET intent_attempt = intent_attempt + 1 WHERE id = $1 AND intent_attempt = $2',
    [id, failed],
  );
};

/**
 * Saves a payment. An authorization is due at once when it begins or ends.
 * @param hasChangedAtStripe whether a dispute or a dashboard refund changed it, so that the bookings service reconciles it again
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
      // `authorized` is stored as `pending` with `authorized_at`.
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

/** The user's newest payments with nothing refunded, reserved for a refund, or disputed. */
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

const changedAt = 'greatest(succeeded_at, stripe_changed_at)';

interface ListedRow {
  at: string;
  hasChangedAtStripe: boolean;
  publishedShares: GoneFromShare[] | null;
  sharesVersion: number;
}

/**
 * Lists payments that have no reserved refund or changed at Stripe. The bookings service has ordered the refunds of the
 * others.
 */
export const paymentsSince = async (
  pool: Pool,
  { since, upTo, after, limit }: ListRange,
): Promise<(ListedRow & { payment: StoredPayment })[]> => {
  const { rows } = await pool.query<PaymentRow & ListedRow>(
    `SELECT ${paymentColumns}, ${columns('publishedShares sharesVersion')}, ${changedAt}::text AS at,
       stripe_changed_at IS NOT NULL AS "hasChangedAtStripe"
     FROM payments WHERE succeeded_at IS NOT NULL AND ${changedAt} >= $1 AND ${changedAt} < $2
       AND (stripe_changed_at IS NOT NULL OR (status = 'succeeded' AND reserved_cents = 0))
       AND ($3::timestamptz IS NULL OR (${changedAt}, id) > ($3, $4))
     ORDER BY ${changedAt}, id LIMIT $5`,
    [since, upTo, after?.at ?? null, after?.key ?? null, limit],
  );
  return rows.map((row) => ({ ...row, payment: fromRow(row) }));
};

/** `isExpired` uses the database's clock, because the replicas' clocks may differ. */
export type DuePayment = StoredPayment & { isExpired: boolean };

/**
 * Claims a payment that is due, or an ended authorization that the bookings service has not acknowledged. The claim is a
 * lease of a minute, in case this replica dies. If the payment is not due yet, schedules the task again.
 */
export const claimDuePayment = async (pool: Pool, id: string): Promise<DuePayment | undefined> => {
  const { rows } = await pool.query<PaymentRow & { isExpired: boolean }>(
    `UPDATE payments SET next_check_at = now() + interval '1 minute'
     WHERE id = $1 AND next_check_at <= now()
       AND (status IN ('pending', 'failed') OR (status = 'canceled' AND authorized_at IS NOT NULL))
     RETURNING ${paymentColumns}, expires_at <= now() AS "isExpired"`,
    [id],
  );
  const [row] = rows;
  if (row) return { ...fromRow(row), isExpired: row.isExpired };
  await pool.query(
    'UPDATE payments SET next_check_at = next_check_at WHERE id = $1 AND next_check_at > now()',
    [id],
  );
  return undefined;
};

/** `overdueSeconds`: how long ago the oldest open payment should have ended. */
export const countOpenPayments = async (
  db: Db,
): Promise<{ count: number; overdueSeconds: number }> => {
  const { rows } = await db.query<{ count: number; overdueSeconds: number }>(
    `SELECT count(*) AS count, coalesce(greatest(0, extract(epoch FROM now() - min(expires_at))), 0)::float8 AS "overdueSeconds"
     FROM payments WHERE status IN ('pending', 'failed')`,
  );
  return rows[0] as { count: number; overdueSeconds: number };
};

/** Postpones the next check, at most until the payment expires, unless an event has made it due meanwhile. */
export const checkLater = async (pool: Pool, id: string, after: string): Promise<void> => {
  await pool.query(
    `UPDATE payments SET next_check_at = GREATEST(LEAST(expires_at, now() + $2::interval), now() + interval '5 seconds')
     WHERE id = $1 AND next_check_at > now()`,
    [id, after],
  );
};

/** Postpones the next check by a tenth of the payment's age, 5 to 60 minutes. No-op if an event has made it due. */
export const checkAuthorizationLater = async (pool: Pool, id: string): Promise<void> => {
  await pool.query(
    `UPDATE payments SET next_check_at = now() + least(interval '1 hour',
       greatest(interval '5 minutes', (now() - authorized_at) / 10))
     WHERE id = $1 AND next_check_at > now()`,
    [id],
  );
};

/** Stops the checks of an authorization whose end the bookings service has acknowledged. */
export const stopChecking = async (pool: Pool, id: string): Promise<void> => {
  await pool.query(`UPDATE payments SET next_check_at = 'infinity' WHERE id = $1`, [id]);
};

export const checkPaymentOfHold = async (db: Db, holdId: string): Promise<void> => {
  await db.query(
    `UPDATE payments SET next_check_at = now() WHERE hold_id = $1 AND status = 'pending'`,
    [holdId],
  );
};

/** Makes a hold's payment due, and expires it unless its card is authorized: the bookings service decides about such a card. */
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
  const { intentId, chargeId, clientSecret, savesCard, intentAttempt, declines } = row;
  return {
    id,
    userId,
    holdId,
    onRequest,
    amountCents,
    version,
    intentId,
    chargeId,
    clientSecret,
    savesCard,
    intentAttempt,
    declines,
    failedAuthentications: row.failedAuthentications,
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
