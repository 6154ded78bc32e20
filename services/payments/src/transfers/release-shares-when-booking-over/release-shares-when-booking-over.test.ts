import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { failInserts } from '../../../test/database-failure.ts';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { type Lent, tenPercent, transfersOf } from '../../../test/transfers.ts';

const queue = 'payments.release-shares-when-booking-over';

let payments: TestPayments;
let transfers: ReturnType<typeof transfersOf>;
beforeAll(async () => {
  payments = await startTestPayments();
  payments.connectWebhooks();
  transfers = transfersOf(payments);
});
afterAll(() => payments.stop());

const inAnHour = () => new Date(Date.now() + 3_600_000);

const isReleased = ({ paymentId, bookingId }: Lent) =>
  payments.hasBalances(paymentId, {
    card: -4200,
    [`commission ${bookingId}`]: 420,
    [`available ${bookingId}`]: 3780,
  });

describe(queue, () => {
  it.each(['BookingCompleted', 'BookingCancelled', 'BookingProblemSettled'] as const)(
    'releases a share after %s',
    async (type) => {
      const lent = await transfers.lend(randomUUID());
      transfers.complete(lent);

      await transfers.bookingOver(type, lent);

      await isReleased(lent);
    },
  );

  it('releases a share that the ledger does not contain yet', async () => {
    const bookingId = randomUUID();
    const ownerId = randomUUID();
    const bought = await payments.buyAndPay();
    const { paymentId } = bought;
    await payments.hasBalances(paymentId, { card: -4200, unallocated: 4200 });
    await payments.pool.query(
      `UPDATE graphile_worker._private_jobs SET run_at = 'infinity' WHERE key = 'follow-ledger:' || $1`,
      [paymentId],
    );
    const lent = { ...bought, bookingId, ownerId };
    payments.shares.set(paymentId, [{ bookingId, ownerId, cents: 4200, terms: tenPercent }]);
    transfers.complete(lent);

    await transfers.bookingOver('BookingCompleted', lent);

    await isReleased(lent);
  });

  it('releases nothing that bookings has not completed, whatever an event says', async () => {
    const lent = await transfers.lend(randomUUID());

    await transfers.bookingOver('BookingCompleted', lent);

    await waitFor('the next reading', async () => {
      const { release_at: at } = await payments.row(lent.paymentId);
      return at > inAnHour();
    });
    expect(await payments.balances(lent.paymentId)).toEqual({
      card: -4200,
      [`pending ${lent.bookingId}`]: 4200,
    });
  });

  it('releases once when the event is repeated, and dead-letters an unreadable one', async () => {
    const lent = await transfers.lend(randomUUID());
    transfers.complete(lent);

    await payments.broker.sendRaw(queue, '{"type":"Nonsense"}');
    await transfers.bookingOver('BookingCompleted', lent);
    await transfers.bookingOver('BookingCompleted', lent);

    await isReleased(lent);
    await waitFor('the dead letter', async () => (await payments.broker.countDead(queue)) === 1);
    await transfers.rests(lent.paymentId);
    await isReleased(lent);
  });

  it('releases after a failure of the database', async () => {
    const lent = await transfers.lend(randomUUID());
    transfers.complete(lent);
    await failInserts(payments.pool, 'inbox_messages', 2);

    await transfers.bookingOver('BookingCompleted', lent);

    await isReleased(lent);
  });
});
