import { Button, Center, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from './page-states.tsx';
import { type Column, ResponsiveTable } from './responsive-table.tsx';

export interface Pages<Page> {
  data?: { pages: Page[] };
  error?: unknown;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

interface PagedTableProps<Page, Row> {
  label: string;
  pages: Pages<Page>;
  rowsOf: (page: Page) => Row[];
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  actions?: (row: Row) => ReactNode;
  groupRows?: (rows: Row[]) => { title: string; rows: Row[] }[];
  /** Renders the rows on screens too narrow for a table. */
  cards?: (rows: Row[]) => ReactNode;
  empty: ReactNode;
}

export function PagedTable<Page, Row>(props: PagedTableProps<Page, Row>) {
  const { pages, rowsOf, empty, groupRows, cards, ...table } = props;
  if (!pages.data) {
    return pages.error ? (
      <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
    ) : (
      <TableSkeleton />
    );
  }
  const rows = pages.data.pages.flatMap(rowsOf);
  if (rows.length === 0) return empty;
  return (
    <>
      {cards ? cards(rows) : <ResponsiveTable rows={rows} groups={groupRows?.(rows)} {...table} />}
      {pages.hasNextPage && (
        <Center mt="md">
          <Button
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show more
          </Button>
        </Center>
      )}
    </>
  );
}

export function TableSkeleton() {
  return (
    <Stack gap="xs" aria-hidden>
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <Skeleton key={row} h={54} />
      ))}
    </Stack>
  );
}
