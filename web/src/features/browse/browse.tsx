import * as paths from '@lendtools/contracts/pages';
import { Button, Center, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { lazy, type ReactNode, useCallback, useDeferredValue, useEffect } from 'react';
import { useUser } from '../../api/session-slice.ts';
import { emptyDraft, writeDraft } from '../../lib/booking-draft.ts';
import { ErrorState } from '../../ui/page-states.tsx';
import { Part } from '../../ui/part.tsx';
import { ToolCard, ToolCardSkeleton } from '../../ui/tool-card.tsx';
import grid from '../../ui/tool-grid.module.css';
import classes from './browse.module.css';
import { useBrowseToolsInfiniteQuery } from './browse-api.ts';
import {
  type BrowseFilters,
  isFiltered,
  needsPlace,
  type Sort,
  toQuery,
  useBrowseFilters,
  usualSort,
} from './browse-filters.ts';
import { Corrected } from './corrected.tsx';
import { FilterChips } from './filter-chips.tsx';
import { inMiles } from './filter-words.ts';
import { PlaceFilter } from './place-filter.tsx';
import { PriceFilter } from './price-filter.tsx';
import { SearchBar } from './search-bar.tsx';
import { SortSelect } from './sort-select.tsx';
import { useMyPlace } from './use-my-place.ts';
import { useWhen, WhenChips } from './when-chips.tsx';

const SaveButton = lazy(() => import('../../ui/save-button.tsx'));
const NothingFound = lazy(async () => ({
  default: (await import('./nothing-found.tsx')).NothingFound,
}));

interface BrowseProps {
  /** Fetches the next page by itself; without it a button asks, so that what is below stays reachable. */
  endless?: boolean;
  /** Stands between the search bar and the tools as long as nothing is searched for. */
  intro?: ReactNode;
}

/** Calls `onNear` whenever the returned mark comes close to the screen. */
function useNearEnd(onNear: () => void, active: boolean) {
  const { ref, entry } = useIntersection({ rootMargin: '600px' });
  const near = active && entry?.isIntersecting;
  useEffect(() => {
    if (near) onNear();
  }, [near, onNear]);
  return ref;
}

const inOrder: Record<Sort, string> = {
  relevance: 'best match first',
  distance: 'nearest first',
  newest: 'newest first',
  price: 'lowest price first',
  rating: 'best rated first',
};

function resultText(count: number, more: boolean, filters: BrowseFilters): string {
  const tools = count === 1 && !more ? '1 tool' : `${count}${more ? '+' : ''} tools`;
  const { radius, sort } = filters;
  const found = radius ? `${tools} within ${inMiles(radius)}` : `${tools} to rent`;
  return radius || sort ? `${found}, ${inOrder[sort || usualSort(filters)]}` : found;
}

/** The search bar and the grid of available tools. */
export function Browse({ endless = false, intro }: BrowseProps) {
  const isMember = Boolean(useUser());
  const detailsPath = isMember ? paths.memberTool : paths.tool;
  const { filters, setFilters } = useBrowseFilters();
  const when = useWhen();
  const draft = { ...emptyDraft, start_date: when.start, end_date: when.end };
  const place = useMyPlace(needsPlace(filters), () =>
    setFilters({ radius: '', ...(filters.sort === 'distance' && { sort: '' }) }, { replace: true }),
  );
  const locating = needsPlace(filters) && !place;
  const results = useBrowseToolsInfiniteQuery(toQuery(filters, place), { skip: locating });
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = results;
  const fetchMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const end = useNearEnd(fetchMore, endless && hasNextPage && !isFetchingNextPage);

  // Cards are made in slices, between which a slow phone answers a touch.
  const pages = useDeferredValue(results.currentData?.pages);
  const tools = pages?.flatMap((page) => page.tools);
  const searchedFor = pages?.[0]?.searchedFor;
  const loading = locating || (!tools && !results.isError);
  return (
    <section aria-label="Tools to rent" className={classes.browse}>
      <SearchBar filters={filters} onChange={setFilters} />
      <WhenChips />
      <FilterChips filters={filters} onChange={setFilters} />
      {!isFiltered(filters) && intro}
      {searchedFor && !loading && tools?.length !== 0 && (
        <Corrected
          typed={filters.q}
          searchedFor={searchedFor}
          onExact={() => setFilters({ exact: 'true' })}
        />
      )}
      <div className={classes.above}>
        <Text role="status" className={classes.status} c="dimmed">
          {loading || isFetchingNextPage
            ? 'loading data'
            : tools?.length
              ? resultText(tools.length, hasNextPage, filters)
              : ''}
        </Text>
        {when.start && (
          <Text className={classes.dates} c="dimmed">
            Your dates are filled in on each tool’s page, which says whether it is free.
          </Text>
        )}
        <PlaceFilter filters={filters} onChange={setFilters} />
        <PriceFilter filters={filters} onChange={setFilters} />
        <SortSelect filters={filters} onChange={setFilters} />
      </div>
      {results.isError && !tools && <ErrorState error={results.error} onRetry={results.refetch} />}
      {tools?.length === 0 && (
        <Part>
          <NothingFound
            filters={filters}
            place={place}
            searchedFor={searchedFor}
            onChange={setFilters}
          />
        </Part>
      )}
      <div className={grid.grid} aria-busy={loading}>
        {tools?.map((tool, index) => (
          <ToolCard
            key={tool.id}
            tool={tool}
            to={`${detailsPath}?${writeDraft(tool.id, draft)}`}
            eager={index < 4}
            corner={isMember && <SaveButton tool={tool} />}
          />
        ))}
        {(loading || isFetchingNextPage) &&
          Array.from({ length: 10 }, (_, index) => `waiting-${index}`).map((key) => (
            <ToolCardSkeleton key={key} />
          ))}
      </div>
      <div ref={end} />
      {hasNextPage && !isFetchingNextPage && (
        <Center mt="lg">
          <Button variant="default" onClick={fetchMore}>
            Show more tools
          </Button>
        </Center>
      )}
    </section>
  );
}
