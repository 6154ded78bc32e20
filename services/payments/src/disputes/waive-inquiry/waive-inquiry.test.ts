import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { transfersOf } from '../../../test/transfers.ts';

let payments: TestPayments;
let transfers: ReturnType<typeof transfersOf>;
let admin: string;
beforeAll(async () => {
  payments = await startTestPayments();
  payments.connectWebhooks();
  transfers = transfersOf(payments);
  admin = await payments.accounts.sign({ role: 'Admin' });
});
afterAll(() => payments.stop());

const waive = (id: string, token = admin) =>
  payments.api.post(`/api/admin/disputes/${id}/waive`, { token });

const listed = async (id: string) => {
  const { body } = await payments.api.get('/api/admin/disputes', { token: admin });
  return body.disputes.find((one: { id: string }) => one.id === id);
};

/** A completed booking that is not released, because the bank only asks about its payment. */
const withInquiry = async () => {
  const { owner } = await transfers.accounts.ready();
  const lent = await transfers.lend(owner.userId);
  const disputeId = await transfers.dispute(lent, { inquiry: true });
  transfers.complete(lent);
  await transfers.releaseNow(lent);
  await transfers.rests(lent.paymentId);
  return { lent, disputeId };
};

describe('POST /api/admin/disputes/:id/waive', () => {
  it('lets the owner be paid in spite of an inquiry', async () => {
    const { lent, disputeId } = await withInquiry();
    const before = await payments.balances(lent.paymentId);

    const { status, body } = await waive(disputeId);

    expect(status).toBe(200);
    await transfers.isSent(lent);
    expect(before).toEqual({ card: -4200, [`pending ${lent.bookingId}`]: 4200 });
    expect((await listed(disputeId)).waivedAt).toBe(body.waivedAt);
  });

  it('keeps the first time when it is repeated', async () => {
    const { disputeId } = await withInquiry();

    const first = await waive(disputeId);
    const second = await waive(disputeId);

    expect(second.body).toEqual(first.body);
  });

  it('rejects a dispute in which the bank holds the money', async () => {
    const lent = await transfers.lend((await payments.signIn()).userId);
    const disputeId = await transfers.dispute(lent);

    expect(await waive(disputeId)).toMatchObject({
      status: 409,
      body: { code: 'DISPUTE_NOT_INQUIRY' },
    });
  });

  it('replies 404 to an unknown dispute', async () => {
    expect(await waive('du_none')).toMatchObject({
      status: 404,
      body: { code: 'DISPUTE_NOT_FOUND' },
    });
  });

  it('is for admins', async () => {
    const { token } = await payments.signIn();

    expect((await waive('du_none', token)).status).toBe(403);
  });
});
