import { setTimeout as delay } from 'node:timers/promises';
import type { QueueName } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import { marketplace, query, whileFrozen } from '../marketplace.ts';
import { api } from '../people.ts';
import { type OpenPurchase, openMarket, openPurchases, pay, settle, showMoney } from './money.ts';

const renterCount = 6;
/** Two minutes that are left to the events, five between two comparisons, and what a busy machine takes. */
const healsWithinMs = 10 * 60_000;
/** Whatever no purge has caught has taken effect by then. */
const eventsTakeMs = 20_000;

/** Everything that lies in the queue is gone, as after a mistaken click on the broker's page. */
const purge = async (queue: QueueName): Promise<number> => {
  const { username, password, host } = new URL(marketplace().broker.page);
  const authorization = `Basic ${btoa(`${username}:${password}`)}`;
  const vhost = encodeURIComponent(new URL(marketplace().broker.amqp).pathname.slice(1) || '/');
  const url = `http://${host}/api/queues/${vhost}/${queue}`;
  const ask = async (method: string, path = '') => {
    const reply = await fetch(`${url}${path}`, { method, headers: { authorization } });
    if (!reply.ok) throw new Error(`The broker answered ${reply.status} to ${method} ${queue}`);
    return reply;
  };
  // A consumer that is frozen has some in its hands; the broker takes them back when no heartbeat comes.
  const ready = await waitFor(
    `events in ${queue}`,
    async () => {
      const counts = (await (await ask('GET')).json()) as Record<string, number>;
      return counts.messages_unacknowledged === 0 && counts.messages_ready;
    },
    60_000,
  );
  await ask('DELETE', '/contents');
  return ready;
};

/** The replicas of one service, frozen until the work is done. */
const whileAllFrozen = async (name: string, work: () => Promise<void>): Promise<void> => {
  const names = marketplace().processes.map((each) => each.name);
  const replicas = names.filter((each) => each === name || each.startsWith(`${name}-`));
  const freeze = replicas.reduce((inner, replica) => () => whileFrozen(replica, inner), work);
  await freeze();
};

/** Cards are charged and bookings cancelled, and the events about it are purged before anybody has heard them. */
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
      'payments to know',
      async () => (await countSucceeded(ids)) === ids.length,
      30_000,
    );
    const lost = await purge('bookings.confirm-bookings-when-payment-succeeded');
    console.log(`${lost} events of payments purged`);
  });
  await whileAllFrozen('payments', async () => {
    for (const { id, renter } of bookings) await cancel(id, renter);
    const lost = await purge('payments.refund-when-booking-cancelled');
    console.log(`${lost} events of cancellations purged`);
  });

  await delay(eventsTakeMs);
  await showMoney('After the purge:', ids);
  return settle(ids, healsWithinMs);
};

const bookingsOf = async (purchases: OpenPurchase[]) => {
  const rows = await query<{ id: string; paymentId: string }>(
    'bookings',
    `SELECT b.id, d.payment_id AS "paymentId" FROM bookings b JOIN draws d ON d.booking_id = b.id
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
