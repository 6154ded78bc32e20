import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@lendtools/service-kit';
import { metricIn, waitFor } from '@lendtools/testing';
import type { Deps } from '../src/deps.ts';
import { reconcileStripeEvents } from '../src/stripe-events/reconcile-stripe-events/reconcile-stripe-events.ts';
import { rejection, startTestPayments, type TestPayments } from './payments-service.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments();
  await payments.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'A bad row'; END $$`,
  );
});
afterAll(() => payments.stop());

let badTable: string | undefined;
const makeBad = async (table: string, write: string, when: string): Promise<void> => {
  await payments.pool.query(
    `CREATE TRIGGER refuse BEFORE ${write} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION refuse()`,
  );
  badTable = table;
};
afterEach(async () => {
  if (badTable) await payments.pool.query(`DROP TRIGGER refuse ON ${badTable}`);
  badTable = undefined;
});

const failedRows = async (job: string): Promise<string[]> => {
  const { rows } = await payments.pool.query('SELECT row_id FROM failed_rows WHERE job = $1', [
    job,
  ]);
  return rows.map(({ row_id: id }) => id);
};

const refunded = (paymentId: string) =>
  waitFor('the refund', () => payments.published('PaymentRefunded', paymentId).length === 1);

describe('a job with a row that it cannot handle', () => {
  it('counts a refund that send-refund cannot handle, and sends the next one', async () => {
    const [bad, good] = [await payments.buyAndPay(), await payments.buyAndPay()];
    await makeBad(
      'refunds',
      'UPDATE',
      `NEW.payment_id = '${bad.paymentId}' AND NEW.refund_id IS NOT NULL`,
    );

    for (const each of [bad, good]) await payments.broker.send(rejection(each));

    await refunded(good.paymentId);
    await waitFor('the count', async () => {
      const { body } = await payments.api.get('/metrics');
      return metricIn(body, 'job_failed_rows', { name: 'send-refund' }) === 1;
    });
  });

  it('counts a refund order that request-missed-refunds cannot handle, and reserves the next refund', async () => {
    const [bad, good] = [await payments.buyAndPay(), await payments.buyAndPay()];
    await makeBad('refunds', 'INSERT', `NEW.payment_id = '${bad.paymentId}'`);
    for (const each of [bad, good])
      payments.refundsOwed.push({ ...rejection(each).data, bookingId: null, grantId: null });

    await payments.pool.query(`UPDATE reconciliations SET next_at = now() WHERE name = 'refunds'`);

    await refunded(good.paymentId);
    expect(await failedRows('request-missed-refunds')).toEqual([bad.paymentId]);
  });

  it('counts a payment that reconcile-payment cannot handle, and settles the next one', async () => {
    const [bad, good] = [await payments.buy(), await payments.buy()];
    await makeBad('payments', 'UPDATE', `NEW.id = '${bad.paymentId}' AND NEW.status = 'canceled'`);

    for (const { paymentId } of [bad, good]) await payments.expire(paymentId);

    await waitFor(
      'the good one',
      async () => (await payments.row(good.paymentId)).status === 'canceled',
    );
    await waitFor('the bad one to fail', async () =>
      (await failedRows('reconcile-payment')).includes(bad.paymentId),
    );
  });

  it('counts an event that reconcile-stripe-events cannot handle, and applies the next one', async () => {
    const unreadable = { id: 'evt_bad', type: 'charge refunded', created: 0, data: { object: {} } };
    const list = async () => ({ data: [unreadable], has_more: false });
    const { pool } = payments;
    const stripe = { events: { list } };
    const deps = { pool, stripe, logger: createLogger('test', 'silent') } as unknown as Deps;

    await waitFor('a whole pass', async () => {
      await pool.query(`UPDATE reconciliations SET next_at = now() WHERE name = 'stripe-events'`);
      return reconcileStripeEvents(deps);
    });

    expect(await failedRows('reconcile-stripe-events')).toEqual(['evt_bad']);
  });
});
