import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { purgeStripeEvents } from './purge-stripe-events.ts';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
});

afterAll(() => payments.stop());

describe('purgeStripeEvents', () => {
  it('deletes events that were handled a month ago, but no newer ones', async () => {
    await payments.pool.query(`
      INSERT INTO stripe_events (id, type, handled_at) VALUES
        ('evt_old', 'refund.created', now() - interval '31 days'),
        ('evt_young', 'refund.created', now() - interval '29 days')`);

    await purgeStripeEvents(payments.pool);

    const { rows } = await payments.pool.query('SELECT id FROM stripe_events');
    expect(rows).toEqual([{ id: 'evt_young' }]);
  });
});
