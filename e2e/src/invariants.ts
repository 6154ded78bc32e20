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

/** Whoever has a booking has as many units as it says, and nothing beside but for an open change. */
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
  return rows.map(({ id }) => `units: booking ${id} has not the units that it says`);
};

/** Every charge stands for bookings of exactly its amount, or went back in full; none is charged twice. */
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
    // What is on its way counts as given: it leaves the charge as much as what has arrived.
    const back = refunded('succeeded', 'pending');
    const payment = paymentByIntent.get(intent.id);
    if (!payment) {
      // A backup from before the charge was restored, and an operator gave the money back.
      if (back !== intent.amount)
        wrong.push(`unknown charge: ${intent.id} was charged and no payment knows of it`);
      continue;
    }
    const kept = bookedByPayment.get(payment.id) ?? 0;
    if (back > intent.amount)
      wrong.push(`refund above the charge: ${intent.id} gave back ${back} of ${intent.amount}`);
    if (kept + back !== intent.amount || payment.amount_cents !== intent.amount) {
      wrong.push(
        `unequal sums: ${intent.id} took ${intent.amount}, books ${kept}, gave back ${back}`,
      );
    }
    if (payment.refunded_cents !== refunded('succeeded')) {
      wrong.push(
        `unequal sums: ${intent.id} gave back what payments takes for ${payment.refunded_cents}`,
      );
    }
  }
  return wrong;
};

/** No booking without payments of its exact amount; what a change takes off the price stays allocated, or goes back. */
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

/** The owner has exactly one notice of each booking. */
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

/** No card stays authorized for what is no request, and no request waits for a card that is not authorized. */
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
      .map((id) => `authorization: a request waits for ${id}`),
  ];
};

/** What of the invariants does not hold now, in words; nothing when all is well. Ask when all has settled. */
export const violations = async (): Promise<string[]> =>
  (await Promise.all([overlaps(), units(), money(), unpaid(), notices(), authorizations()])).flat();
