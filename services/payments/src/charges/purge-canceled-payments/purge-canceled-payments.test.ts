import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { purgeCanceledPayments } from './purge-canceled-payments.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments();
});
afterAll(() => payments.stop());

describe('purgeCanceledPayments', () => {
  it('deletes payments that were canceled a month ago, but no paid ones', async () => {
    await payments.pool.query(`
      INSERT INTO payments (user_id, amount_cents, status, succeeded_at, expires_at, next_check_at, created_at)
      SELECT uuidv7(), 100, status, CASE status WHEN 'canceled' THEN NULL ELSE now() END, now(), 'infinity',
        now() - days * interval '1 day'
      FROM (VALUES ('canceled', 31), ('canceled', 29), ('succeeded', 400), ('refunded', 400)) v (status, days)`);

    const deleted = await purgeCanceledPayments(payments.pool);

    const { rows } = await payments.pool.query(
      'SELECT status FROM payments ORDER BY created_at DESC',
    );
    expect(deleted).toBe(1);
    expect(rows.map(({ status }) => status).sort()).toEqual(['canceled', 'refunded', 'succeeded']);
  });
});
