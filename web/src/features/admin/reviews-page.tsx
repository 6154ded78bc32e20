import type { ListedReview } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Anchor, Button } from '@mantine/core';
import { IconStar } from '@tabler/icons-react';
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
import { RatingStars } from '../../ui/rating-stars.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { totalInWords } from '../../ui/total-in-words.ts';
import { type ReviewFilters, useListedReviewsInfiniteQuery } from './lists-api.ts';
import { PersonLink } from './person-link.tsx';

const columns: Column<ListedReview>[] = [
  {
    title: 'Tool',
    main: true,
    cell: ({ toolId, toolName }) => (
      <Anchor component={Link} to={paths.ofId(paths.tool, toolId)} inherit>
        {toolName}
      </Anchor>
    ),
    sortBy: ({ toolName }) => toolName.toLowerCase(),
  },
  {
    title: 'Stars',
    cell: ({ rating }) => <RatingStars value={rating} />,
    sortBy: ({ rating }) => rating,
  },
  {
    title: 'Comment',
    wide: true,
    cell: ({ comment }) => (
      <span style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{comment}</span>
    ),
  },
  { title: 'By', cell: ({ renter }) => <PersonLink person={renter} /> },
  { title: 'Owner', cell: ({ owner }) => <PersonLink person={owner} /> },
  {
    title: 'Written',
    cell: ({ createdAt }) => formatDate(createdAt),
    sortBy: ({ createdAt }) => createdAt,
  },
];

const stars = [
  { value: '1', label: '1 star' },
  { value: '2', label: '2 stars or less' },
  { value: '3', label: '3 stars or less' },
];

export default function ReviewsPage() {
  const { filters, set } = useListFilters<keyof ReviewFilters>(['q', 'stars']);
  const pages = useListedReviewsInfiniteQuery(withoutEmpty(filters) as ReviewFilters);
  return (
    <>
      <PageHeader title="Reviews" intro={totalInWords(pages.data?.pages[0])} />
      <FilterBar>
        <SearchField
          label="Search reviews"
          placeholder="Words of the comment"
          value={filters.q}
          onSettled={(words) => set('q', words)}
        />
        <Choice
          label="Stars"
          all="Any stars"
          options={stars}
          value={filters.stars}
          onChange={(most) => set('stars', most)}
        />
      </FilterBar>
      <PagedTable
        label="Reviews"
        pages={pages}
        rowsOf={({ reviews }) => reviews}
        columns={columns}
        rowKey={({ id }) => id}
        actions={({ bookingId, bookingCode, toolName }) => (
          <Button
            component={Link}
            to={paths.ofId(paths.adminBooking, bookingId)}
            variant="light"
            size="sm"
            aria-label={`Booking of ${toolName}, ${bookingCode}`}
          >
            Booking
          </Button>
        )}
        empty={
          <EmptyState icon={IconStar} title="No reviews found">
            Try other words, or any stars.
          </EmptyState>
        }
      />
    </>
  );
}
