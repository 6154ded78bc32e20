import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import { failInserts } from '../../../test/database-failure.ts';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

const queue = 'payments.cancel-intent-when-hold-expired';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
});

afterAll(() => payments.stop());

describe(queue, () => {
  it('cancels the intent of an expired hold at once and publishes a final PaymentFailed', async () => {
    const bought = await payments.buy();

    await payments.broker.send(expiry(bought));

    const { data } = await payments.broker.expectEvent(
      'PaymentFailed',
      (one) => one.paymentId === bought.paymentId,
    );
    expect(data).toMatchObject({ final: true, holdId: bought.holdId });
    await expect(payments.pay(bought.intentId)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });

  it('ignores a duplicate of BookingExpired', async () => {
    const bought = await payments.buy();
    const event = expiry(bought);

    await payments.broker.send(event);
    await payments.broker.send(event);

    await payments.broker.expectEvent('PaymentFailed', (one) => one.paymentId === bought.paymentId);
    const later = await payments.buy();
    await payments.broker.send(expiry(later));
    await payments.broker.expectEvent('PaymentFailed', (one) => one.paymentId === later.paymentId);
    expect(payments.published('PaymentFailed', bought.paymentId)).toHaveLength(1);
  });

  it('dead-letters a poison message', async () => {
    await payments.broker.sendRaw(queue, '{}');

    await waitFor('a dead letter', async () => (await payments.broker.countDead(queue)) === 1);
  });

  it('retries after a transient failure', async () => {
    const bought = await payments.buy();
    await failInserts(payments.pool, 'inbox_messages', 2);

    await payments.broker.send(expiry(bought));

    await payments.broker.expectEvent('PaymentFailed', (one) => one.paymentId === bought.paymentId);
  });

  it('ignores holds without a payment and holds that are paid', async () => {
    const bought = await payments.buyAndPay();
    const events = [expiry(bought), expiry({ holdId: randomUUID(), userId: bought.userId })];

    for (const event of events) await payments.broker.send(event);

    await waitFor('both to be handled', async () => {
      const { rows } = await payments.pool.query(
        'SELECT 1 FROM inbox_messages WHERE event_id = ANY($1)',
        [events.map((event) => event.id)],
      );
      return rows.length === 2;
    });
    expect(await payments.row(bought.paymentId)).toMatchObject({ status: 'succeeded' });
  });
});

const expiry = ({ holdId, userId }: { holdId: string; userId: string }) => {
  return newEvent('BookingExpired', { id: holdId, version: 2 }, { holdId, userId, lines: [] });
};
