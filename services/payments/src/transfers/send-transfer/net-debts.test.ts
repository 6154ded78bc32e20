import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { transfersOf } from '../../../test/transfers.ts';

let payments: TestPayments;
let transfers: ReturnType<typeof transfersOf>;
beforeAll(async () => {
  payments = await startTestPayments({ payoutDelayMs: 50 });
  payments.connectWebhooks();
  transfers = transfersOf(payments);
});
afterAll(() => payments.stop());

describe('send-transfer to an owner with debts', () => {
  it("pays the owner's debt for another payment, and sends the rest", async () => {
    const { owner, accountId } = await transfers.accounts.ready();
    const ownerId = owner.userId;
    const indebted = await transfers.released(ownerId);
    await transfers.isSent(indebted);
    await transfers.paidOut(accountId);
    await transfers.cancel(indebted, 1000);
    await payments.hasBalances(indebted.paymentId, {
      card: -3200,
      [`commission ${indebted.bookingId}`]: 320,
      [`debts ${indebted.bookingId}`]: -900,
      owner: 3780,
    });

    const lent = await transfers.released(ownerId);

    await transfers.isSent(lent, 2880);
    expect(await payments.balances(indebted.paymentId)).toEqual({
      card: -3200,
      [`commission ${indebted.bookingId}`]: 320,
      netting: -900,
      owner: 3780,
    });
  });
});
