import { Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import classes from './responsive-table.module.css';

export interface Column<Row> {
  /** The heading, and the label beside the value on a phone. */
  title: string;
  cell: (row: Row) => ReactNode;
  /** What the column is sorted by; a column without it can't be. */
  sortBy?: (row: Row) => string | number;
  /** The card's own heading on a phone: one column has it. */
  main?: boolean;
  align?: 'right';
}

interface ResponsiveTableProps<Row> {
  /** What the rows are, for a screen reader. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** Details buttons and menus, at the end of a row. */
  actions?: (row: Row) => ReactNode;
}

interface Sorting {
  title: string;
  down: boolean;
}

function useSortedRows<Row>(columns: Column<Row>[], rows: Row[]) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const sorted = useMemo(() => {
    const sortBy = columns.find(({ title }) => title === sorting?.title)?.sortBy;
    if (!sortBy || !sorting) return rows;
    const direction = sorting.down ? -1 : 1;
    return rows.toSorted((a, b) => {
      const [left, right] = [sortBy(a), sortBy(b)];
      return direction * (left < right ? -1 : left > right ? 1 : 0);
    });
  }, [columns, rows, sorting]);
  const toggle = (title: string) =>
    setSorting((now) => ({ title, down: now?.title === title && !now.down }));
  return { sorted, sorting, toggle };
}

interface HeadingProps {
  title: string;
  sorting: Sorting | null;
  onToggle: (title: string) => void;
}

function SortButton({ title, sorting, onToggle }: HeadingProps) {
  const mine = sorting?.title === title;
  const Icon = !mine ? IconArrowsSort : sorting.down ? IconArrowDown : IconArrowUp;
  const lastWord = title.lastIndexOf(' ') + 1;
  return (
    <UnstyledButton className={classes.sort} onClick={() => onToggle(title)}>
      {title.slice(0, lastWord)}
      <span>
        {title.slice(lastWord)} <Icon size={14} aria-hidden opacity={mine ? 1 : 0.45} />
      </span>
    </UnstyledButton>
  );
}

/** A sortable table where there is room; elsewhere the same rows become cards, by style alone. */
export function ResponsiveTable<Row>(props: ResponsiveTableProps<Row>) {
  const { label, columns, rows, rowKey, actions } = props;
  const { sorted, sorting, toggle } = useSortedRows(columns, rows);
  const ariaSort = (title: string) =>
    sorting?.title === title ? (sorting.down ? 'descending' : 'ascending') : undefined;
  return (
    <div className={classes.room}>
      <div className={classes.frame}>
        {/* The roles are said aloud because `display: block` on a phone would take them away. */}
        <Table className={classes.table} aria-label={label} role="table" verticalSpacing="sm">
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map(({ title, sortBy, align }) => (
                <Table.Th key={title} role="columnheader" aria-sort={ariaSort(title)} ta={align}>
                  {sortBy ? (
                    <SortButton title={title} sorting={sorting} onToggle={toggle} />
                  ) : (
                    title
                  )}
                </Table.Th>
              ))}
              {actions && (
                <Table.Th role="columnheader">
                  <span className={classes.hidden}>Actions</span>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {sorted.map((row) => (
              <Table.Tr key={rowKey(row)} role="row">
                {columns.map(({ title, cell, main, align }) => (
                  <Table.Td key={title} role="cell" data-main={main || undefined} ta={align}>
                    <Text component="span" className={classes.label} aria-hidden>
                      {title}
                    </Text>
                    <span className={classes.value}>{cell(row)}</span>
                  </Table.Td>
                ))}
                {actions && (
                  <Table.Td role="cell" className={classes.actions}>
                    {actions(row)}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </div>
  );
}
