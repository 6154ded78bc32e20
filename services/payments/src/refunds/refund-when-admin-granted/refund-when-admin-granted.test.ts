import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

const queue = 'payments.refund-when-admin-granted';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
  payments.connectWebhooks();
});
afterAll(() => payments.stop());

type Bought = Awaited<ReturnType<TestPayments['buyAndPay']>>;

const grant = (bought: Bought, refundCents: number): EventData<'BookingRefundGranted'> => {
  const [bookingId, grantId] = [randomUUID(), randomUUID()];
  return {
    bookingId,
    grantId,
    toolId: randomUUID(),
    toolName: 'Drill',
    bookingCode: 'LT123456',
    ownerId: randomUUID(),
    renterId: bought.userId,
    adminId: randomUUID(),
    reason: 'The drill was broken.',
    refunds: [{ paymentId: bought.paymentId, refundCents }],
  };
};
const granted = (data: EventData<'BookingRefundGranted'>) =>
  newEvent('BookingRefundGranted', { id: data.bookingId, version: 3 }, data);

const refundedCentsOf = async ({ intentId }: Bought): Promise<number> => {
  const { charges } = await payments.ledger();
  return charges.find((one) => one.payment_intent === intentId)?.amount_refunded ?? 0;
};

describe(queue, () => {
  it('sends each refund of an admin once, even if there are several of one booking', async () => {
    const bought = await payments.buyAndPay();
    const first = grant(bought, 1000);
    const event = granted(first);
    const second = granted({ ...first, grantId: randomUUID() });

    for (const each of [event, event, second]) await payments.broker.send(each);

    await waitFor(
      'both',
      () => payments.published('PaymentRefunded', bought.paymentId).length === 2,
    );
    expect(payments.published('PaymentRefunded', bought.paymentId)[0]?.data).toMatchObject({
      refundCents: 1000,
      reason: 'admin',
      bookingId: first.bookingId,
    });
    expect(await refundedCentsOf(bought)).toBe(2000);
  });

  it('dead-letters the event of an admin’s refund that the bookings service does not confirm or that cannot be parsed', async () => {
    const bought = await payments.buyAndPay();
    const confirmed = granted(grant(bought, 1000));
    await payments.broker.send(confirmed);
    await payments.broker.expectEvent(
      'PaymentRefunded',
      (one) => one.paymentId === bought.paymentId,
    );

    const forged = granted(grant(bought, 999));
    await payments.broker.sendRaw(queue, JSON.stringify(forged));
    await payments.broker.sendRaw(queue, 'not an event');

    await waitFor('dead letters', async () => (await payments.broker.countDead(queue)) === 2);
    expect(await refundedCentsOf(bought)).toBe(1000);
  });
});
