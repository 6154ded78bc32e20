import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inTransaction } from '@lendtools/service-kit';
import { metricIn, waitFor } from '@lendtools/testing';
import { schedule } from '../src/store/schedule.ts';
import { type BookingsService, type Person, startBookingsService } from './bookings-service.ts';
import { changesAt, days } from './changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService({ PURGE_INTERVAL_MINUTES: '0.01' });
  await service.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'A bad row'; END $$`,
  );
});
afterAll(() => service.stop());

const { lendOnRequest, requestChange } = changesAt(() => service);

type Table = 'approvals' | 'bookings' | 'booking_changes' | 'holds' | 'payments' | 'tools';

/** Makes rows due and, in the same transaction, makes every update and delete of one row fail. */
const makeDueAndBad = async (table: Table, id: string, update = ''): Promise<void> => {
  await service.pool.query(
    `${update};
     CREATE TRIGGER refuse BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW
     WHEN (OLD.id = '${id}') EXECUTE FUNCTION refuse()`,
  );
  badTable = table;
};
let badTable: Table | undefined;
afterEach(async () => {
  if (badTable) await service.pool.query(`DROP TRIGGER refuse ON ${badTable}`);
  badTable = undefined;
});

/** Makes both rows due, the first for longer than the second. */
const longDue = (table: Table, column: string, [first, second]: [string, string]) =>
  `UPDATE ${table} SET ${column} = now() - CASE id WHEN '${first}' THEN interval '2 hours' ELSE interval '1 hour' END
   WHERE id IN ('${first}', '${second}')`;

const one = async (table: Table, id: string) =>
  (await service.pool.query(`SELECT * FROM ${table} WHERE id = $1`, [id])).rows[0];

const twice = async <T>(make: () => Promise<T>): Promise<[T, T]> => [await make(), await make()];

const lend = async (): Promise<{ id: string; renter: Person; paymentId: string }> => {
  const [renter, owner] = [await service.neighbor(), await service.person()];
  const { toolId } = await service.tool({ ownerId: owner.userId });
  const { id, payment } = await service.booked(renter, toolId);
  return { id, renter, paymentId: payment.paymentId };
};

describe('a row that a job cannot handle', () => {
  it('does not stop expire-hold from handling the next row', async () => {
    const [bad, good] = await twice(async () => service.held(await service.person()));

    await makeDueAndBad('holds', bad.id, longDue('holds', 'expires_at', [bad.id, good.id]));

    await waitFor('the good row', async () => (await service.holdStatus(good.id)) === 'ended');
    expect(await service.holdStatus(bad.id)).toBe('live');
  });

  it('is counted among the failed rows of the job', async () => {
    const { id } = await service.held(await service.person());

    await makeDueAndBad(
      'holds',
      id,
      `UPDATE holds SET expires_at = now() - interval '1 hour' WHERE id = '${id}'`,
    );

    await waitFor('the count', async () => {
      const { body } = await service.http.get('/metrics');
      return metricIn(body, 'job_failed_rows', { name: 'expire-hold' }) > 0;
    });
  });

  it('does not stop end-hold-of-change from handling the next row', async () => {
    const [bad, good] = await twice(async () => {
      const { renter, id } = await lendOnRequest();
      const { approvalId } = await requestChange(renter, id, days(10, 15));
      const { change_id: changeId, hold_id: holdId } = await one('approvals', approvalId);
      return { changeId, holdId };
    });

    await makeDueAndBad(
      'holds',
      bad.holdId,
      `UPDATE booking_changes SET status = 'ended' WHERE id IN ('${bad.changeId}', '${good.changeId}')`,
    );
    await inTransaction(service.pool, async (tx) => {
      for (const { holdId } of [bad, good]) await schedule(tx, 'end-hold-of-change', holdId);
    });

    await waitFor('the good row', async () => (await service.holdStatus(good.holdId)) === 'ended');
  });

  it('does not stop lapse-approval from handling the next row', async () => {
    const [bad, good] = await twice(async () => service.requested(await service.person()));

    await makeDueAndBad(
      'holds',
      bad.hold.id,
      longDue('approvals', 'answer_by', [bad.approvalId, good.approvalId]),
    );

    await waitFor(
      'the good row',
      async () => (await one('bookings', good.id)).status !== 'requested',
    );
  });

  it('does not stop fail-uncharged-approval from handling the next row', async () => {
    const [bad, good] = await twice(async () => {
      const request = await service.requested(await service.person());
      await service.answer(request.owner, request.approvalId, 'accept');
      return request;
    });

    await makeDueAndBad(
      'holds',
      bad.hold.id,
      `UPDATE approvals SET accepted_at = now() - interval '9 days' WHERE hold_id IN ('${bad.hold.id}', '${good.hold.id}')`,
    );

    await waitFor(
      'the good row',
      async () => (await one('bookings', good.id)).status !== 'requested',
    );
  });

  it('does not stop settle-disabled-account from handling the next row', async () => {
    const [bad, good] = await twice(async () => {
      const renter = await service.person();
      return { renter, ...(await service.requested(renter)) };
    });
    await makeDueAndBad('holds', bad.hold.id);

    for (const { renter } of [bad, good])
      await service.broker.sendNew(
        'AccountDisabled',
        { userId: renter.userId, disabled: true },
        { id: renter.userId, version: 2 },
      );

    await waitFor(
      'the good row',
      async () => (await one('bookings', good.id)).status !== 'requested',
    );
    expect((await one('bookings', bad.id)).status).toBe('requested');
  });

  it('does not stop refund-unassigned-payment from handling the next row', async () => {
    const [bad, good] = await twice(async () => {
      const payment = service.paymentOf(await service.person(), 6_000, null);
      await service.succeed(payment);
      await waitFor('the payment', () => one('payments', payment.paymentId));
      return payment;
    });

    await makeDueAndBad(
      'payments',
      bad.paymentId,
      longDue('payments', 'recorded_at', [bad.paymentId, good.paymentId]),
    );

    await waitFor(
      'the good row',
      async () => (await one('payments', good.paymentId)).unassigned_cents === 0,
    );
  });

  it('does not stop remind-owner from handling the next row', async () => {
    const [bad, good] = await twice(async () => {
      const { renter, id } = await lendOnRequest();
      return (await requestChange(renter, id, days(10, 13))).approvalId;
    });

    await makeDueAndBad('approvals', bad, longDue('approvals', 'remind_at', [bad, good]));

    await waitFor('the good row', async () => (await one('approvals', good)).remind_at === null);
  });

  it('does not stop remind-parties from handling the next row', async () => {
    const [bad, good] = await twice(lend);
    await makeDueAndBad('bookings', bad.id, longDue('bookings', 'remind_at', [bad.id, good.id]));

    await waitFor('the good row', async () => {
      const { remind_at: nextAt } = await one('bookings', good.id);
      return nextAt === null || nextAt > new Date();
    });
    expect((await one('bookings', bad.id)).remind_at < new Date()).toBe(true);
  });

  it('does not stop the purge of ended holds from handling the next row', async () => {
    const [bad, good] = await twice(async () => service.held(await service.person()));

    await makeDueAndBad(
      'holds',
      bad.id,
      `UPDATE holds SET status = 'ended', expires_at = now() - interval '8 days' WHERE id IN ('${bad.id}', '${good.id}')`,
    );

    await waitFor('the good row', async () => (await one('holds', good.id)) === undefined);
    await waitFor('the failure to be counted', async () => {
      const { body } = await service.http.get('/metrics');
      return metricIn(body, 'purge_failures_total', { kind: 'ended_holds' }) > 0;
    });
  });
});
