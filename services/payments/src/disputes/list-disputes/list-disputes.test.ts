import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { httpClient, waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

const weekMs = 7 * 86_400_000;

let payments: TestPayments;
let token: string;
beforeAll(async () => {
  payments = await startTestPayments();
  payments.connectWebhooks();
  token = await payments.accounts.sign({ userId: randomUUID(), role: 'Admin' });
});
beforeEach(() => payments.pool.query('DELETE FROM disputes'));
afterAll(() => payments.stop());

const atBank = async (path: string, body: object = {}) =>
  (
    await httpClient(payments.sandbox.url).post(`/sandbox/disputes${path}`, {
      token: 'sk_test_payments',
      body,
    })
  ).body;

const list = async (query: string) =>
  (await payments.api.get(`/api/admin/disputes?${query}`, { token })).body;

const untilListed = (what: string, query: string, matches: (one: object) => boolean) =>
  waitFor(what, async () => (await list(query)).disputes.find(matches));

const dispute = async (dueInDays?: number): Promise<string> => {
  const { intentId } = await payments.buyAndPay();
  const { id } = await atBank('', { payment_intent: intentId });
  await payments.webhooksDelivered(intentId);
  if (dueInDays !== undefined)
    await payments.pool.query(
      `UPDATE disputes SET answer_by = now() + $2 * interval '1 day' WHERE dispute_id = $1`,
      [id, dueInDays],
    );
  return id;
};

const idsOf = ({ disputes }: { disputes: { id: string }[] }) => disputes.map(({ id }) => id);

describe('GET /api/admin/disputes', () => {
  it('returns what an admin needs to answer a dispute in time', async () => {
    const openedAt = Date.now();
    const bought = await payments.buyAndPay('pm_card_createDisputeProductNotReceived');
    const booking = {
      id: randomUUID(),
      booking_code: 'LT123456',
      name: 'Drill',
      booking_status: 'Booked',
      startsAt: '2026-12-01T15:00:00.000Z',
    };
    payments.bookingsOf.set(bought.paymentId, [booking]);

    const shown = await untilListed('the dispute', 'when=open', () => true);

    expect(shown).toEqual({
      id: expect.stringMatching(/^du_/),
      paymentId: bought.paymentId,
      state: 'open',
      status: 'needs_response',
      reason: 'product_not_received',
      amountCents: 4200,
      paidCents: 4200,
      answerBy: expect.any(String),
      waivedAt: null,
      createdAt: expect.any(String),
      stripeUrl: `${payments.sandbox.url}/dashboard`,
      bookings: [booking],
    });
    const { answerBy } = shown as { answerBy: string };
    expect(Math.abs(Date.parse(answerBy) - openedAt - weekMs)).toBeLessThan(3_600_000);
  });

  it('sorts open disputes by deadline, with those waiting for the bank last', async () => {
    const later = await dispute(9);
    const overdue = await dispute(-1);
    const answered = await dispute();
    const soon = await dispute(2);
    await atBank(`/${answered}/answer`);
    await untilListed(
      'the answer',
      'when=open',
      (one) => 'status' in one && one.status === 'under_review',
    );

    const open = await list('when=open');

    expect(idsOf(open)).toEqual([overdue, soon, later, answered]);
    expect(open.disputes.at(-1)).toMatchObject({ status: 'under_review', answerBy: null });
  });

  it('lists decided disputes separately, newest first, in pages', async () => {
    const ids: string[] = [];
    for (const outcome of ['won', 'lost', 'lost']) {
      const id = await dispute();
      await atBank(`/${id}/close`, { outcome });
      await untilListed('the end', 'when=over', (one) => 'id' in one && one.id === id);
      ids.unshift(id);
    }

    const first = await list('when=over&limit=2');
    const second = await list(`when=over&limit=2&cursor=${first.nextCursor}`);

    expect([idsOf(first), idsOf(second)]).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(second.nextCursor).toBeNull();
    expect((await list('when=open')).disputes).toEqual([]);
  });

  it('pages through open disputes by deadline', async () => {
    const [second, first, third] = [await dispute(2), await dispute(1), await dispute(3)];

    const page = await list('when=open&limit=2');
    const rest = await list(`when=open&limit=2&cursor=${page.nextCursor}`);

    expect([idsOf(page), idsOf(rest)]).toEqual([[first, second], [third]]);
  });

  it('rejects other callers than admins, and an invalid cursor', async () => {
    const { token: others } = await payments.signIn();

    const stranger = await payments.api.get('/api/admin/disputes?when=open', { token: others });
    const odd = await payments.api.get('/api/admin/disputes?when=open&cursor=%20', { token });

    expect([stranger.status, odd.status]).toEqual([403, 400]);
  });
});
