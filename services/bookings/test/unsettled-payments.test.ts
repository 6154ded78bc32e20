import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@lendtools/service-kit';
import { metricIn, waitFor } from '@lendtools/testing';
import { settleOrRefund } from '../src/settle/refund-unsettled-payment.ts';
import {
  type BookingsService,
  type FakePayment,
  failFirstWrites,
  startBookingsService,
} from './bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
  // Confirming a booking named `Broken <SQLSTATE>` fails with that SQLSTATE.
  await service.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.name LIKE 'Broken %' AND NEW.status = 'confirmed' THEN
        RAISE EXCEPTION 'An unforeseen fault' USING ERRCODE = right(NEW.name, 5);
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON bookings FOR EACH ROW EXECUTE FUNCTION refuse()`);
});
afterAll(() => service.stop());

const unforeseen = 'P0001';
const diskFull = '53100';
const statementTimeout = '57014';

/** A payment that has succeeded but can't be settled, because its booking can't be confirmed. */
const paidUnbookable = async (sqlState = unforeseen) => {
  const renter = await service.person();
  const { toolId } = await service.tool({ name: `Broken ${sqlState}` });
  const hold = await service.held(renter, toolId);
  const payment: FakePayment = service.paymentOf(renter, hold.amountCents, hold.id);
  return { renter, payment, toolId, hold, bookingId: hold.lines[0]?.id };
};

const compareNow = () => service.pool.query('UPDATE reconciliations SET next_at = now()');

const failuresOf = async ({ paymentId }: FakePayment): Promise<number> => {
  const { rows } = await service.pool.query(
    'SELECT failures FROM failed_settlements WHERE payment_id = $1',
    [paymentId],
  );
  return rows[0]?.failures ?? 0;
};

/** Records failed settlements, the first of them `minutes` ago. */
const setFailures = ({ paymentId }: FakePayment, failures: number, minutes: number) =>
  service.pool.query(
    `INSERT INTO failed_settlements (payment_id, failures, first_failed_at) VALUES ($1, $2, now() - $3 * interval '1 minute')
     ON CONFLICT (payment_id) DO UPDATE SET failures = excluded.failures, first_failed_at = excluded.first_failed_at`,
    [paymentId, failures, minutes],
  );

const eventsOf = (type: string, { paymentId }: FakePayment) =>
  service.broker.received.filter(
    (event) => event.type === type && JSON.stringify(event.data).includes(paymentId),
  );

const rejected = ({ paymentId }: FakePayment) =>
  service.broker.expectEvent('BookingRejected', (data) => data.paymentId === paymentId);

const owedOf = async ({ paymentId }: FakePayment) =>
  (
    await service.pool.query(
      'SELECT refund_cents, reason FROM refund_orders WHERE payment_id = $1',
      [paymentId],
    )
  ).rows;

const metric = async (name: string): Promise<number> =>
  metricIn((await service.http.get('/metrics')).body, name);

const settleOnce = ({ payment }: { payment: FakePayment }, error: unknown) =>
  settleOrRefund({ pool: service.pool, logger: createLogger('test', 'silent') }, { payment }, () =>
    Promise.reject(error),
  );

describe('a payment whose settlement keeps failing', () => {
  it('is refunded in full after 20 minutes, and its dates are freed', async () => {
    const { renter, payment, toolId, hold } = await paidUnbookable();
    const before = await metric('unsettled_payments_refunded_total');
    service.payments.push(payment);
    await compareNow();
    await waitFor('the first failure', async () => (await failuresOf(payment)) > 0);

    await setFailures(payment, 4, 20);
    await compareNow();

    const { data } = await rejected(payment);
    expect(data).toMatchObject({
      refundCents: payment.amountCents,
      reason: 'unsettled',
      userId: renter.userId,
      toolNames: [`Broken ${unforeseen}`],
    });
    expect(await owedOf(payment)).toEqual([
      { refund_cents: payment.amountCents, reason: 'unsettled' },
    ]);
    await service.broker.expectEvent('BookingExpired', ({ holdId }) => holdId === hold.id);
    expect((await service.held(await service.person(), toolId)).lines).toHaveLength(1);
    expect(await failuresOf(payment)).toBe(0);
    expect(await metric('unsettled_payments_refunded_total')).toBe(before + 1);
  });

  it('is reported to the admins', async () => {
    const { payment } = await paidUnbookable();
    await setFailures(payment, 4, 20);

    await service.succeed(payment);

    const { data } = await service.broker.expectEvent(
      'BookingPaymentChanged',
      ({ paymentId }) => paymentId === payment.paymentId,
    );
    expect(data.change).toEqual({
      kind: 'unsettled',
      cents: payment.amountCents,
      toolNames: [`Broken ${unforeseen}`],
    });
  });

  it('is refunded once when the consumer of its event and the reconciliation give up at the same time', async () => {
    const { payment } = await paidUnbookable();
    await setFailures(payment, 9, 30);
    service.payments.push(payment);

    await Promise.all([compareNow(), service.succeed(payment)]);
    await rejected(payment);
    await compareNow();
    await service.succeed(payment);
    const { payment: next } = await paidUnbookable();
    await setFailures(next, 9, 30);
    await service.succeed(next);
    await rejected(next);

    expect(await owedOf(payment)).toHaveLength(1);
    expect(eventsOf('BookingRejected', payment)).toHaveLength(1);
  });

  it.each([
    ['five failures within 19 minutes', 4, 19],
    ['four failures', 3, 60],
  ])('is not refunded yet after %s', async (_, failures, minutes) => {
    const { payment } = await paidUnbookable();
    await setFailures(payment, failures, minutes);

    await expect(settleOnce({ payment }, new Error('A fault'))).rejects.toThrow('A fault');

    expect(await owedOf(payment)).toEqual([]);
    expect(await failuresOf(payment)).toBe(failures + 1);
    await waitFor('the gauge', async () => (await metric('unsettled_payments')) > 0);
  });

  it('ends the request that it was for', async () => {
    const [owner, renter] = [await service.person(), await service.person()];
    const { toolId } = await service.toolOnRequest({
      name: `Broken ${unforeseen}`,
      ownerId: owner.userId,
    });
    const { approvalId, hold, payment } = await service.requested(renter, { toolId });
    await service.answer(owner, approvalId, 'accept');
    await setFailures(payment, 4, 20);

    await service.succeed({ ...payment, holdId: hold.id });

    expect((await rejected(payment)).data.reason).toBe('unsettled');
    await waitFor('the hold to end', async () => (await service.holdStatus(hold.id)) === 'ended');
  });

  it('ends its request even if the first attempt to do so after the refund fails', async () => {
    const [owner, renter] = [await service.person(), await service.person()];
    const { approvalId, hold, payment } = await service.requested(renter, {
      toolId: (await service.toolOnRequest({ ownerId: owner.userId })).toolId,
    });
    await service.answer(owner, approvalId, 'accept');
    await setFailures(payment, 4, 20);
    // Let the settlement fail, and also the first attempt to end the hold.
    await failFirstWrites(service.pool, 'holds', 2);

    await service.succeed(payment);

    await rejected(payment);
    await waitFor('the hold to end', async () => (await service.holdStatus(hold.id)) === 'ended');
  });
});

describe('a payment whose settlement fails for a while', () => {
  it('is booked in a later attempt, which deletes its failure count', async () => {
    const { payment, bookingId } = await paidUnbookable();
    await setFailures(payment, 3, 19);
    await service.pool.query(`UPDATE bookings SET name = 'Mended' WHERE id = $1`, [bookingId]);

    await service.succeed(payment);
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);

    expect(await failuresOf(payment)).toBe(0);
    expect(await owedOf(payment)).toEqual([]);
  });

  it('is not refunded if another attempt has booked it meanwhile', async () => {
    const { payment, bookingId } = await paidUnbookable();
    await service.pool.query(`UPDATE bookings SET name = 'Mended' WHERE id = $1`, [bookingId]);
    await service.succeed(payment);
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);
    await setFailures(payment, 9, 60);

    const isRefunded = await settleOnce({ payment }, new Error('A late fault'));

    expect(isRefunded).toBe(false);
    expect(await owedOf(payment)).toEqual([]);
    expect(await service.holdStatus(payment.holdId as string)).toBe('paid');
  });

  it('keeps its request open if another attempt has settled it meanwhile', async () => {
    const renter = await service.person();
    const { hold } = await service.requested(renter, await service.toolOnRequest());
    const payment = service.paymentOf(renter, hold.amountCents, hold.id);
    await service.pool.query(
      `INSERT INTO payments (id, user_id, amount_cents, unassigned_cents, succeeded_at) VALUES ($1, $2, $3, 0, now())`,
      [payment.paymentId, payment.userId, payment.amountCents],
    );
    await setFailures(payment, 9, 60);

    expect(await settleOnce({ payment }, new Error('A late fault'))).toBe(false);

    expect(await service.holdStatus(hold.id)).toBe('requested');
  });

  it('is not refunded if a concurrent settlement is about to commit', async () => {
    const { payment } = await paidUnbookable();
    await setFailures(payment, 9, 60);
    const other = await service.pool.connect();
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO payments (id, user_id, amount_cents, unassigned_cents, succeeded_at) VALUES ($1, $2, $3, $3, now())`,
      [payment.paymentId, payment.userId, payment.amountCents],
    );

    const refunding = settleOnce({ payment }, new Error('A fault'));
    await waitFor('the refund to wait', async () => {
      const { rows } = await other.query(
        `SELECT count(*)::int FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()`,
      );
      return rows[0].count > 0;
    });
    await other.query('COMMIT');
    other.release();

    expect(await refunding).toBe(false);
    expect(await owedOf(payment)).toEqual([]);
  });

  it.each([
    ['the disk is full', diskFull, 5, 24 * 60 + 1],
    ['its statements have timed out for less than a day', statementTimeout, 9, 23 * 60],
  ])('is not refunded while %s', async (_, sqlState, failures, minutes) => {
    const { payment } = await paidUnbookable(sqlState);
    await setFailures(payment, failures, minutes);
    const { rows } = await service.pool.query(
      'SELECT (SELECT id FROM bookings WHERE hold_id = $1) AS id',
      [payment.holdId],
    );
    const error = await service.pool
      .query(`UPDATE bookings SET status = 'confirmed', booked_at = now() WHERE id = $1`, [
        rows[0].id,
      ])
      .catch((fault: unknown) => fault);

    await expect(settleOnce({ payment }, error)).rejects.toBe(error);

    expect(error).toMatchObject({ code: sqlState });
    expect(await owedOf(payment)).toEqual([]);
  });
});
