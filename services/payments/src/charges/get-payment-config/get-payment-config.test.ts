import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
});

afterAll(() => payments.stop());

describe('GET /api/payment/config', () => {
  it("returns the sandbox's script when the sandbox is used", async () => {
    const reply = await payments.api.get('/api/payment/config');

    expect(reply).toMatchObject({
      status: 200,
      body: { publishableKey: payments.publishableKey, scriptUrl: `${payments.sandbox.url}/v3/` },
    });
  });
});
