import { internalRoutes, mostReceiptLines, type ReceiptLine } from '@lendtools/contracts';
import { type Circle, readPeriod } from '@lendtools/contracts/rental-period';
import { type Db, handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import type { TimesAndPrice } from '../../domain/change.ts';
import { paymentNotFound } from '../../domain/errors.ts';

/** The payments service calls this for receipts. Replies 404 until the payment is recorded here. */
export const listReceiptLines = ({ pool }: Deps) =>
  handle(internalRoutes.receiptLines, async ({ params }) => {
    const renterName = await findRenterName(pool, params.paymentId);
    if (renterName === undefined) throw paymentNotFound();
    return { renterName, lines: await findLines(pool, params.paymentId) };
  });

const findRenterName = async (db: Db, paymentId: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ name: string }>(
    `SELECT coalesce(r.first_name || ' ' || r.last_name, '') AS name
     FROM payments p LEFT JOIN people r ON r.id = p.user_id WHERE p.id = $1`,
    [paymentId],
  );
  return rows[0]?.name;
};

type Row = Omit<ReceiptLine, 'before' | 'rentalCircle' | 'period' | 'discountCents'> & {
  circle: Circle;
  totalCents: number;
  before: TimesAndPrice | null;
};

/**
 * Later changes leave the receipt as it was. A line shows what its payment paid for: the change whose hold it paid, or the
 * booking before its first change.
 */
const findLines = async (db: Db, paymentId: string): Promise<ReceiptLine[]> => {
  const { rows } = await db.query<Row>(
    `SELECT b.id AS "bookingId", b.code AS "bookingCode", b.name AS "toolName",
       coalesce(o.first_name || ' ' || o.last_name, '') AS "ownerName", b.circle, b.time_zone AS "timeZone",
       b.price_cents AS "priceCents", a.amount_cents AS "amountCents", paid.before,
       coalesce(paid.start_date, first.before->>'startDate', b.start_date) AS "startDate",
       coalesce(paid.start_time, first.before->>'startTime', b.start_time) AS "startTime",
       coalesce(paid.end_date, first.before->>'endDate', b.end_date) AS "endDate",
       coalesce(paid.end_time, first.before->>'endTime', b.end_time) AS "endTime",
       coalesce(paid.quantity, (first.before->>'quantity')::int, b.quantity) AS quantity,
       coalesce(paid.total_cents, (first.before->>'totalCents')::int, b.total_cents) AS "totalCents"
     FROM allocations a
     JOIN payments p ON p.id = a.payment_id
     JOIN bookings b ON b.id = a.booking_id
     LEFT JOIN people o ON o.id = b.owner_id
     LEFT JOIN booking_changes paid ON paid.hold_id = p.hold_id
     LEFT JOIN LATERAL (SELECT before FROM booking_changes
       WHERE booking_id = b.id AND status = 'done' ORDER BY done_at, id LIMIT 1) first ON paid.id IS NULL
     WHERE a.payment_id = $1 ORDER BY b.id LIMIT $2`,
    [paymentId, mostReceiptLines],
  );
  return rows.map(({ circle, totalCents, before, ...row }) => {
    const read = readPeriod(row, { circle, timeZone: row.timeZone });
    if ('problem' in read) throw new Error(`Booking ${row.bookingId} has no valid times`);
    const { period } = read;
    const discountCents = row.priceCents * period * row.quantity - totalCents;
    return { ...row, rentalCircle: circle, period, discountCents, before };
  });
};
