import type { ListedTool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button } from '@mantine/core';
import { IconTools } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { formatDate } from '../../rental/format-instant.ts';
import {
  Choice,
  FilterBar,
  SearchField,
  useListFilters,
  withoutEmpty,
} from '../../ui/list-filters.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Price } from '../../ui/price.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import { totalInWords } from '../../ui/total-in-words.ts';
import classes from './admin.module.css';
import { type ToolFilters, useListedToolsInfiniteQuery } from './lists-api.ts';
import { PersonLink } from './person-link.tsx';

const columns: Column<ListedTool>[] = [
  {
    title: 'Tool',
    main: true,
    wide: true,
    cell: (tool) => (
      <span className={classes.name}>
        <ToolPicture tool={tool} className={classes.thumbnail} sizes="48px" />
        {tool.name}
      </span>
    ),
    sortBy: ({ name }) => name.toLowerCase(),
  },
  { title: 'Category', cell: ({ category }) => category },
  { title: 'Owner', cell: ({ owner }) => <PersonLink person={owner} /> },
  {
    title: 'Price',
    cell: ({ price, rental_circle }) => <Price amount={price} circle={rental_circle} />,
    sortBy: ({ price }) => price,
  },
  {
    title: 'Status',
    cell: ({ isOffered }) => <StatusBadge status={isOffered ? 'Available' : 'Unavailable'} />,
  },
  {
    title: 'Listed',
    cell: ({ createdAt }) => formatDate(createdAt),
    sortBy: ({ createdAt }) => createdAt,
  },
];

const states = [
  { value: 'offered', label: 'Available' },
  { value: 'hidden', label: 'Unavailable' },
];

export default function ToolsPage() {
  const { filters, set } = useListFilters<keyof ToolFilters>(['q', 'state']);
  const query = withoutEmpty(filters) as ToolFilters;
  const pages = useListedToolsInfiniteQuery(query);
  return (
    <>
      <PageHeader title="All Tools" intro={totalInWords(pages.data?.pages[0])} />
      <FilterBar>
        <SearchField
          label="Search tools"
          placeholder="Name or id"
          value={filters.q}
          onSettled={(words) => set('q', words)}
        />
        <Choice
          label="Status"
          all="Any status"
          options={states}
          value={filters.state}
          onChange={(state) => set('state', state)}
        />
      </FilterBar>
      <PagedTable
        label="All tools"
        pages={pages}
        rowsOf={({ tools }) => tools}
        columns={columns}
        rowKey={({ id }) => id}
        actions={({ id, name }) => (
          <Button
            component={Link}
            to={paths.ofId(paths.tool, id)}
            variant="light"
            size="sm"
            aria-label={`See ${name}`}
          >
            See
          </Button>
        )}
        empty={
          <EmptyState icon={IconTools} title="No tools found">
            Try part of a tool’s name, its id, or any status.
          </EmptyState>
        }
      />
    </>
  );
}
