import { describe, expect, it } from '@jest/globals';
import { judgeMoney, type Money } from './check-money.ts';

const none = {
  unallocated: 0,
  pending: 0,
  available: 0,
  sending: 0,
  due: 0,
  commission: 0,
  operator: 0,
  fees: 0,
  losses: 0,
  disputes: 0,
  debts: 0,
  netting: 0,
};
const nothing = { transfer: 0, reversal: 0, returned: 0, forgotten: 0 };

function judge({
  totals,
  stuck = nothing,
  isTest = false,
}: Partial<Omit<Money, 'totals'>> & { totals?: Partial<Money['totals']> }): string[] {
  const found: string[] = [];
  const say = {
    fine: (says: string) => found.push(`fine: ${says}`),
    wrong: (says: string, todo: string) => found.push(`wrong: ${says}. ${todo}`),
  };
  judgeMoney(say, { stuck, isTest, totals: { ...none, ...totals } });
  return found;
}

describe('the doctor’s check of the money', () => {
  it('leaves out what belongs to renters and owners', () => {
    const totals = { pending: 9_000, commission: 1_000, fees: -320 };

    expect(judge({ totals })).toEqual(["fine: $6.80 of the balance at Stripe is the operator's"]);
  });

  it('reports a balance that is too low, unless only test money moves', () => {
    const totals = { debts: -2_700 };

    expect([judge({ totals }), judge({ totals, isTest: true })]).toEqual([
      [expect.stringMatching(/^wrong: .* is \$27\.00 less than .*BalanceTooLow/)],
      [expect.stringMatching(/^fine: .* is \$27\.00 less than .*Only test money moves$/)],
    ]);
  });

  it('reports what is stuck', () => {
    expect(judge({ stuck: { transfer: 2, reversal: 0, returned: 1, forgotten: 3 } })).toEqual([
      expect.stringMatching(/^wrong: transfers to owners not made for a day: 2.*TransfersStuck/),
      expect.stringMatching(
        /^wrong: transfers reversed in Stripe’s dashboard, waiting for an admin: 1/,
      ),
      expect.stringMatching(/^wrong: shares that wait for a day .*: 3/),
      expect.stringMatching(/^fine/),
    ]);
  });
});
