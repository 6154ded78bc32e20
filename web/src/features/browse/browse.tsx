import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Center, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useUser } from '../../api/session-slice.ts';
import { emptyDraft, writeDraft } from '../../rental/booking-draft.ts';
import { localDay } from '../../rental/format.ts';
import { ErrorState } from '../../ui/page-states.tsx';
import { Part } from '../../ui/part.tsx';
import { ToolCard, ToolCardSkeleton } from '../../ui/tool/tool-card.tsx';
import grid from '../../ui/tool/tool-grid.module.css';
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
import { SearchBar } from './search-bar.tsx';
import { SortSelect } from './sort-select.tsx';
import { useBrowseResults } from './use-browse-results.ts';

const SaveButton = lazy(() => import('../../ui/tool/save-button.tsx'));
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
  /** Shown below the first two rows of tools, except during a search. */
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

/** The end of a rental that is searched for by days: the evening of the last one, unless it has passed. */
const evening = '6.00 PM';
const eveningHour = 18;

function isEveningOver(date: string, now: Date) {
  return date === localDay(now) && now.getHours() >= eveningHour;
}

/** The dates that a card's link passes on to the tool's page. Only members choose the times of a daily rental. */
function draftFor(tool: Tool, { start_date, end_date }: BrowseFilters, isMember: boolean) {
  const isOver = isEveningOver(end_date || start_date, new Date());
  const hasEvening = start_date && isMember && tool.rental_circle === 'daily' && !isOver;
  return { ...emptyDraft, start_date, end_date, end_time: hasEvening ? evening : '' };
}

/** The number of columns that the style sheet gives the grid. */
function useColumns() {
  const ref = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(2);
  useLayoutEffect(() => {
    const element = ref.current as HTMLDivElement;
    const count = () => setColumns(getComputedStyle(element).gridTemplateColumns.split(' ').length);
    count();
    const observer = new ResizeObserver(count);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, columns };
}

interface ToolGridProps {
  tools: Tool[] | undefined;
  filters: BrowseFilters;
  picked: string[];
  loading: boolean;
  isFetchingNextPage: boolean;
  intro: ReactNode;
}

function ToolGrid({ tools, filters, picked, loading, isFetchingNextPage, intro }: ToolGridProps) {
  const isMember = Boolean(useUser());
  const { ref, columns } = useColumns();
  const detailsPath = isMember ? paths.memberTool : paths.tool;
  const cards = (tools ?? []).map((tool, index) => (
    <ToolCard
      key={tool.id}
      tool={tool}
      to={`${detailsPath}?${writeDraft(tool.id, draftFor(tool, filters, isMember))}`}
      eager={index < 4}
      isPicked={picked.includes(tool.id)}
      corner={isMember && <SaveButton tool={tool} />}
    />
  ));
  if (loading || isFetchingNextPage) {
    for (let i = 0; i < 10; i++) cards.push(<ToolCardSkeleton key={`waiting-${i}`} />);
  }
  if (intro) {
    // The style sheet puts it into the third row; its place in the document is for the keyboard and screen readers.
    cards.splice(
      2 * columns,
      0,
      <div key="intro" className={grid.thirdRow}>
        {intro}
      </div>,
    );
  }
  return (
    <div className={grid.frame}>
      <div ref={ref} className={grid.grid} aria-busy={loading}>
        {cards}
      </div>
    </div>
  );
}

interface ToolsAndMapProps {
  results: BrowseResults;
  filters: BrowseFilters;
  map: ReturnType<typeof useMapToggle>;
  intro: ReactNode;
}

/** Marks the tools that are picked on the map. */
function ToolsAndMap({ results, filters, map, intro }: ToolsAndMapProps) {
  const { tools, loading, isFetchingNextPage } = results;
  const [picked, setPicked] = useState<string[]>([]);
  // Without tools, hide the map: it would only push the suggestions down.
  const mapTiles = map.isOn && (tools?.length !== 0 || loading) ? map.tiles : null;
  return (
    <div className={mapTiles ? classes.withMap : undefined}>
      {mapTiles && (
        <div className={classes.map}>
          <Part waiting={<div className={classes.mapWaiting} />}>
            <ToolMap tiles={mapTiles} tools={tools ?? noTools} picked={picked} onPick={setPicked} />
          </Part>
        </div>
      )}
      <ToolGrid
        tools={tools}
        filters={filters}
        picked={map.isOn ? picked : noPicked}
        loading={loading}
        isFetchingNextPage={isFetchingNextPage}
        intro={intro}
      />
    </div>
  );
}

/** Enough rows for a first look: a phone's page would otherwise be ten rows long before what follows. */
const firstOnPhone = 8;

/** On a phone, shows a few of the tools at first, unless scrolling or a search asks for all. */
function useFirstTools(results: BrowseResults, isShort: boolean): BrowseResults {
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const [wantsAll, setWantsAll] = useState(false);
  const { tools, isFetchingNextPage } = results;
  if (isWide || wantsAll || !isShort || !tools || tools.length <= firstOnPhone) return results;
  return {
    ...results,
    tools: tools.slice(0, firstOnPhone),
    hasNextPage: true,
    canFetchMore: !isFetchingNextPage,
    fetchMore: () => void setWantsAll(true),
  };
}

export function Browse({ endless = false, intro }: BrowseProps) {
  const browseFilters = useBrowseFilters();
  const { filters, setFilters } = browseFilters;
  const isSearch = isFiltered(filters);
  const results = useFirstTools(useBrowseResults(browseFilters, endless), !endless && !isSearch);
  const { searchedFor, loading, failure } = results;
  const map = useMapToggle(endless || isSearch);
  const isEmpty = results.tools?.length === 0;
  return (
    <section aria-label="Tools to rent" className={classes.browse}>
      <SearchBar filters={filters} onChange={setFilters} />
      {isSearch && (
        <Part>
          <FilterChips filters={filters} onChange={setFilters} />
        </Part>
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
      <ToolsAndMap
        results={results}
        filters={filters}
        map={map}
        intro={isSearch ? undefined : intro}
      />
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
