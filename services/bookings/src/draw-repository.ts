import { type Booking, toDollars } from '@lendtools/contracts';
import type { Db, Transaction } from '@lendtools/service-kit';
import { spreadRefund } from './domain/booking.ts';

/** What may still go back of one of the payments that a booking draws on. */
export interface RefundableDraw {
  paymentId: string;
  leftCents: number;
}

/**
 * What may still go back of each payment that a booking draws on, with or without what a bank holds in a dispute. Their
 * payments are locked: what two bookings of a cart give back at once must fit, and so must what Stripe tells meanwhile.
 */
export const lockDraws = async (
  tx: Transaction,
  bookingId: string,
  { withHeld }: { withHeld: boolean },
): Promise<RefundableDraw[]> => {
  await tx.query(
    `SELECT FROM payments WHERE id IN (SELECT payment_id FROM draws WHERE booking_id = $1)
     ORDER BY id FOR UPDATE`,
    [bookingId],
  );
  const { rows } = await tx.query<RefundableDraw>(
    `SELECT payment_id AS "paymentId", CASE WHEN $2 THEN returnable_cents ELSE left_cents END AS "leftCents"
     FROM draw_balances WHERE booking_id = $1 ORDER BY payment_id`,
    [bookingId, withHeld],
  );
  return rows;
};

export const sumLeft = (draws: RefundableDraw[]): number =>
  draws.reduce((sum, { leftCents }) => sum + leftCents, 0);

/** Notes that cents go back to the payments they came from; returns how much to which. */
export const giveBack = async (
  tx: Transaction,
  bookingId: string,
  { draws, refundCents }: { draws: RefundableDraw[]; refundCents: number },
): Promise<{ paymentId: string; refundCents: number }[]> => {
  const refunds = spreadRefund(draws, refundCents);
  for (const refund of refunds) {
    await tx.query(
      `UPDATE draws SET refunded_cents = refunded_cents + $3 WHERE booking_id = $1 AND payment_id = $2`,
      [bookingId, refund.paymentId, refund.refundCents],
    );
  }
  return refunds;
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

/** What an admin sees of a booking's money. */
export const findSettlement = async (db: Db, bookingId: string): Promise<Settlement> => {
  const sums = await db.query<SumsRow>(
    `SELECT coalesce(sum(b.left_cents), 0)::int AS "leftCents", coalesce(sum(b.outside_cents), 0)::int AS "outsideCents",
       coalesce(sum(p.disputed_cents), 0)::int AS "disputedCents",
       (array_agg(p.dispute ORDER BY array_position('{open,lost,inquiry,won}', p.dispute)))[1] AS dispute
     FROM draw_balances b JOIN payments p ON p.id = b.payment_id WHERE b.booking_id = $1`,
    [bookingId],
  );
  const grants = await db.query<GrantRow>(
    `SELECT r.amount_cents AS "amountCents", r.reason, r.created_at AS "createdAt", r.admin_id AS "adminId",
       coalesce(a.first_name, '') AS "firstName", coalesce(a.last_name, '') AS "lastName"
     FROM booking_refunds r LEFT JOIN people a ON a.id = r.admin_id WHERE r.booking_id = $1 ORDER BY r.id`,
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
