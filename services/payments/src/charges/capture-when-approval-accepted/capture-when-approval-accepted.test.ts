import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { failInserts } from '../../../test/database-failure.ts';
import {
  acceptance,
  startTestPayments,
  type TestPayments,
} from '../../../test/payments-service.ts';

const queue = 'payments.capture-when-approval-accepted';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
});

afterAll(() => payments.stop());

const accept = async (bought: { holdId: string; userId: string }, times = 1) => {
  payments.approvals.set(bought.holdId, 'accepted');
  const event = acceptance(bought);
  for (let time = 0; time < times; time += 1) await payments.broker.send(event);
};
const charged = (paymentId: string) =>
  payments.broker.expectEvent('PaymentSucceeded', (data) => data.paymentId === paymentId);

describe(queue, () => {
  it('charges the card at once when the owner accepts', async () => {
    const bought = await payments.authorize();

    await accept(bought);

    await charged(bought.paymentId);
  });

  it('ignores a duplicate of ApprovalAccepted', async () => {
    const bought = await payments.authorize();

    await accept(bought, 3);

    await charged(bought.paymentId);
    const later = await payments.authorize();
    await accept(later);
    await charged(later.paymentId);
    expect(payments.published('PaymentSucceeded', bought.paymentId)).toHaveLength(1);
  });

  it('dead-letters a poison message', async () => {
    await payments.broker.sendRaw(queue, '{}');

    await waitFor('a dead letter', async () => (await payments.broker.countDead(queue)) === 1);
  });

  it('retries after a transient failure', async () => {
    const bought = await payments.authorize();
    await failInserts(payments.pool, 'inbox_messages', 2);

    await accept(bought);

    await charged(bought.paymentId);
  });

  it('ignores holds without a payment or without a known authorization', async () => {
    const bought = await payments.buy({ onRequest: true });
    await accept({ holdId: randomUUID(), userId: bought.userId });
    await accept(bought);

    await payments.pay(bought.intentId);
    await payments.confirm(bought);

    await charged(bought.paymentId);
  });
});
