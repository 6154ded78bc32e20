import { setTimeout as delay } from 'node:timers/promises';
import { countDeadLetters } from '@lendtools/event-bus';
import { violationsOfBookings } from '../src/invariants.ts';
import { marketplace, query } from '../src/marketplace.ts';
import { readBooks } from '../src/stripe-sandbox.ts';
import { queues } from './money.ts';

/** Services compare their records every five minutes, and a task that failed is retried with a growing delay. */
const settlesWithinMs = 20 * 60_000;
const checkEveryMs = 5_000;
const retryEveryMs = 60_000;

/** An event that is published and not consumed, and a task that is scheduled, are not counted, so nothing must be open for a while. */
const calmMs = 30_000;

/** Waits until no money is on its way. Prints what still is, if that takes too long. */
export const awaitSettled = async (): Promise<boolean> => {
  const startedMs = Date.now();
  let [retriedMs, calmSinceMs] = [startedMs, startedMs];
  let open: string[] = [];
  while (Date.now() - startedMs < settlesWithinMs) {
    open = await unsettled();
    if (open.length > 0) calmSinceMs = Date.now();
    if (Date.now() - calmSinceMs > calmMs) break;
    if (open.length > 0 && Date.now() - retriedMs > retryEveryMs) {
      retriedMs = Date.now();
      console.log(`Not settled yet: ${open.join(', ')}`);
      await retryNow();
    }
    await delay(checkEveryMs);
  }
  const seconds = ((Date.now() - startedMs) / 1_000).toFixed(0);
  console.log(`${open.length === 0 ? 'Settled' : 'Not settled'} after ${seconds} s`);
  for (const what of open) console.log(what);
  return open.length === 0;
};

/** Refunds and transfers that Stripe has rejected are otherwise retried after hours or days. */
const retryNow = async (): Promise<void> => {
  await query('payments', `UPDATE refunds SET next_try_at = now() WHERE status = 'failed'`);
  await query(
    'payments',
    `UPDATE transfers SET next_try_at = now() WHERE status = 'rejected' AND next_try_at < 'infinity'`,
  );
};

const unsettled = async (): Promise<string[]> => {
  const checks = [unsettledBookings, unsettledMoney, undelivered, deadLetters, unfinishedWork];
  try {
    return (await Promise.all(checks.map((check) => check()))).flat();
  } catch (error) {
    return [`unknown, because ${(error as Error).message}`];
  }
};

const unsettledBookings = async (): Promise<string[]> => {
  const over = await query(
    'bookings',
    `SELECT FROM bookings WHERE status IN ('confirmed', 'returned') AND ends_at < now() - interval '1 minute'`,
  );
  return [...counted(over.length, 'rentals to be completed'), ...(await violationsOfBookings())];
};

/**
 * The payments whose refunds Stripe rejects after a lost dispute of which the bank returned a part: an admin finds them among the
 * failed refunds, and pays the renter without Stripe.
 */
const refundedByHand = `
  SELECT payment_id FROM refunds JOIN disputes USING (payment_id)
  WHERE refunds.status = 'failed' AND error LIKE '%charged back%' AND disputes.state = 'lost'`;

/** An owner who is not ready waits for what is available. */
const unsettledMoney = async (): Promise<string[]> => {
  const completed = await query<{ id: string }>(
    'bookings',
    `SELECT id FROM bookings WHERE status = 'completed'`,
  );
  const rows = await query<{ what: string; count: number }>(
    'payments',
    `WITH balances AS (SELECT * FROM ledger_balances WHERE cents > 0)
     SELECT 'payments without shares' AS what, count(*)::int FROM balances WHERE account = 'unallocated'
     UNION ALL SELECT 'refunds to be made', count(*)::int FROM balances WHERE account = 'due'
       AND payment_id NOT IN (${refundedByHand})
     UNION ALL SELECT 'unfinished refunds', count(*)::int FROM refunds WHERE status IN ('pending', 'failed')
       AND payment_id NOT IN (${refundedByHand})
     UNION ALL SELECT 'shares to be released', count(*)::int FROM balances WHERE account = 'pending' AND booking_id = ANY($1)
     UNION ALL SELECT 'unfinished transfers', count(*)::int FROM balances WHERE account = 'sending'
     UNION ALL SELECT 'unfinished reversals', count(*)::int FROM transfer_reversals WHERE status = 'unknown'
     UNION ALL SELECT 'shares to be transferred', count(*)::int FROM balances b WHERE account = 'available' AND EXISTS (
       SELECT FROM ledger l JOIN payout_accounts a USING (owner_id)
       WHERE l.booking_id = b.booking_id AND is_payable(a))`,
    [completed.map(({ id }) => id)],
  );
  return rows.flatMap(({ what, count }) => counted(count, what));
};

const deadLetters = async (): Promise<string[]> => {
  const found = await countDeadLetters(marketplace().broker.amqp, queues);
  return counted(
    [...found.values()].reduce((sum, count) => sum + count, 0),
    'dead letters',
  );
};

const undelivered = async (): Promise<string[]> => {
  const { events, deliveries } = await readBooks();
  const delivered = new Set(deliveries.filter((one) => one.delivered).map(({ event }) => event));
  return counted(events.filter(({ id }) => !delivered.has(id)).length, 'webhooks');
};

const unfinishedWork = async (): Promise<string[]> => {
  const count = async (sql: string): Promise<number> => {
    const services = ['bookings', 'payments'];
    return (await Promise.all(services.map((service) => query(service, sql)))).flat().length;
  };
  return [
    ...counted(
      await count('SELECT FROM outbox_messages WHERE published_at IS NULL'),
      'events to be published',
    ),
    ...counted(
      await count('SELECT FROM graphile_worker.jobs WHERE last_error IS NOT NULL'),
      'failing tasks',
    ),
  ];
};

const counted = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : []);
