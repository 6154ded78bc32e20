import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { AppError, type Db, type Transaction } from '@lendtools/service-kit';
import { bookingCreated, heldLine } from './booking-events.ts';
import { type BookingRow, bookingsOfHold, renewCode, saveStatus } from './booking-repository.ts';
import { transit } from './domain/booking.ts';
import { type Command, type Purchase, type PurchaseEvent, step } from './domain/purchase.ts';
import { orderRefunds } from './refund-repository.ts';
import { lockUnits, takeUnits } from './tool-repository.ts';

export interface HoldRow extends Purchase {
  id: string;
  version: number;
}

const holdColumns = `id, status, version, user_id AS "userId", amount_cents AS "amountCents",
  expires_at AS "expiresAt", payment_started_at AS "paymentStartedAt", paid_by AS "paidBy"`;

/** One hold, locked until the transaction ends. */
export const lockHold = async (tx: Transaction, id: string): Promise<HoldRow | undefined> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** A person's unpaid holds, locked. Nobody who has one of them waits for units, so these may be locked already. */
export const lockLiveHolds = async (tx: Transaction, userId: string): Promise<HoldRow[]> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE user_id = $1 AND status = 'live' ORDER BY id FOR UPDATE`,
    [userId],
  );
  return rows;
};

/** The time by the one clock that every replica shares. */
export const databaseNow = async (tx: Transaction): Promise<Date> => {
  const { rows } = await tx.query<{ now: Date }>('SELECT now()');
  return rows[0]?.now as Date;
};

/** Some holds whose time is over, locked; another replica's are passed over. */
export const lockOverdueHolds = async (tx: Transaction, graceMs: number): Promise<HoldRow[]> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE status = 'live' AND expires_at <= now()
       AND (payment_started_at IS NULL OR expires_at <= now() - $1 * interval '1 ms')
     ORDER BY expires_at LIMIT 50 FOR UPDATE SKIP LOCKED`,
    [graceMs],
  );
  return rows;
};

/** Takes a locked hold one step further and does, in the same transaction, all that the step asks for. */
export const advance = async (
  tx: Transaction,
  hold: HoldRow,
  event: PurchaseEvent,
): Promise<{ hold: HoldRow; commands: Command[] }> => {
  const { purchase, commands } = step(hold, event);
  if (purchase === hold) {
    for (const command of commands) await carryOut(tx, hold, command);
    return { hold, commands };
  }
  const next = { ...hold, ...purchase, version: hold.version + 1 };
  await tx.query(
    `UPDATE holds SET status = $2, payment_started_at = $3, paid_by = $4, version = $5 WHERE id = $1`,
    [hold.id, next.status, next.paymentStartedAt, next.paidBy, next.version],
  );
  for (const command of commands) await carryOut(tx, next, command);
  return { hold: next, commands };
};

const carryOut = async (tx: Transaction, hold: HoldRow, command: Command): Promise<void> => {
  const bookings = await bookingsOfHold(tx, hold.id);
  if (command.do === 'free') await free(tx, hold, bookings);
  else if (command.do === 'refund') {
    const toolNames = bookings.map((booking) => booking.name);
    await rejectPayment(tx, command.paymentId, { ...command, holdId: hold.id, toolNames });
  } else await confirm(tx, bookings, command.paymentId);
};

const free = async (tx: Transaction, hold: HoldRow, drafts: BookingRow[]): Promise<void> => {
  for (const draft of drafts)
    await saveStatus(tx, draft, transit(draft.status, 'expire', 'system'));
  const data = { holdId: hold.id, userId: hold.userId, lines: drafts.map(heldLine) };
  await addToOutbox(tx, newEvent('BookingExpired', hold, data));
};

/** Drafts become bookings; those whose units were just taken again are open already. */
const confirm = async (tx: Transaction, drafts: BookingRow[], paymentId: string): Promise<void> => {
  const bookings: BookingRow[] = [];
  for (const draft of drafts) {
    bookings.push(
      draft.status === 'confirmed'
        ? draft
        : await saveStatus(tx, draft, transit(draft.status, 'confirm', 'system')),
    );
  }
  await tx.query(
    `INSERT INTO draws (payment_id, booking_id, amount_cents)
     SELECT $1, id, total_cents FROM bookings WHERE id = ANY($2)`,
    [paymentId, bookings.map((booking) => booking.id)],
  );
  await tx.query('UPDATE payments SET unassigned_cents = 0 WHERE id = $1', [paymentId]);
  await addToOutbox(tx, ...bookings.map(bookingCreated));
};

/**
 * Sends back what no booking draws on of a payment, once: afterwards nothing of it is unassigned. What was refunded in
 * Stripe's dashboard, or lost in a dispute, is taken to be of that part. What a bank only holds is promised as well, because
 * nobody would come back to it when the dispute is won: payments sends it then.
 */
export const rejectPayment = async (
  tx: Transaction,
  paymentId: string,
  {
    holdId,
    reason,
    toolNames,
  }: { holdId: string | null; reason: 'slot-lost' | 'unassigned'; toolNames: string[] },
): Promise<void> => {
  const { rows } = await tx.query<{ userId: string; refundCents: number }>(
    `UPDATE payments p SET unassigned_cents = 0,
       rejected_cents = greatest(0, p.unassigned_cents - p.outside_cents - greatest(0, p.disputed_cents - p.held_cents))
     WHERE id = $1 AND unassigned_cents > 0
     RETURNING user_id AS "userId", rejected_cents AS "refundCents"`,
    [paymentId],
  );
  for (const { userId, refundCents } of rows) {
    if (refundCents === 0) continue;
    const refunds = [{ paymentId, refundCents }];
    await orderRefunds(tx, { bookingId: null, grantId: null, reason, toolNames, refunds });
    const data = { paymentId, userId, holdId, refundCents, reason, toolNames };
    await addToOutbox(tx, newEvent('BookingRejected', { id: paymentId, version: 1 }, data));
  }
};

/**
 * Tries to take the units of an ended hold again and opens its bookings; nothing changes when one is taken or over.
 * A savepoint, because a refused insert would else end the transaction that must record the payment.
 */
export const retakeUnits = async (tx: Transaction, holdId: string): Promise<boolean> => {
  const bookings = await bookingsOfHold(tx, holdId);
  await tx.query('SAVEPOINT retake');
  try {
    await lockUnits(tx, [...new Set(bookings.map((booking) => booking.toolId))]);
    for (const draft of bookings) await reopen(tx, draft);
    await tx.query('RELEASE SAVEPOINT retake');
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await tx.query('ROLLBACK TO SAVEPOINT retake');
    return false;
  }
};

const reopen = async (tx: Transaction, draft: BookingRow): Promise<void> => {
  const { rows } = await tx.query<{ gone: boolean }>(
    `SELECT $2 <= now() OR removed_at IS NOT NULL OR owner_disabled AS gone FROM tools WHERE id = $1`,
    [draft.toolId, draft.endsAt],
  );
  if (rows[0]?.gone) throw new AppError('TOOL_UNAVAILABLE', 409, 'Too late.');
  await tx.query('DELETE FROM booking_units WHERE booking_id = $1', [draft.id]);
  const renewed = await renewCode(tx, draft);
  await saveStatus(tx, renewed, transit(renewed.status, 'retake', 'system'));
  await takeUnits(tx, draft, { status: 'confirmed', path: '' });
};

/** One purchase of a person at a time. */
export const lockUser = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('purchases of ' || $1, 0))`, [
    userId,
  ]);
};

export const insertHold = async (
  db: Db,
  hold: { userId: string; amountCents: number; unitDays: number; ttlMs: number },
): Promise<{ id: string; expiresAt: Date }> => {
  const { rows } = await db.query<{ id: string; expiresAt: Date }>(
    `INSERT INTO holds (user_id, amount_cents, unit_days, expires_at)
     VALUES ($1, $2, $3, now() + $4 * interval '1 ms') RETURNING id, expires_at AS "expiresAt"`,
    [hold.userId, hold.amountCents, hold.unitDays, hold.ttlMs],
  );
  return rows[0] as { id: string; expiresAt: Date };
};
