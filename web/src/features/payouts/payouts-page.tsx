import { Skeleton } from '@mantine/core';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { CommissionMonths } from './commission-months.tsx';
import { FailedRefunds } from './failed-refunds.tsx';
import { OwnersWithDebts } from './owners-with-debts.tsx';
import classes from './payouts.module.css';
import { useAdminPayoutsQuery } from './payouts-api.ts';
import { PlatformBalances } from './platform-balances.tsx';
import { StuckTransfers } from './stuck-transfers.tsx';

function TilesSkeleton() {
  return (
    <div className={classes.tiles} role="status" aria-label="Loading the balances">
      {['at Stripe', 'of others', 'yours'].map((tile) => (
        <Skeleton key={tile} h={124} radius={16} />
      ))}
    </div>
  );
}

export default function PayoutsPage() {
  const { data, error, refetch } = useAdminPayoutsQuery(undefined, {
    refetchOnMountOrArgChange: true,
    refetchOnFocus: true,
  });
  return (
    <>
      <PageHeader title="Payouts" intro="What owners get, what waits, and what you keep." />
      {data && <PlatformBalances balances={data.balances} />}
      {!data &&
        (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TilesSkeleton />)}
      <FailedRefunds />
      <StuckTransfers />
      <OwnersWithDebts />
      {data && <CommissionMonths months={data.months} />}
    </>
  );
}
