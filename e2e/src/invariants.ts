import { marketplace, mongo, query } from './marketplace.ts';

interface LedgerIntent {
  id: string;
  status: string;
  amount: number;
  currency: string;
}
interface LedgerRefund {
  payment_intent: string;
  amount: number;
  status: string;
}

const readLedger = async (): Promise<{ intents: LedgerIntent[]; refunds: LedgerRefund[] }> => {
  const { apiBase, secretKey } = marketplace().stripe;
  const reply = await fetch(new URL('/sandbox/ledger', apiBase), {
    headers: { authorization: `Bearer ${secretKey}` },
  });
  const ledger = (await reply.json()) as {
    paymentIntents: LedgerIntent[];
    refunds: LedgerRefund[];
  };
  return { intents: ledger.paymentIntents, refunds: ledger.refunds };
};

/** No two live bookings or holds of one unit overlap. */
const overlaps = async (): Promise<string[]> => {
  const rows = await query<{ unit_id: string }>(
    'bookings',
    `SELECT a.unit_id FROM booking_units a JOIN booking_units b
       ON a.unit_id = b.unit_id AND a.booking_id < b.booking_id AND a.during && b.during
     WHERE a.status IN ('held', 'confirmed') AND b.status IN ('held', 'confirmed')`,
  );
  return rows.map(({ unit_id }) => `overlap: unit ${unit_id} is taken twice at once`);
};

/** Each booking has as many units as its quantity, and others only for an open change. */
const units = async (): Promise<string[]> => {
  const rows = await query<{ id: string }>(
    'bookings',
    `SELECT b.id FROM bookings b WHERE b.booked_at IS NOT NULL AND b.quantity <> (
       SELECT count(*) FROM booking_units u WHERE u.booking_id = b.id AND u.change_id IS NULL AND u.status = b.status)
     UNION SELECT u.booking_id FROM booking_units u
     WHERE u.change_id IS NOT NULL AND NOT EXISTS (
       SELECT FROM booking_changes c LEFT JOIN holds h ON h.id = c.hold_id
       WHERE c.id = u.change_id AND c.status = 'open'
         AND (h.status IN ('live', 'requested') OR h.id IS NULL AND c.answer_by IS NOT NULL))`,
  );
  return rows.map(({ id }) => `units: booking ${id} has other units than its quantity`);
};

/** The bookings and refunds of each charge add up to exactly its amount, in both services and at Stripe. */
const money = async (): Promise<string[]> => {
  const { intents, refunds } = await readLedger();
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
     FROM draws d JOIN payments p ON p.id = d.payment_id GROUP BY 1`,
  );
  const bookedByPayment = new Map(booked.map((row) => [row.payment_id, row.cents]));
  const paymentByIntent = new Map(payments.map((row) => [row.intent_id, row]));
  const wrong: string[] = [];
  for (const intent of intents.filter(({ status }) => status === 'succeeded')) {
    const refunded = (...statuses: string[]): number =>
      refunds
        .filter((one) => one.payment_intent === intent.id && statuses.includes(one.status))
        .reduce((sum, { amount }) => sum + amount, 0);
    // Pending refunds count: they reduce the charge as much as those that succeeded.
    const back = refunded('succeeded', 'pending');
    const payment = paymentByIntent.get(intent.id);
    if (!payment) {
      // After a restore from an older backup, an operator must have refunded it.
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

/** The allocations of each booking equal its total, plus the price reductions of its changes, which stay allocated. */
const unpaid = async (): Promise<string[]> => {
  const rows = await query<{ id: string }>(
    'bookings',
    `SELECT b.id FROM bookings b LEFT JOIN draws d ON d.booking_id = b.id
     WHERE b.booked_at IS NOT NULL GROUP BY b.id HAVING coalesce(sum(d.amount_cents), 0) <> b.total_cents + (
       SELECT coalesce(sum(greatest(0, (c.before->>'paidCents')::int - c.total_cents)), 0) FROM booking_changes c
       WHERE c.booking_id = b.id AND c.status = 'done')`,
  );
  return rows.map(({ id }) => `unpaid: booking ${id} is not paid exactly`);
};

/** The owner of each booking has exactly one notice of it. */
const notices = async (): Promise<string[]> => {
  const bookings = await query<{ id: string; owner_id: string }>(
    'bookings',
    'SELECT id, owner_id FROM bookings WHERE booked_at IS NOT NULL',
  );
  const told = new Map<string, number>();
  await mongo('notifications', async (db) => {
    const all = db.collection('notices').find({ kind: 'tool-booked' });
    for await (const { bookingId, userId } of all) {
      const key = `${bookingId} ${userId}`;
      told.set(key, (told.get(key) ?? 0) + 1);
    }
  });
  return bookings
    .map(({ id, owner_id }) => ({ id, count: told.get(`${id} ${owner_id}`) ?? 0 }))
    .filter(({ count }) => count !== 1)
    .map(({ id, count }) => `notices: the owner has ${count} notices of booking ${id}`);
};

/** Each authorized card belongs to an open request, and each open request has an authorized card. */
const authorizations = async (): Promise<string[]> => {
  const { intents } = await readLedger();
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
  const asked = new Set(payments.map(({ intent_id }) => intent_id));
  return [
    ...[...authorized]
      .filter((id) => !asked.has(id))
      .map((id) => `authorization: ${id} is for no request`),
    ...[...asked]
      .filter((id) => !authorized.has(id))
      .map((id) => `authorization: a request is open and ${id} is not authorized`),
  ];
};

/** Describes each violated invariant. Events under way violate them too, so call it once everything has settled. */
export const violations = async (): Promise<string[]> =>
  (await Promise.all([overlaps(), units(), money(), unpaid(), notices(), authorizations()])).flat();
