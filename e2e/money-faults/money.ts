import { setTimeout as delay } from 'node:timers/promises';
import { type QueueName, subscriptions } from '@lendtools/contracts';
import { countDeadLetters } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import { violations } from '../src/invariants.ts';
import { marketplace, query } from '../src/marketplace.ts';
import { listTool, newPerson, type Person } from '../src/people.ts';
import { createIntent, hold, line, payByCard } from '../src/purchases.ts';

export const queues = Object.keys(subscriptions) as QueueName[];

export interface OpenPurchase {
  renter: Person;
  paymentId: string;
  clientSecret: string;
}

export const pay = ({ clientSecret }: OpenPurchase) => payByCard(clientSecret);

interface Stall {
  renter: Person;
  toolId: string;
}

/** Creates renters, each with a tool of two units to rent, so that one unit always stays free. */
export const openMarket = async (size: number): Promise<Stall[]> => {
  const owner = await newPerson();
  const stalls: Stall[] = [];
  for (let n = 0; n < size; n++)
    stalls.push({ renter: await newPerson(), toolId: await listTool(owner, { quantity: 2 }) });
  await waitFor('bookings to store the tools', async () => {
    const rows = await query('bookings', 'SELECT id FROM tools WHERE owner_id = $1', [owner.id]);
    return rows.length === size;
  });
  return stalls;
};

export const openPurchases = async (stalls: Stall[]): Promise<OpenPurchase[]> => {
  const purchases: OpenPurchase[] = [];
  for (const { renter, toolId } of stalls)
    for (const day of [2, 5, 8]) purchases.push(await openPurchase(renter, toolId, day));
  return purchases;
};

const openPurchase = async (renter: Person, toolId: string, day: number): Promise<OpenPurchase> => {
  const held = await hold(renter, [line(toolId, day, day + 1)]);
  if (held.status !== 201) throw new Error(`holds answered ${held.status}: ${held.body.message}`);
  const { id: holdId, amountCents: amount } = held.body.hold;
  const intent = await createIntent(renter, { amount, holdId });
  if (intent.status !== 201)
    throw new Error(`create-payment-intent answered ${intent.status}: ${intent.body.message}`);
  return { renter, ...intent.body };
};

/** Counts payments by outcome. Lost: neither booked nor refunded in full. Doubled: both booked and refunded. */
const whereIsTheMoney = async (paymentIds: string[]) => {
  const idsOf = async (service: string, sql: string): Promise<string[]> =>
    (await query<{ id: string }>(service, sql, [paymentIds])).map(({ id }) => id);
  const [charged, booked, back, dead] = await Promise.all([
    idsOf('payments', 'SELECT id FROM payments WHERE id = ANY($1) AND succeeded_at IS NOT NULL'),
    idsOf(
      'bookings',
      `SELECT d.payment_id AS id FROM allocations d JOIN bookings b ON b.id = d.booking_id
       WHERE d.payment_id = ANY($1) AND b.status = 'confirmed'`,
    ),
    idsOf(
      'payments',
      'SELECT id FROM payments WHERE id = ANY($1) AND refunded_cents = amount_cents',
    ),
    countDeadLetters(marketplace().broker.amqp, queues),
  ]);
  const places = charged.map((id) => [...booked, ...back].filter((one) => one === id).length);
  return {
    charged: charged.length,
    booked: booked.length,
    refunded: back.length,
    lost: places.filter((n) => n === 0).length,
    doubled: places.filter((n) => n > 1).length,
    'dead letters': [...dead.values()].reduce((sum, n) => sum + n, 0),
  };
};

export const showMoney = async (when: string, paymentIds: string[]): Promise<void> => {
  console.log(when);
  console.table([await whereIsTheMoney(paymentIds)]);
};

/** Waits until each payment is booked or refunded and no invariant is broken. Prints the result, even on timeout. */
export const settle = async (paymentIds: string[], withinMs: number): Promise<boolean> => {
  const startedMs = Date.now();
  let isSettled = false;
  while (!isSettled && Date.now() - startedMs < withinMs) {
    const { lost, doubled, charged, 'dead letters': dead } = await whereIsTheMoney(paymentIds);
    const isWhole = charged === paymentIds.length && lost + doubled + dead === 0;
    isSettled = isWhole && (await violations()).length === 0;
    if (!isSettled) await delay(1_000);
  }
  const seconds = ((Date.now() - startedMs) / 1_000).toFixed(0);
  await showMoney(`${isSettled ? 'Settled' : 'Not settled'} after ${seconds} s:`, paymentIds);
  for (const what of await violations()) console.log(what);
  return isSettled;
};
