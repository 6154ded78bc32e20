import { createLogger, createPool } from '@lendtools/service-kit';
import { isTestKey } from '../../services/payments/src/config.ts';
import { operatorsAccounts } from '../../services/payments/src/domain/ledger.ts';
import { readTotals } from '../../services/payments/src/store/ledger-totals-repository.ts';
import {
  countStuckTransfers,
  type StuckCounts,
} from '../../services/payments/src/store/stuck-transfer-repository.ts';
import { patienceMs, type Say, type Subject } from './finding.ts';

const silent = createLogger('doctor', 'silent');

const whatIsStuck: Record<keyof StuckCounts, string> = {
  transfer: 'transfers to owners not made for a day',
  reversal: 'reversals unknown for a day',
  returned: 'transfers reversed in Stripe’s dashboard, waiting for an admin',
  forgotten: 'shares that wait for a day without a task that transfers them',
};

export interface Money {
  totals: Awaited<ReturnType<typeof readTotals>>;
  stuck: StuckCounts;
  isTest: boolean;
}

export function judgeMoney(say: Say, { totals, stuck, isTest }: Money): void {
  for (const [kind, count] of Object.entries(stuck))
    if (count > 0)
      say.wrong(
        `${whatIsStuck[kind as keyof StuckCounts]}: ${count}`,
        'See TransfersStuck in docs/runbook.md.',
      );
  const cents = operatorsAccounts.reduce((sum, account) => sum + totals[account], 0);
  const says = `the balance at Stripe is ${dollars(-cents)} less than what belongs to renters and owners`;
  if (cents >= 0) say.fine(`${dollars(cents)} of the balance at Stripe is the operator's`);
  else if (isTest) say.fine(`${says}. Only test money moves`);
  else say.wrong(says, 'See BalanceTooLow in docs/runbook.md.');
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

/** `checkPostgres` reports a database that is away or not migrated. */
export async function checkMoney({ env }: Subject, say: Say): Promise<void> {
  const pool = createPool(env.DATABASE_URL as string, silent, {
    max: 1,
    statementTimeoutMs: patienceMs,
  });
  try {
    const [totals, stuck] = [await readTotals(pool), await countStuckTransfers(pool)];
    judgeMoney(say, { totals, stuck, isTest: isTestKey(env.STRIPE_SECRET_KEY ?? '') });
  } catch {
    return;
  } finally {
    await pool.end();
  }
}
