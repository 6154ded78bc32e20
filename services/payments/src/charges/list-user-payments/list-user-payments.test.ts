import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
});

afterAll(() => payments.stop());

describe('GET /internal/users/:userId/payments', () => {
  it("lists the caller's own succeeded payments with the data of their PaymentSucceeded events", async () => {
    const bought = await payments.buyAndPay();

    const mine = await payments.api.get(`/internal/users/${bought.userId}/payments`, bought);
    const others = await payments.api.get(
      `/internal/users/${bought.userId}/payments`,
      await payments.signIn(),
    );

    const [event] = payments.published('PaymentSucceeded', bought.paymentId);
    expect(mine).toMatchObject({ status: 200, body: { payments: [event?.data] } });
    expect(others.status).toBe(403);
  });
});
