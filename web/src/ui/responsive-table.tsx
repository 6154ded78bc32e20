import { Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import classes from './responsive-table.module.css';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** The sort key; a column without it can't be sorted. */
  sortBy?: (row: Row) => string | number;
  /** Set for the column that is the heading of the card on a phone. */
  main?: boolean;
  /** Set for a column of sentences, which needs more room than one of words or numbers. */
  wide?: boolean;
  align?: 'right';
}

interface ResponsiveTableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  actions?: (row: Row) => ReactNode;
}

interface Sorting {
  title: string;
  down: boolean;
}

function useSorting<Row>(columns: Column<Row>[]) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const sort = (rows: Row[]) => {
    const sortBy = columns.find(({ title }) => title === sorting?.title)?.sortBy;
    if (!sortBy || !sorting) return rows;
    const direction = sorting.down ? -1 : 1;
    return rows.toSorted((a, b) => {
      const [left, right] = [sortBy(a), sortBy(b)];
      return direction * (left < right ? -1 : left > right ? 1 : 0);
    });
  };
  const toggle = (title: string) =>
    setSorting((now) => ({ title, down: now?.title === title && !now.down }));
  return { sort, sorting, toggle };
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

function BodyRow<Row>({ row, columns, actions }: BodyRowProps<Row>) {
  return (
    <Table.Tr role="row">
      {columns.map(({ title, cell, main, wide, align }) => (
        <Table.Td
          key={title}
          role="cell"
          data-main={main || undefined}
          data-wide={wide || undefined}
          ta={align}
        >
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
  );
}

type BodyRowProps<Row> = Pick<ResponsiveTableProps<Row>, 'columns' | 'actions'> & { row: Row };

/** A sortable table; on narrow screens CSS alone turns its rows into cards. */
export function ResponsiveTable<Row>(props: ResponsiveTableProps<Row>) {
  const { label, columns, rows, rowKey, actions } = props;
  const { sort, sorting, toggle } = useSorting(columns);
  const ariaSort = (title: string) =>
    sorting?.title === title ? (sorting.down ? 'descending' : 'ascending') : undefined;
  return (
    <div className={classes.room}>
      <div className={classes.frame}>
        {/* The explicit roles keep the table's semantics, which `display: block` on a phone would remove. */}
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
            {sort(rows).map((row) => (
              <BodyRow key={rowKey(row)} row={row} columns={columns} actions={actions} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </div>
  );
}
