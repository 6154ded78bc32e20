import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Center, Text } from '@mantine/core';
import { lazy, type ReactNode, useState } from 'react';
import { useUser } from '../../api/session-slice.ts';
import { type BookingDraft, emptyDraft, writeDraft } from '../../rental/booking-draft.ts';
import { ErrorState } from '../../ui/page-states.tsx';
import { Part } from '../../ui/part.tsx';
import { ToolCard, ToolCardSkeleton } from '../../ui/tool-card.tsx';
import grid from '../../ui/tool-grid.module.css';
import classes from './browse.module.css';
import {
  type BrowseFilters,
  isFiltered,
  type Sort,
  useBrowseFilters,
  usualSort,
} from './browse-filters.ts';
import { inMiles } from './filter-words.ts';
import { MapToggle, ToolMap, useMapToggle } from './map-toggle.tsx';
import { PlaceFilter } from './place-filter.tsx';
import { PriceFilter } from './price-filter.tsx';
import { SearchBar } from './search-bar.tsx';
import { SortSelect } from './sort-select.tsx';
import { useBrowseResults } from './use-browse-results.ts';
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
  /** If true, scrolling loads more tools; if false, a button does, so that the content below stays reachable. */
  endless?: boolean;
  /** Shown between the search bar and the tools, except during a search. */
  intro?: ReactNode;
}

const noTools: Tool[] = [];
const noPicked: string[] = [];

type BrowseResults = ReturnType<typeof useBrowseResults>;

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

function statusText(results: BrowseResults, filters: BrowseFilters): string {
  const { tools, loading, isFetchingNextPage, hasNextPage } = results;
  if (loading || isFetchingNextPage) return 'loading data';
  return tools?.length ? resultText(tools.length, hasNextPage, filters) : '';
}

interface ToolGridProps {
  tools: Tool[] | undefined;
  /** The dates that the links pass on to the tools' pages. */
  draft: BookingDraft;
  picked: string[];
  loading: boolean;
  isFetchingNextPage: boolean;
}

function ToolGrid({ tools, draft, picked, loading, isFetchingNextPage }: ToolGridProps) {
  const isMember = Boolean(useUser());
  const detailsPath = isMember ? paths.memberTool : paths.tool;
  return (
    <div className={grid.frame}>
      <div className={grid.grid} aria-busy={loading}>
        {tools?.map((tool, index) => (
          <ToolCard
            key={tool.id}
            tool={tool}
            to={`${detailsPath}?${writeDraft(tool.id, draft)}`}
            eager={index < 4}
            isPicked={picked.includes(tool.id)}
            corner={isMember && <SaveButton tool={tool} />}
          />
        ))}
        {(loading || isFetchingNextPage) &&
          Array.from({ length: 10 }, (_, index) => `waiting-${index}`).map((key) => (
            <ToolCardSkeleton key={key} />
          ))}
      </div>
    </div>
  );
}

interface ToolsAndMapProps {
  results: BrowseResults;
  filters: BrowseFilters;
  map: ReturnType<typeof useMapToggle>;
}

/** Marks the tools that are picked on the map. */
function ToolsAndMap({ results, filters, map }: ToolsAndMapProps) {
  const { tools, loading, isFetchingNextPage } = results;
  const { start_date, end_date } = filters;
  const [picked, setPicked] = useState<string[]>([]);
  // Without tools, hide the map: it would only push the suggestions down.
  const mapTiles = map.isOn && (tools?.length !== 0 || loading) ? map.tiles : null;
  return (
    <div className={mapTiles ? classes.withMap : undefined}>
      {mapTiles && (
        <div className={classes.map}>
          <Part>
            <ToolMap tiles={mapTiles} tools={tools ?? noTools} picked={picked} onPick={setPicked} />
          </Part>
        </div>
      )}
      <ToolGrid
        tools={tools}
        draft={{ ...emptyDraft, start_date, end_date }}
        picked={map.isOn ? picked : noPicked}
        loading={loading}
        isFetchingNextPage={isFetchingNextPage}
      />
    </div>
  );
}

export function Browse({ endless = false, intro }: BrowseProps) {
  const browseFilters = useBrowseFilters();
  const { filters, setFilters } = browseFilters;
  const results = useBrowseResults(browseFilters, endless);
  const { searchedFor, loading, failure } = results;
  const map = useMapToggle();
  const isEmpty = results.tools?.length === 0;
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
      {searchedFor && !loading && !isEmpty && (
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
          {statusText(results, filters)}
        </Text>
        <PlaceFilter filters={filters} onChange={setFilters} />
        <PriceFilter filters={filters} onChange={setFilters} />
        <SortSelect filters={filters} onChange={setFilters} />
        <MapToggle {...map} />
      </div>
      {failure && <ErrorState error={failure.error} onRetry={failure.refetch} />}
      {isEmpty && !loading && (
        <Part>
          <NothingFound
            filters={filters}
            place={results.place}
            searchedFor={searchedFor}
            onChange={setFilters}
          />
        </Part>
      )}
      <ToolsAndMap results={results} filters={filters} map={map} />
      <div ref={results.end} />
      {results.canFetchMore && (
        <Center mt="lg">
          <Button variant="default" onClick={results.fetchMore}>
            Show more tools
          </Button>
        </Center>
      )}
    </section>
  );
}
