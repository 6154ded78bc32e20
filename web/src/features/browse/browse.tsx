import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Center, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import {
  lazy,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from 'react';
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
import { inMiles } from './filter-words.ts';
import { MapToggle, ToolMap, useMapToggle } from './map-toggle.tsx';
import { PlaceFilter } from './place-filter.tsx';
import { PriceFilter } from './price-filter.tsx';
import { SearchBar } from './search-bar.tsx';
import { SortSelect } from './sort-select.tsx';
import { useMyPlace } from './use-my-place.ts';
import { WhenChips } from './when-chips.tsx';

const SaveButton = lazy(() => import('../../ui/save-button.tsx'));
const FilterChips = lazy(async () => ({
  default: (await import('./filter-chips.tsx')).FilterChips,
}));
const Corrected = lazy(async () => ({ default: (await import('./corrected.tsx')).Corrected }));
const NothingFound = lazy(async () => ({
  default: (await import('./nothing-found.tsx')).NothingFound,
}));

interface BrowseProps {
  /**
   * Whether scrolling loads the next page. If not, a button does, so that the reader can reach the content below the
   * list.
   */
  endless?: boolean;
  /** Shown between the search bar and the tools, except during a search. */
  intro?: ReactNode;
}

/** Calls `onNear` when the element of the returned ref comes close to the screen. */
function useNearEnd(onNear: () => void, active: boolean) {
  const { ref, entry } = useIntersection({ rootMargin: '600px' });
  const near = active && entry?.isIntersecting;
  useEffect(() => {
    if (near) onNear();
  }, [near, onNear]);
  return ref;
}

const noTools: Tool[] = [];

const inOrder: Record<Sort, string> = {
  relevance: 'best match first',
  distance: 'nearest first',
  newest: 'newest first',
  price: 'lowest price first',
  rating: 'best rated first',
};

function resultText(count: number, more: boolean, filters: BrowseFilters): string {
  const tools = count === 1 && !more ? '1 tool' : `${count}${more ? '+' : ''} tools`;
  const { radius, sort, start_date } = filters;
  const where = radius ? `within ${inMiles(radius)}` : 'to rent';
  const found = `${tools} ${where}${start_date && ' on your dates'}`;
  return radius || sort ? `${found}, ${inOrder[sort || usualSort(filters)]}` : found;
}

export function Browse({ endless = false, intro }: BrowseProps) {
  const isMember = Boolean(useUser());
  const detailsPath = isMember ? paths.memberTool : paths.tool;
  const { filters, setFilters } = useBrowseFilters();
  const { start_date, end_date } = filters;
  const draft = { ...emptyDraft, start_date, end_date };
  const place = useMyPlace(needsPlace(filters), () =>
    setFilters({ radius: '', ...(filters.sort === 'distance' && { sort: '' }) }, { replace: true }),
  );
  const locating = needsPlace(filters) && !place;
  const results = useBrowseToolsInfiniteQuery(toQuery(filters, place), { skip: locating });
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = results;
  const fetchMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  // With a deferred value the cards render in slices, so that a slow phone can respond to input between them.
  const pages = useDeferredValue(results.currentData?.pages);
  const tools = useMemo(() => pages?.flatMap((page) => page.tools), [pages]);
  const map = useMapToggle();
  const [picked, setPicked] = useState<string[]>([]);
  const searchedFor = pages?.[0]?.searchedFor;
  const isEmpty = tools?.length === 0;
  const end = useNearEnd(fetchMore, endless && hasNextPage && !isFetchingNextPage && !isEmpty);
  // With few free tools a page may be empty although more follow. Each page scans thousands, so stop after four.
  const fetched = results.currentData?.pages;
  const isLooking =
    fetched?.every((page) => page.tools.length === 0) && hasNextPage && fetched.length < 4;
  // The number of pages triggers the effect: a fast page can load without `isFetchingNextPage` ever rendering as true.
  const fetchedPages = fetched?.length;
  useEffect(() => {
    if (isLooking && !isFetchingNextPage && fetchedPages) fetchMore();
  }, [isLooking, isFetchingNextPage, fetchedPages, fetchMore]);
  const loading = locating || isLooking || (!tools && !results.isError);
  // Without tools, hide the map: it would only push the suggestions down.
  const mapTiles = map.isOn && (!isEmpty || loading) ? map.tiles : null;
  return (
    <section aria-label="Tools to rent" className={classes.browse}>
      <SearchBar filters={filters} onChange={setFilters} />
      <WhenChips filters={filters} onChange={setFilters} />
      {isFiltered(filters) ? (
        <Part>
          <FilterChips filters={filters} onChange={setFilters} />
        </Part>
      ) : (
        intro
      )}
      {searchedFor && !loading && tools?.length !== 0 && (
        <Part>
          <Corrected
            typed={filters.q}
            searchedFor={searchedFor}
            onExact={() => setFilters({ exact: 'true' })}
          />
        </Part>
      )}
      <div className={classes.above}>
        <Text role="status" className={classes.status} c="dimmed">
          {loading || isFetchingNextPage
            ? 'loading data'
            : tools?.length
              ? resultText(tools.length, hasNextPage, filters)
              : ''}
        </Text>
        <PlaceFilter filters={filters} onChange={setFilters} />
        <PriceFilter filters={filters} onChange={setFilters} />
        <SortSelect filters={filters} onChange={setFilters} />
        <MapToggle {...map} />
      </div>
      {results.isError && !tools && <ErrorState error={results.error} onRetry={results.refetch} />}
      {tools?.length === 0 && !loading && (
        <Part>
          <NothingFound
            filters={filters}
            place={place}
            searchedFor={searchedFor}
            onChange={setFilters}
          />
        </Part>
      )}
      <div className={mapTiles ? classes.withMap : undefined}>
        {mapTiles && (
          <div className={classes.map}>
            <Part>
              <ToolMap
                tiles={mapTiles}
                tools={tools ?? noTools}
                picked={picked}
                onPick={setPicked}
              />
            </Part>
          </div>
        )}
        <div className={grid.frame}>
          <div className={grid.grid} aria-busy={loading}>
            {tools?.map((tool, index) => (
              <ToolCard
                key={tool.id}
                tool={tool}
                to={`${detailsPath}?${writeDraft(tool.id, draft)}`}
                eager={index < 4}
                isPicked={map.isOn && picked.includes(tool.id)}
                corner={isMember && <SaveButton tool={tool} />}
              />
            ))}
            {(loading || isFetchingNextPage) &&
              Array.from({ length: 10 }, (_, index) => `waiting-${index}`).map((key) => (
                <ToolCardSkeleton key={key} />
              ))}
          </div>
        </div>
      </div>
      <div ref={end} />
      {tools && hasNextPage && !isFetchingNextPage && !isLooking && (
        <Center mt="lg">
          <Button variant="default" onClick={fetchMore}>
            Show more tools
          </Button>
        </Center>
      )}
    </section>
  );
}
