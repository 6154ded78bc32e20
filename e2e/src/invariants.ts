import { mongo, query } from './marketplace.ts';
import { readBooks } from './stripe-sandbox.ts';

const overlaps = async (): Promise<string[]> => {
  const rows = await query<{ unit_id: string }>(
    'bookings',
    `SELECT a.unit_id FROM booking_units a JOIN booking_units b
       ON a.unit_id = b.unit_id AND a.booking_id < b.booking_id AND a.during && b.during
     WHERE a.status IN ('held', 'requested', 'confirmed') AND b.status IN ('held', 'requested', 'confirmed')`,
  );
  return rows.map(({ unit_id }) => `overlap: unit ${unit_id} is taken twice at once`);
};

/** A booking has as many units as its quantity, or more while a change is open. */
const units = async (): Promise<string[]> => {
  const rows = await query<{ id: string }>(
    'bookings',
    `SELECT b.id FROM bookings b WHERE b.booked_at IS NOT NULL AND b.quantity <> (
       SELECT count(*) FROM booking_units u WHERE u.booking_id = b.id AND u.change_id IS NULL AND u.status = b.status)
     UNION SELECT u.booking_id FROM booking_units u
     WHERE u.change_id IS NOT NULL AND NOT EXISTS (
       SELECT FROM booking_changes c LEFT JOIN holds h ON h.id = c.hold_id
       WHERE c.id = u.change_id AND c.status = 'open'
         AND (h.status IN ('live', 'requested') OR h.id IS NULL AND EXISTS (
           SELECT FROM approvals a WHERE a.change_id = c.id AND a.status IN ('pending', 'accepted'))))`,
  );
  return rows.map(({ id }) => `units: booking ${id} has other units than its quantity`);
};

/** Each requested booking or change has exactly one open approval; no other booking or change has one. */
const approvals = async (): Promise<string[]> => {
  const rows = await query<{ id: string }>(
    'bookings',
    `SELECT coalesce(a.booking_id, b.id) AS id
     FROM (SELECT * FROM approvals WHERE status IN ('pending', 'accepted')) a
     FULL JOIN (
       SELECT id FROM bookings WHERE status = 'requested'
       UNION SELECT c.booking_id FROM booking_changes c LEFT JOIN holds h ON h.id = c.hold_id
       WHERE c.status = 'open' AND (h.id IS NULL OR h.status = 'requested')) b ON b.id = a.booking_id
     WHERE a.id IS NULL OR b.id IS NULL`,
  );
  return rows.map(
    ({ id }) => `approvals: booking ${id} waits for none, or its approval for nothing`,
  );
};

/** The bookings and refunds of a charge add up to its amount, in the bookings and payments services and at Stripe. */
const money = async (): Promise<string[]> => {
  const { paymentIntents: intents, refunds } = await readBooks();
  const payments = await query<{
    id: string;
    intent_id: string;
    amount_cents: number;
    refunded_cents: number;
  }>(
    'payments',
    `SELECT id, intent_id, amount_cents, refunded_cents + outside_cents AS refunded_cents FROM payments
     WHERE succeeded_at IS NOT NULL`,
  );
  const booked = await query<{ payment_id: string; cents: number }>(
    'bookings',
    `SELECT payment_id, (sum(d.amount_cents - d.refunded_cents) - max(p.outside_cents))::int AS cents
     FROM allocations d JOIN payments p ON p.id = d.payment_id GROUP BY 1`,
  );
  const bookedByPayment = new Map(booked.map((row) => [row.payment_id, row.cents]));
  const paymentByIntent = new Map(payments.map((row) => [row.intent_id, row]));
  const wrong: string[] = [];
  for (const intent of intents.filter(({ status }) => status === 'succeeded')) {
    const refunded = (...statuses: string[]): number =>
      refunds
        .filter((one) => one.payment_intent === intent.id && statuses.includes(one.status))
        .reduce((sum, { amount }) => sum + amount, 0);
    // Include pending refunds, because they reduce the charge like succeeded ones.
    const back = refunded('succeeded', 'pending');
    const payment = paymentByIntent.get(intent.id);
    if (!payment) {
      // A restored older backup may lack this payment. No violation if the operator refunded the charge in full.
      if (back !== intent.amount)
        wrong.push(`unknown charge: ${intent.id} was charged and belongs to no payment`);
      continue;
    }
    const kept = bookedByPayment.get(payment.id) ?? 0;
    if (back > intent.amount)
      wrong.push(`refund above the charge: ${intent.id} refunded ${back} of ${intent.amount}`);
    if (kept + back !== intent.amount || payment.amount_cents !== intent.amount) {
      wrong.push(
        `unequal sums: ${intent.id} charged ${intent.amount}, books ${kept}, refunded ${back}`,
      );
    }
    if (payment.refunded_cents !== refunded('succeeded')) {
      wrong.push(
        `unequal sums: ${intent.id} refunded another amount than payments has, ${payment.refunded_cents}`,
      );
    }
  }
  return wrong;
};

/** The payments assigned to a booking equal its total plus its refunds for price reductions, which stay assigned. */
const unpaid = async (): Promise<string[]> => {
  const rows = await query<{ id: string }>(
    'bookings',
    `SELECT b.id FROM bookings b LEFT JOIN allocations d ON d.booking_id = b.id
     WHERE b.booked_at IS NOT NULL GROUP BY b.id HAVING coalesce(sum(d.amount_cents), 0) <> b.total_cents + (
       SELECT coalesce(sum(greatest(0, (c.before->>'totalCents')::int - c.total_cents)), 0) FROM booking_changes c
       WHERE c.booking_id = b.id AND c.status = 'done')`,
  );
  return rows.map(({ id }) => `unpaid: booking ${id} is not paid exactly`);
};

const notices = async (): Promise<string[]> => {
  const bookings = await query<{ id: string; owner_id: string }>(
    'bookings',
    'SELECT id, owner_id FROM bookings WHERE booked_at IS NOT NULL',
  );
  const notified = new Map<string, number>();
  await mongo('notifications', async (db) => {
    const all = db.collection('notices').find({ kind: 'tool-booked' });
    for await (const { bookingId, userId } of all) {
      const key = `${bookingId} ${userId}`;
      notified.set(key, (notified.get(key) ?? 0) + 1);
    }
  });
  return bookings
    .map(({ id, owner_id }) => ({ id, count: notified.get(`${id} ${owner_id}`) ?? 0 }))
    .filter(({ count }) => count !== 1)
    .map(({ id, count }) => `notices: the owner has ${count} notices of booking ${id}`);
};

/** Each authorized card belongs to an open request, and each open request has an authorized card. */
const authorizations = async (): Promise<string[]> => {
  const { paymentIntents: intents } = await readBooks();
  const authorized = new Set(
    intents.filter(({ status }) => status === 'requires_capture').map(({ id }) => id),
  );
  const requests = await query<{ payment_id: string }>(
    'bookings',
    `SELECT authorized_by AS payment_id FROM holds WHERE status = 'requested'`,
  );
  const payments = await query<{ intent_id: string }>(
    'payments',
    'SELECT intent_id FROM payments WHERE id = ANY($1)',
    [requests.map(({ payment_id }) => payment_id)],
  );
  const requested = new Set(payments.map(({ intent_id }) => intent_id));
  return [
    ...[...authorized]
      .filter((id) => !requested.has(id))
      .map((id) => `authorization: ${id} is for no request`),
    ...[...requested]
      .filter((id) => !authorized.has(id))
      .map((id) => `authorization: a request is open and ${id} is not authorized`),
  ];
};

/** Violations other than of the sums of money. */
export const violationsOfBookings = async (): Promise<string[]> =>
  (
    await Promise.all([overlaps(), units(), approvals(), unpaid(), notices(), authorizations()])
  ).flat();

/**
 * Call it once everything has settled, because events in transit also violate invariants. Bookings order refunds by what they
 * have read of the dashboard's refunds and of disputes, so the sums may differ if these moved money at the same time.
 */
export const violations = async (): Promise<string[]> =>
  (await Promise.all([violationsOfBookings(), money()])).flat();
