import { useIntersection } from '@mantine/hooks';
import { useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import { useBrowseToolsInfiniteQuery } from './browse-api.ts';
import { needsPlace, toQuery, type useBrowseFilters } from './browse-filters.ts';
import { useMyPlace } from './use-my-place.ts';

function useNearEnd(onNear: () => void, active: boolean) {
  const { ref, entry } = useIntersection({ rootMargin: '600px' });
  const near = active && entry?.isIntersecting;
  useEffect(() => {
    if (near) onNear();
  }, [near, onNear]);
  return ref;
}

/** Loads the matching tools page by page. If `endless`, loads the next page when the `end` element nears the screen. */
export function useBrowseResults(
  { filters, setFilters }: ReturnType<typeof useBrowseFilters>,
  endless: boolean,
) {
  const place = useMyPlace(needsPlace(filters), () =>
    setFilters({ radius: '', ...(filters.sort === 'distance' && { sort: '' }) }, { replace: true }),
  );
  const locating = needsPlace(filters) && !place;
  const results = useBrowseToolsInfiniteQuery(toQuery(filters, place), { skip: locating });
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = results;
  const fetchMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  // A deferred value renders the cards in slices, so that a slow phone can respond to input between them.
  const pages = useDeferredValue(results.currentData?.pages);
  const tools = useMemo(() => pages?.flatMap((page) => page.tools), [pages]);
  const isEmpty = tools?.length === 0;
  const end = useNearEnd(fetchMore, endless && hasNextPage && !isFetchingNextPage && !isEmpty);
  // A page may be empty although more pages follow. Each page scans thousands of tools, so stop after four empty pages.
  const fetched = results.currentData?.pages;
  const isLooking =
    fetched?.every((page) => page.tools.length === 0) && hasNextPage && fetched.length < 4;
  // The page count triggers the effect, because a fast page can load before `isFetchingNextPage` renders as true.
  const fetchedPages = fetched?.length;
  useEffect(() => {
    if (isLooking && !isFetchingNextPage && fetchedPages) fetchMore();
  }, [isLooking, isFetchingNextPage, fetchedPages, fetchMore]);
  return {
    place,
    tools,
    searchedFor: pages?.[0]?.searchedFor,
    loading: locating || isLooking || (!tools && !results.isError),
    isFetchingNextPage,
    hasNextPage,
    canFetchMore: tools && hasNextPage && !isFetchingNextPage && !isLooking,
    fetchMore,
    end,
    failure: results.isError && !tools ? results : null,
  };
}
