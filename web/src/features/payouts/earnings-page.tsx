import * as paths from '@lendtools/contracts/pages';
import { Button, Skeleton, Stack } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { IconCoin } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { useUserDetailsQuery } from '../../api/user-details-api.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import { TableSkeleton } from '../../ui/paged-table.tsx';
import { PayoutState } from '../../ui/payouts/payout-state.tsx';
import { EarnedBookings } from './earned-bookings.tsx';
import { EarnedMonths } from './earned-months.tsx';
import { Summary } from './earnings-summary.tsx';
import classes from './payouts.module.css';
import { usePayoutsInfiniteQuery } from './payouts-api.ts';

function NothingEarned() {
  return (
    <EmptyState
      icon={IconCoin}
      title="Nothing earned yet"
      action={
        <Button component={Link} to={paths.addTool}>
          List a tool
        </Button>
      }
    >
      As soon as a neighbor has paid for one of your tools, you see here what you earn and when you
      get it.
    </EmptyState>
  );
}

function EarningsSkeleton() {
  return (
    <Stack role="status" aria-label="Loading your earnings" gap="xl">
      <div className={classes.tiles}>
        {['on the way', 'available', 'paid'].map((tile) => (
          <Skeleton key={tile} h={124} radius={16} />
        ))}
      </div>
      <TableSkeleton />
    </Stack>
  );
}

/** What the user has earned. An admin's link names another owner: `?owner=`. */
export default function EarningsPage() {
  const userId = useUser()?.id ?? '';
  const owner = useSearchParams()[0].get('owner');
  const ownerId = owner ?? userId;
  const isOwn = ownerId === userId;
  const { data: person } = useUserDetailsQuery(isOwn ? skipToken : ownerId);
  const ownerName = person ? `${person.first_name} ${person.last_name}` : 'this owner';
  const { data, error, refetch } = usePayoutsInfiniteQuery(
    { ownerId },
    { refetchOnMountOrArgChange: true, refetchOnFocus: true },
  );
  const summary = data?.pages[0]?.summary;
  const isEmpty = data?.pages[0]?.bookings.length === 0;
  const waitsForOwner = summary?.waiting.some(({ waitsFor }) => waitsFor === 'account');
  return (
    <>
      <PageHeader
        title="Earnings"
        intro={isOwn ? 'What you earn by lending, and when you get it.' : `What ${ownerName} sees.`}
        {...(owner && { back: { to: paths.payouts, label: 'Payouts' } })}
      />
      {!data &&
        (error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <EarningsSkeleton />
        ))}
      {isEmpty && <NothingEarned />}
      {summary && !isEmpty && (
        <>
          <Summary ownerId={ownerId} isOwn={isOwn} summary={summary} />
          <EarnedBookings ownerId={ownerId} />
          <EarnedMonths ownerId={ownerId} months={summary.months} />
        </>
      )}
      {!owner && data && !waitsForOwner && <PayoutState userId={userId} />}
    </>
  );
}
