import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { insertShare } from '../../../test/ledger-entries.ts';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { closeDays, hasOpening } from '../../store/balance-transaction-repository.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments();
});
afterAll(() => payments.stop());

const get = (token: string) => payments.api.get('/api/admin/payouts', { token });

const read = async () => (await get(await payments.accounts.sign({ role: 'Admin' }))).body;

describe('GET /api/admin/payouts', () => {
  it('shows the balances, what belongs to others, and the months of the operator', async () => {
    // The first check of the ledger would book what Stripe lacks as the opening balance.
    await waitFor('the first check', () => hasOpening(payments.pool));
    const empty = await read();
    const [march, april] = ['2026-03-31T23:59:59Z', '2026-04-01T00:00:00Z'];
    await insertShare(payments.pool, {
      ownerId: randomUUID(),
      movements: [
        { key: 'charge', at: march, moves: [['card', 'unallocated', 9_000]] },
        { key: 'share', at: march, moves: [['unallocated', 'pending', 8_000]] },
        {
          key: 'release',
          at: march,
          moves: [
            ['pending', 'commission', 700],
            ['pending', 'available', 6_300],
          ],
        },
        { key: 'balance', at: march, moves: [['fees', 'stripe', 250]] },
        { key: 'prepare', at: april, moves: [['available', 'sending', 300]] },
        {
          key: 'order',
          at: april,
          moves: [
            ['pending', 'due', 200],
            ['commission', 'due', 20],
            ['debts', 'due', 180],
          ],
        },
        { key: 'loss', at: april, moves: [['losses', 'bank', 50]] },
      ],
    });

    const { balances, months } = await read();
    await closeDays(payments.pool);
    const closed = await read();

    expect(empty).toMatchObject({ balances: { stripeCents: 0, withdrawableCents: 0 }, months: [] });
    expect(balances).toEqual({
      stripeCents: 8_700,
      // 1,000 + 800 + 6,000 + 300 + 400
      othersCents: 8_500,
      // 680 of commission, less 250 of fees, 50 of losses and 180 of debts
      withdrawableCents: 200,
      accounts: {
        unallocated: 1_000,
        pending: 800,
        available: 6_000,
        sending: 300,
        due: 400,
        commission: 680,
        operator: 0,
        fees: -250,
        losses: -50,
        disputes: 0,
        debts: -180,
        netting: 0,
      },
    });
    expect(months).toEqual([
      { month: '2026-04', commissionCents: -20, feesCents: 0, lossesCents: 50 },
      { month: '2026-03', commissionCents: 700, feesCents: 250, lossesCents: 0 },
    ]);
    expect(closed).toEqual({ balances, months });
  });

  it('is for admins', async () => {
    const { token } = await payments.signIn();

    expect((await get(token)).status).toBe(403);
  });
});
