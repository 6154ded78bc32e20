import {
  type Booking,
  type ListedPayment,
  type PaymentShare,
  toDollars,
} from '@lendtools/contracts';
import {
  type CommissionTerms,
  type Earnings,
  earningsOf,
  termsOfShare,
} from '@lendtools/contracts/commission';
import type { Db, Transaction } from '@lendtools/service-kit';
import {
  type Allocation,
  type RefundableAllocation,
  type RefundPart,
  type ReleasableRental,
  releasesAt,
} from '../domain/booking.ts';
import type { BookingRow } from './booking-repository.ts';

/**
 * Returns what can still be refunded of a booking's payments. `withHeld` includes money that a bank holds in an open
 * dispute. Locks the payments, because refunds of other bookings and events from Stripe change their balances.
 */
export const lockAllocations = async (
  tx: Transaction,
  bookingId: string,
  { withHeld }: { withHeld: boolean },
): Promise<RefundableAllocation[]> => {
  await tx.query(
    `SELECT FROM payments WHERE id IN (SELECT payment_id FROM allocations WHERE booking_id = $1)
     ORDER BY id FOR UPDATE`,
    [bookingId],
  );
  const { rows } = await tx.query<RefundableAllocation>(
    `SELECT payment_id AS "paymentId", CASE WHEN $2 THEN returnable_cents ELSE left_cents END AS "leftCents",
       amount_cents - refunded_cents AS "unrefundedCents"
     FROM allocations WHERE booking_id = $1 ORDER BY payment_id`,
    [bookingId, withHeld],
  );
  return rows;
};

/** The cents of a booking that can still be refunded, including those that a bank holds in an open dispute. */
export const findReturnable = async (db: Db, bookingId: string): Promise<number> => {
  const { rows } = await db.query<{ cents: number }>(
    'SELECT coalesce(sum(returnable_cents), 0)::int AS cents FROM allocations WHERE booking_id = $1',
    [bookingId],
  );
  return rows[0]?.cents ?? 0;
};

export const findBookingsOfPayments = async (
  db: Db,
  paymentIds: string[],
): Promise<
  (Pick<BookingRow, 'id' | 'code' | 'name' | 'status' | 'startsAt'> & { paymentId: string })[]
> => {
  const { rows } = await db.query(
    `SELECT d.payment_id AS "paymentId", b.id, b.code, b.name, b.status, b.starts_at AS "startsAt"
     FROM allocations d JOIN bookings b ON b.id = d.booking_id
     WHERE d.payment_id = ANY($1) ORDER BY b.starts_at, b.id`,
    [paymentIds],
  );
  return rows;
};

/** The payments of a booking, oldest first. */
export const findPaymentIds = async (db: Db, bookingId: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT p.id FROM allocations a JOIN payments p ON p.id = a.payment_id
     WHERE a.booking_id = $1 ORDER BY p.succeeded_at, p.id`,
    [bookingId],
  );
  return rows.map(({ id }) => id);
};

/** Whether a payment of the booking has an inquiry or a dispute that is not won. */
export const isDisputed = async (db: Db, bookingId: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `SELECT FROM allocations d JOIN payments p ON p.id = d.payment_id
     WHERE d.booking_id = $1 AND p.dispute <> 'won' LIMIT 1`,
    [bookingId],
  );
  return rowCount !== 0;
};

/**
 * A booking's first share is that of its oldest payment, and bears the fixed part of the commission. A share of 0 cents has
 * no fee, so it is not counted.
 */
const isFirstSql = `NOT EXISTS (
  SELECT FROM allocations older JOIN payments o ON o.id = older.payment_id
  WHERE older.booking_id = a.booking_id AND older.amount_cents > 0 AND (o.succeeded_at, o.id) < (p.succeeded_at, p.id))`;

interface ShareRow extends ReleasableRental {
  bookingId: string;
  ownerId: string;
  toolId: string;
  cents: number;
  commission: CommissionTerms | null;
  isFirst: boolean;
}

/** The bookings that a payment pays for, by their ids. `afterHours`: from a cancellation until the release. */
export const sharesOfPayment = async (
  db: Db,
  paymentId: string,
  afterHours: number,
): Promise<PaymentShare[]> => {
  const { rows } = await db.query<ShareRow>(
    `SELECT b.id AS "bookingId", b.owner_id AS "ownerId", b.tool_id AS "toolId", a.amount_cents AS cents, b.commission,
       ${isFirstSql} AS "isFirst", b.status, b.completed_at AS "completedAt", b.cancelled_at AS "cancelledAt",
       EXISTS (SELECT FROM booking_problems WHERE booking_id = b.id AND settled_at IS NULL) AS "hasOpenProblem",
       (SELECT sum(amount_cents - refunded_cents) FROM allocations WHERE booking_id = b.id) AS "leftCents"
     FROM allocations a JOIN payments p ON p.id = a.payment_id JOIN bookings b ON b.id = a.booking_id
     WHERE a.payment_id = $1 ORDER BY b.id`,
    [paymentId],
  );
  return rows.map(({ bookingId, ownerId, toolId, cents, commission, ...row }) => ({
    bookingId,
    ownerId,
    toolId,
    cents,
    terms: termsOfShare(commission, row),
    releaseAt: releasesAt(row, afterHours)?.toISOString() ?? null,
  }));
};

/** What is left of each payment of a booking, including what a bank holds, oldest payment first. */
export const sharesOfBooking = async (
  db: Db,
  bookingId: string,
): Promise<Pick<RefundableAllocation, 'paymentId' | 'leftCents'>[]> => {
  const { rows } = await db.query<Pick<RefundableAllocation, 'paymentId' | 'leftCents'>>(
    `SELECT a.payment_id AS "paymentId", a.returnable_cents AS "leftCents"
     FROM allocations a JOIN payments p ON p.id = a.payment_id
     WHERE a.booking_id = $1 AND a.amount_cents > 0 ORDER BY p.succeeded_at, p.id`,
    [bookingId],
  );
  return rows;
};

/** What the owner earns with a booking now. @returns undefined without a commission */
export const findEarnings = async (
  db: Db,
  { id, commission }: Pick<BookingRow, 'id' | 'commission'>,
): Promise<Earnings | undefined> => {
  if (!commission) return undefined;
  const shares = await sharesOfBooking(db, id);
  return earningsOf(
    shares.map(({ leftCents }) => leftCents),
    commission,
  );
};

export type PublishedShares = NonNullable<ListedPayment['shares']>;

/**
 * Copies what is gone of a payment's shares, but ignores older versions. After a restore, payments may publish a version
 * again with other contents. Lock the payment first.
 * @returns whether anything changed
 */
export const saveShares = async (
  tx: Transaction,
  paymentId: string,
  { version, gone }: PublishedShares,
): Promise<boolean> => {
  const newer = await tx.query(
    'UPDATE payments SET shares_version = $2 WHERE id = $1 AND shares_version <= $2',
    [paymentId, version],
  );
  if (newer.rowCount === 0) return false;
  const { rowCount } = await tx.query(
    `UPDATE allocations a SET outside_cents = new.outside, lost_cents = new.lost, held_cents = new.held
     FROM (
       SELECT booking_id, coalesce(g.outside, 0) AS outside, coalesce(g.lost, 0) AS lost, coalesce(g.held, 0) AS held
       FROM allocations
       LEFT JOIN unnest($2::uuid[], $3::int[], $4::int[], $5::int[]) g (booking_id, outside, lost, held) USING (booking_id)
       WHERE payment_id = $1) new
     WHERE a.payment_id = $1 AND a.booking_id = new.booking_id
       AND (a.outside_cents, a.lost_cents, a.held_cents) <> (new.outside, new.lost, new.held)`,
    [
      paymentId,
      gone.map(({ bookingId }) => bookingId),
      gone.map(({ outsideCents }) => outsideCents),
      gone.map(({ lostCents }) => lostCents),
      gone.map(({ heldCents }) => heldCents),
    ],
  );
  return rowCount !== 0;
};

/** Whether the copied shares of payment `p` contain all changes at Stripe that are known; else they are estimated. */
export const areSharesKnownSql = 'p.shares_version >= p.stripe_version';

/**
 * Estimates what is gone of each share of payments with newer sums than shares, until `saveShares` copies what the ledger of
 * payments says. Spreads the sums over the bookings as replicas of 1.0 do. Lock the payments first.
 */
export const estimateShares = async (tx: Transaction, paymentIds: string[]): Promise<void> => {
  await tx.query(
    `UPDATE allocations a SET outside_cents = e.gone - e.lost, lost_cents = e.lost, held_cents = e.held
     FROM (
       SELECT payment_id, booking_id, gone, held, CASE WHEN has_loss THEN greatest(0, gone - outside_cents) ELSE 0 END AS lost
       FROM (
         SELECT v.payment_id, v.booking_id, v.outside_cents, p.disputed_cents > p.held_cents AS has_loss,
           greatest(0, v.amount_cents - v.refunded_cents - v.returnable_cents) AS gone,
           v.returnable_cents - v.left_cents AS held
         FROM allocation_balances v JOIN payments p ON p.id = v.payment_id
         WHERE p.id = ANY($1) AND NOT (${areSharesKnownSql})) computed) e
     WHERE a.payment_id = e.payment_id AND a.booking_id = e.booking_id
       AND (a.outside_cents, a.lost_cents, a.held_cents) <> (e.gone - e.lost, e.lost, e.held)`,
    [paymentIds],
  );
};

/** Whether the copied shares contain the changes of a version of the payment. */
export const hasShares = async (db: Db, paymentId: string, version: number): Promise<boolean> => {
  const { rowCount } = await db.query(
    'SELECT FROM payments WHERE id = $1 AND shares_version >= $2',
    [paymentId, version],
  );
  return rowCount !== 0;
};

export const saveRefund = async (
  tx: Transaction,
  bookingId: string,
  { paymentId, refundCents }: RefundPart,
): Promise<void> => {
  await tx.query(
    `UPDATE allocations SET refunded_cents = refunded_cents + $3 WHERE booking_id = $1 AND payment_id = $2`,
    [bookingId, paymentId, refundCents],
  );
};

/** Inserts allocations and subtracts them from the unallocated cents of their payments, which may lack money already. */
export const insertAllocations = async (
  tx: Transaction,
  allocations: (Allocation & { bookingId: string })[],
): Promise<void> => {
  await tx.query(
    `WITH drawn AS (
       INSERT INTO allocations (payment_id, booking_id, amount_cents)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[]) RETURNING payment_id, amount_cents)
     UPDATE payments SET unassigned_cents = unassigned_cents - cents
     FROM (SELECT payment_id, sum(amount_cents) AS cents FROM drawn GROUP BY payment_id) d WHERE id = payment_id`,
    [
      allocations.map(({ paymentId }) => paymentId),
      allocations.map(({ bookingId }) => bookingId),
      allocations.map(({ amountCents }) => amountCents),
    ],
  );
  await estimateShares(
    tx,
    allocations.map(({ paymentId }) => paymentId),
  );
};

interface SumsRow {
  leftCents: number;
  outsideCents: number;
  disputedCents: number;
  dispute: Settlement['dispute'];
}

interface GrantRow {
  amountCents: number;
  reason: string;
  createdAt: Date;
  adminId: string;
  firstName: string;
  lastName: string;
}

type Settlement = NonNullable<Booking['settlement']>;

export const findSettlement = async (db: Db, bookingId: string): Promise<Settlement> => {
  const sums = await db.query<SumsRow>(
    `SELECT coalesce(sum(a.left_cents), 0)::int AS "leftCents", coalesce(sum(a.outside_cents), 0)::int AS "outsideCents",
       coalesce(sum(p.disputed_cents), 0)::int AS "disputedCents",
       (array_agg(p.dispute ORDER BY array_position('{open,lost,inquiry,won}', p.dispute)))[1] AS dispute
     FROM allocations a JOIN payments p ON p.id = a.payment_id WHERE a.booking_id = $1`,
    [bookingId],
  );
  const grants = await db.query<GrantRow>(
    `SELECT r.amount_cents AS "amountCents", r.reason, r.created_at AS "createdAt", r.admin_id AS "adminId",
       coalesce(a.first_name, '') AS "firstName", coalesce(a.last_name, '') AS "lastName"
     FROM refund_grants r LEFT JOIN people a ON a.id = r.admin_id WHERE r.booking_id = $1 ORDER BY r.id`,
    [bookingId],
  );
  const [sum] = sums.rows;
  return {
    refundable: toDollars(sum?.leftCents ?? 0),
    refundedAtStripe: toDollars(sum?.outsideCents ?? 0),
    disputed: toDollars(sum?.disputedCents ?? 0),
    dispute: sum?.dispute ?? null,
    refunds: grants.rows.map(
      ({ amountCents, reason, createdAt, adminId, firstName, lastName }) => ({
        amount: toDollars(amountCents),
        reason,
        at: createdAt.toISOString(),
        by: { id: adminId, first_name: firstName, last_name: lastName },
      }),
    ),
  };
};
