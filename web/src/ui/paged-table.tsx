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

interface PagedRowsProps<Page, Row> {
  pages: Pages<Page>;
  rowsOf: (page: Page) => Row[];
  empty: ReactNode;
  waiting: ReactNode;
  children: (rows: Row[]) => ReactNode;
}

/** The rows of all loaded pages, with the states of a list: loading, failed, empty, and more to show. */
export function PagedRows<Page, Row>(props: PagedRowsProps<Page, Row>) {
  const { pages, rowsOf, empty, waiting, children } = props;
  if (!pages.data) {
    return pages.error ? (
      <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
    ) : (
      waiting
    );
  }
  const rows = pages.data.pages.flatMap(rowsOf);
  if (rows.length === 0) return empty;
  return (
    <>
      {children(rows)}
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

interface PagedTableProps<Page, Row>
  extends Omit<PagedRowsProps<Page, Row>, 'waiting' | 'children'> {
  label: string;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  actions?: (row: Row) => ReactNode;
  /** Renders the rows on screens too narrow for a table. */
  cards?: (rows: Row[]) => ReactNode;
}

export function PagedTable<Page, Row>(props: PagedTableProps<Page, Row>) {
  const { pages, rowsOf, empty, cards, ...table } = props;
  return (
    <PagedRows pages={pages} rowsOf={rowsOf} empty={empty} waiting={<TableSkeleton />}>
      {(rows) => (cards ? cards(rows) : <ResponsiveTable rows={rows} {...table} />)}
    </PagedRows>
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
