import type { AdminPayouts } from '@lendtools/contracts';
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatCents } from '../../rental/format.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { MoneyTile } from './money-tile.tsx';
import classes from './payouts.module.css';

type Balances = AdminPayouts['balances'];

/** The ledger's accounts (ADR 16), in the order in which money moves through them. */
const accountWords: Record<keyof Balances['accounts'], string> = {
  unallocated: 'Paid by renters, without a booking yet',
  pending: 'Of bookings that are not released',
  available: 'Released to owners, and not sent',
  sending: 'Being sent to owners',
  due: 'Refunds that are not made yet',
  commission: 'Commission',
  operator: 'Your own money',
  fees: 'Stripe’s fees',
  losses: 'Losses',
  disputes: 'Held by banks in disputes',
  debts: 'Owed by owners',
  netting: 'Debts being netted',
};
const accounts = Object.keys(accountWords) as (keyof Balances['accounts'])[];

export function PlatformBalances({ balances }: { balances: Balances }) {
  const { stripeCents, othersCents, withdrawableCents } = balances;
  return (
    <>
      {withdrawableCents < 0 && (
        <Alert
          mb="md"
          color="red"
          title={`${formatCents(-withdrawableCents)} is missing at Stripe`}
          icon={<IconAlertTriangle aria-hidden />}
        >
          The balance is lower than what belongs to renters and owners. Top it up in Stripe’s
          dashboard: refunds stay pending until then, and transfers take it further below zero.
        </Alert>
      )}
      <div className={classes.tiles}>
        <MoneyTile title="At Stripe" cents={stripeCents}>
          By the ledger, which is compared with Stripe each hour
        </MoneyTile>
        <MoneyTile title="Belongs to others" cents={othersCents}>
          To renters and owners
        </MoneyTile>
        <MoneyTile title="You may withdraw" cents={Math.max(0, withdrawableCents)}>
          In Stripe’s dashboard, by a manual payout
        </MoneyTile>
      </div>
      <details className={classes.accounts}>
        <summary>All accounts of the ledger</summary>
        <Facts>
          {accounts.map((account) => (
            <Fact key={account} name={accountWords[account]}>
              <span className="tabular">{formatCents(balances.accounts[account])}</span>
            </Fact>
          ))}
        </Facts>
      </details>
    </>
  );
}
