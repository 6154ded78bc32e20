import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { internalSecret } from '../../../test/fake-bookings.ts';
import { insertShare } from '../../../test/ledger-entries.ts';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments();
});
afterAll(() => payments.stop());

const none = { refunds: 0, disputes: 0, earnings: 0, debts: 0 };
const at = '2026-05-01T12:00:00.000Z';

const openOf = async (userId: string) =>
  (await payments.api.get(`/internal/users/${userId}/open-money`, { token: internalSecret })).body;

const share = (
  ownerId: string,
  ...moves: Parameters<typeof insertShare>[1]['movements'][0]['moves']
) => insertShare(payments.pool, { ownerId, movements: [{ key: 'test', at, moves }] });

const renterOf = async (paymentId: string): Promise<string> =>
  (await payments.row(paymentId)).user_id;

describe('GET /internal/users/:userId/open-money', () => {
  it('counts the bookings whose price is still to be sent to the owner', async () => {
    const ownerId = randomUUID();
    await share(ownerId, ['card', 'unallocated', 4_000], ['unallocated', 'pending', 4_000]);
    await share(
      ownerId,
      ['card', 'unallocated', 4_000],
      ['unallocated', 'pending', 4_000],
      ['pending', 'available', 4_000],
      ['available', 'owner', 4_000],
    );

    expect(await openOf(ownerId)).toEqual({ ...none, earnings: 1 });
  });

  it('counts what the owner owes', async () => {
    const ownerId = randomUUID();
    await share(ownerId, ['debts', 'due', 1_500], ['due', 'card', 1_500]);

    expect(await openOf(ownerId)).toEqual({ ...none, debts: 1 });
  });

  it('counts unfinished refunds of the renter, and undecided disputes of both parties', async () => {
    const ownerId = randomUUID();
    const { paymentId } = await share(
      ownerId,
      ['card', 'unallocated', 4_000],
      ['unallocated', 'operator', 4_000],
    );
    const renterId = await renterOf(paymentId);
    await payments.pool.query(
      `INSERT INTO refunds (key, payment_id, amount_cents, reason, tool_names, status, next_try_at)
       VALUES ($1::text, $1::uuid, 500, 'admin', '{}', 'failed', now() + interval '1 day')`,
      [paymentId],
    );
    await payments.pool.query(
      `INSERT INTO disputes (dispute_id, payment_id, amount_cents, state, status, reason, answer_by, requested_at)
       VALUES ($1, $2, 500, 'open', 'needs_response', 'general', 'infinity', now())`,
      [`dp_${paymentId}`, paymentId],
    );

    expect(await openOf(renterId)).toEqual({ ...none, refunds: 1, disputes: 1 });
    expect(await openOf(ownerId)).toEqual({ ...none, disputes: 1 });
    await payments.pool.query(`UPDATE disputes SET state = 'lost' WHERE payment_id = $1`, [
      paymentId,
    ]);
    await payments.pool.query(`UPDATE refunds SET status = 'succeeded' WHERE payment_id = $1`, [
      paymentId,
    ]);
    expect([await openOf(renterId), await openOf(ownerId)]).toEqual([none, none]);
  });

  it('rejects a caller without the secret of the services', async () => {
    const caller = await payments.signIn();

    const reply = await payments.api.get(`/internal/users/${randomUUID()}/open-money`, caller);

    expect(reply.status).toBe(401);
  });
});
