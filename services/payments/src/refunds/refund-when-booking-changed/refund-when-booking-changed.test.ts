import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { bookingChanged, waitFor } from '@lendtools/testing';
import { failInserts } from '../../../test/database-failure.ts';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

const queue = 'payments.refund-when-booking-changed';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments();
});
afterAll(() => payments.stop());

interface Bought {
  paymentId: string;
  userId: string;
  intentId: string;
}

const changed = ({ paymentId, userId }: Bought, refundCents: number) => {
  const refunds = [{ paymentId, refundCents }];
  const data = bookingChanged({ renterId: userId, dueCents: 0, refunds });
  return newEvent('BookingChanged', { id: data.bookingId, version: 3 }, data);
};

const refundsOf = async ({ intentId }: Bought): Promise<number[]> =>
  (await payments.ledger()).refunds
    .filter((one) => one.payment_intent === intentId)
    .map(({ amount }) => amount)
    .sort();

const refunded = ({ paymentId }: Bought, count: number) =>
  waitFor(
    `${count} × PaymentRefunded`,
    () => payments.published('PaymentRefunded', paymentId).length === count,
  );

const oneMoreDead = async (before: number) =>
  waitFor('a dead letter', async () => (await payments.broker.countDead(queue)) === before + 1);

describe(queue, () => {
  it('refunds each change of a booking once, and also the cancellation of that booking', async () => {
    const bought = await payments.buyAndPay();
    const first = changed(bought, 1_000);
    const { bookingId } = first.data;
    const second = { ...changed(bought, 500) };
    second.data = { ...second.data, bookingId };
    const cancelled = newEvent(
      'BookingCancelled',
      { id: bookingId, version: 5 },
      {
        ...first.data,
        cancelledBy: 'renter',
        reason: '',
        refunds: [{ paymentId: bought.paymentId, refundCents: 2_700 }],
      },
    );

    for (const event of [first, second, first, cancelled]) await payments.broker.send(event);

    await refunded(bought, 3);
    expect(await refundsOf(bought)).toEqual([1_000, 2_700, 500].sort());
    expect(
      payments.published('PaymentRefunded', bought.paymentId).map(({ data }) => data),
    ).toContainEqual(expect.objectContaining({ reason: 'changed', refundCents: 1_000, bookingId }));
  });

  it('refunds nothing for a change that the bookings service does not confirm', async () => {
    const bought = await payments.buyAndPay();
    const before = await payments.broker.countDead(queue);

    await payments.broker.sendRaw(queue, JSON.stringify(changed(bought, 1_000)));

    await oneMoreDead(before);
    expect(await refundsOf(bought)).toEqual([]);
  });

  it('dead-letters a poison message', async () => {
    const before = await payments.broker.countDead(queue);

    await payments.broker.sendRaw(queue, 'not an event');

    await oneMoreDead(before);
  });

  it('retries after a transient failure', async () => {
    const bought = await payments.buyAndPay();
    await failInserts(payments.pool, 'refunds', 2);

    await payments.broker.send(changed(bought, 1_000));

    await refunded(bought, 1);
    expect(await refundsOf(bought)).toEqual([1_000]);
  });

  it('retries an event that arrives before the payment has succeeded', async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId);
    await payments.broker.send(changed(bought, 1_000));

    await payments.confirm(bought);

    await refunded(bought, 1);
  });
});
