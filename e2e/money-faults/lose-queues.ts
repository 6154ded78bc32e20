import { setTimeout as delay } from 'node:timers/promises';
import type { QueueName } from '@lendtools/contracts';
import { onConnection } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import { marketplace, query, whileFrozen } from '../src/marketplace.ts';
import { api } from '../src/people.ts';
import { type OpenPurchase, openMarket, openPurchases, pay, settle, showMoney } from './money.ts';

const renterCount = 6;
/** Services compare their records every five minutes. Ten minutes leave a margin for a busy machine. */
const healsWithinMs = 10 * 60_000;
/** After this time, the events that were not purged have taken effect. */
const eventsTakeMs = 20_000;

/**
 * Purges a queue, as an operator may do by mistake, until it has purged the expected number of events. Events delivered
 * to a frozen consumer return to the queue only when the broker misses the consumer's heartbeats.
 */
const purge = async (queue: QueueName, expected: number): Promise<void> => {
  let purged = 0;
  await onConnection(marketplace().broker.amqp, async (connection) => {
    const channel = await connection.createChannel();
    await waitFor(
      `${expected} events in ${queue}`,
      async () => {
        purged += (await channel.purgeQueue(queue)).messageCount;
        return purged >= expected;
      },
      60_000,
    );
  });
  console.log(`${purged} events purged from ${queue}`);
};

const whileAllFrozen = async (name: string, work: () => Promise<void>): Promise<void> => {
  const names = marketplace().processes.map((each) => each.name);
  const replicas = names.filter((each) => each === name || each.startsWith(`${name}-`));
  const freeze = replicas.reduce((inner, replica) => () => whileFrozen(replica, inner), work);
  await freeze();
};

export const loseQueues = async (): Promise<boolean> => {
  const market = await openMarket(renterCount);
  const [toBuy, toCancel] = [
    await openPurchases(market.slice(0, 3)),
    await openPurchases(market.slice(3)),
  ];
  const ids = [...toBuy, ...toCancel].map(({ paymentId }) => paymentId);
  for (const purchase of toCancel) await pay(purchase);
  const bookings = await waitFor('the bookings that will be cancelled', () => bookingsOf(toCancel));

  await whileAllFrozen('bookings', async () => {
    for (const purchase of toBuy) await pay(purchase);
    await waitFor(
      'payments to store the charges',
      async () => (await countSucceeded(ids)) === ids.length,
      30_000,
    );
    await purge('bookings.confirm-bookings-when-payment-succeeded', toBuy.length);
  });
  await whileAllFrozen('payments', async () => {
    for (const { id, renter } of bookings) await cancel(id, renter);
    await purge('payments.refund-when-booking-cancelled', toCancel.length);
  });

  await delay(eventsTakeMs);
  await showMoney('After the purge:', ids);
  return settle(ids, healsWithinMs);
};

const bookingsOf = async (purchases: OpenPurchase[]) => {
  const rows = await query<{ id: string; paymentId: string }>(
    'bookings',
    `SELECT b.id, d.payment_id AS "paymentId" FROM bookings b JOIN allocations d ON d.booking_id = b.id
     WHERE d.payment_id = ANY($1) AND b.status = 'confirmed'`,
    [purchases.map(({ paymentId }) => paymentId)],
  );
  if (rows.length < purchases.length) return false;
  return purchases.map(({ renter, paymentId }) => {
    return { renter, id: rows.find((row) => row.paymentId === paymentId)?.id as string };
  });
};

const countSucceeded = async (ids: string[]): Promise<number> =>
  (
    await query(
      'payments',
      'SELECT FROM payments WHERE id = ANY($1) AND succeeded_at IS NOT NULL',
      [ids],
    )
  ).length;

const cancel = async (id: string, { id: userId, token }: OpenPurchase['renter']): Promise<void> => {
  const path = `/api/user/${userId}/rentalBookings/cancel-booking/${id}`;
  const { status } = await api().post(path, { token, body: {} });
  if (status !== 200) throw new Error(`cancel-booking answered ${status}`);
};
