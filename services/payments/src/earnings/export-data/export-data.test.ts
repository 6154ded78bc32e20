import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments();
});
afterAll(() => payments.stop());

describe('GET /internal/users/:userId/data-of-payments', () => {
  it("returns the caller's payments and nobody else's", async () => {
    const bought = await payments.buyAndPay();
    await payments.buyAndPay();
    const path = `/internal/users/${bought.userId}/data-of-payments`;

    const { body } = await payments.api.get(path, bought);
    const others = await payments.api.get(path, await payments.signIn());

    expect(body.files).toMatchObject({
      payments: [{ id: bought.paymentId, status: 'succeeded' }],
      refunds: [],
      transfers: [],
      payouts: [],
      'payout-account': [],
      'write-offs': [],
    });
    expect(others.status).toBe(403);
  });
});
