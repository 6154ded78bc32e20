import { Button, Center, Group, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { IconMapSearch, IconSearchOff } from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect } from 'react';
import { useUser } from '../../api/session-slice.ts';
import { emptyDraft, writeDraft } from '../../lib/booking-draft.ts';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import { ToolCard, ToolCardSkeleton } from '../../ui/tool-card.tsx';
import classes from './browse.module.css';
import { useBrowseToolsInfiniteQuery } from './browse-api.ts';
import { type BrowseFilters, type BrowseQuery, useBrowseFilters } from './browse-filters.ts';
import { SearchBar } from './search-bar.tsx';
import { type Place, useMyPlace } from './use-my-place.ts';
import { useWhen, WhenChips } from './when-chips.tsx';

interface BrowseProps {
  /** Fetches the next page by itself; without it a button asks, so that what is below stays reachable. */
  endless?: boolean;
  /** Stands between the search bar and the tools as long as nothing is searched for. */
  intro?: ReactNode;
}

function toQuery({ q, category, radius }: BrowseFilters, place: Place | null): BrowseQuery {
  return {
    ...(q && { q }),
    ...(category && { category }),
    ...(radius && place && { place: { ...place, radius: Number(radius) } }),
  };
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

const inMiles = (radius: string) => (radius === '1' ? '1 mile' : `${radius} miles`);

function resultText(count: number, more: boolean, { q, radius }: BrowseFilters): string {
  const tools = count === 1 && !more ? '1 tool' : `${count}${more ? '+' : ''} tools`;
  if (!radius) return `${tools} to rent`;
  return `${tools} within ${inMiles(radius)}, ${q ? 'best match' : 'nearest'} first`;
}

function nothingTitle({ q, radius }: BrowseFilters): string {
  if (q) return `Nothing found for “${q}”`;
  return radius ? `No tools within ${inMiles(radius)} yet` : 'No tools here yet';
}

interface NothingFoundProps {
  filters: BrowseFilters;
  onChange: (changes: Partial<BrowseFilters>) => void;
}

/** What to try next depends on what was asked for. */
function NothingFound({ filters, onChange }: NothingFoundProps) {
  const { q, category, radius } = filters;
  return (
    <EmptyState
      icon={radius ? IconMapSearch : IconSearchOff}
      title={nothingTitle(filters)}
      action={
        <Group justify="center" gap="xs" mt="xs">
          {q && <Button onClick={() => onChange({ q: '' })}>Clear the search</Button>}
          {category && (
            <Button variant="light" onClick={() => onChange({ category: '' })}>
              All categories
            </Button>
          )}
          {radius && radius !== '20' && (
            <Button variant="light" onClick={() => onChange({ radius: '20' })}>
              Look within 20 miles
            </Button>
          )}
          {radius && (
            <Button variant="light" onClick={() => onChange({ radius: '' })}>
              Look everywhere
            </Button>
          )}
        </Group>
      }
    >
      {q || category
        ? 'Try a shorter word such as “drill” or “ladder”, another category, or a wider radius.'
        : radius
          ? 'Neighbors list new tools every week. Until then, look a little further.'
          : 'Be the first in your neighborhood: list a tool that you rarely use.'}
    </EmptyState>
  );
}

/** The search bar and the grid of tools on offer. */
export function Browse({ endless = false, intro }: BrowseProps) {
  const detailsPath = useUser() ? '/user/rental-details' : '/rental-details';
  const { filters, setFilters } = useBrowseFilters();
  const when = useWhen();
  const draft = { ...emptyDraft, start_date: when.start, end_date: when.end };
  const dropRadius = useCallback(() => setFilters({ radius: '' }, { replace: true }), [setFilters]);
  const place = useMyPlace(Boolean(filters.radius), dropRadius);
  const locating = Boolean(filters.radius) && !place;
  const results = useBrowseToolsInfiniteQuery(toQuery(filters, place), { skip: locating });
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = results;
  const fetchMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const end = useNearEnd(fetchMore, endless && hasNextPage && !isFetchingNextPage);

  const tools = results.currentData?.pages.flatMap((page) => page.tools);
  const isFiltered = Object.values(filters).some(Boolean);
  const loading = locating || (!tools && !results.isError);
  return (
    <section aria-label="Tools to rent" className={classes.browse}>
      <SearchBar filters={filters} onChange={setFilters} />
      <WhenChips />
      {!isFiltered && intro}
      <Text role="status" className={classes.status} c="dimmed">
        {loading || isFetchingNextPage
          ? 'loading data'
          : tools?.length
            ? resultText(tools.length, hasNextPage, filters)
            : ''}
      </Text>
      {results.isError && !tools && <ErrorState error={results.error} onRetry={results.refetch} />}
      {tools?.length === 0 && <NothingFound filters={filters} onChange={setFilters} />}
      <div className={classes.grid} aria-busy={loading}>
        {tools?.map((tool, index) => (
          <ToolCard
            key={tool.id}
            tool={tool}
            to={`${detailsPath}?${writeDraft(tool.id, draft)}`}
            eager={index < 4}
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
