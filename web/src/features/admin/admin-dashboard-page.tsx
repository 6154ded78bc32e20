import { Skeleton, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { usePermission } from '../../api/use-permission.ts';
import { formatMoney } from '../../rental/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import classes from './admin.module.css';
import { useAccountStatsQuery, useBookingStatsQuery, useCatalogStatsQuery } from './admin-api.ts';
import { DayChart } from './day-chart.tsx';
import { MoneyMonths } from './money-months.tsx';
import { WorkQueue } from './work-queue.tsx';

const shownDays = 30;

interface TileProps {
  title: string;
  figure: string | undefined;
  error: unknown;
  children?: ReactNode;
}

function Tile({ title, figure, error, children }: TileProps) {
  return (
    <section className={classes.tile} aria-label={title}>
      <Text c="dimmed">{title}</Text>
      {error ? (
        <Text c="var(--mantine-color-error)">{errorMessage(error)}</Text>
      ) : (
        <Skeleton visible={figure === undefined}>
          <span className={`${classes.figure} tabular`}>{figure ?? '0'}</span>
          {children}
        </Skeleton>
      )}
    </section>
  );
}

export default function AdminDashboardPage() {
  const accounts = useAccountStatsQuery(shownDays);
  const bookings = useBookingStatsQuery(shownDays);
  const catalog = useCatalogStatsQuery(shownDays);
  const maySeeMoney = usePermission('money');
  const days = bookings.data?.days;
  return (
    <>
      <PageHeader title="Dashboard" />
      <WorkQueue />
      <Title order={2} fz="h3" mb="sm">
        The last {shownDays} days
      </Title>
      <div className={classes.tiles}>
        <Tile
          title="Total users"
          figure={accounts.data?.total.toLocaleString('en-US')}
          error={accounts.error}
        >
          {accounts.data && <DayChart label="sign-ups" days={accounts.data.signUps} />}
        </Tile>
        <Tile
          title="Total bookings"
          figure={bookings.data?.total.toLocaleString('en-US')}
          error={bookings.error}
        >
          {days && (
            <DayChart
              label="bookings"
              days={days.map(({ day, bookings: count }) => ({ day, count }))}
            />
          )}
        </Tile>
        <Tile
          title="Total tools"
          figure={catalog.data?.total.toLocaleString('en-US')}
          error={catalog.error}
        >
          {catalog.data && <DayChart label="listings" days={catalog.data.listings} />}
        </Tile>
        <Tile
          title="Revenue"
          figure={bookings.data && formatMoney(bookings.data.revenueCents / 100)}
          error={bookings.error}
        >
          {days && (
            <DayChart
              label="of bookings"
              format={(cents) => formatMoney(cents / 100, true)}
              days={days.map(({ day, revenueCents }) => ({ day, count: revenueCents }))}
            />
          )}
        </Tile>
      </div>
      {maySeeMoney && <MoneyMonths />}
    </>
  );
}
