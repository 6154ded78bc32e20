import { laterDay } from '@lendtools/contracts/local-time';
import { longestDays } from '@lendtools/contracts/rental-period';
import { useCallback } from 'react';
import { useLocation } from 'react-router-dom';
import { isDay } from '../../lib/booking-draft.ts';
import { localDay } from '../../lib/format.ts';
import type { MyPlace } from '../../lib/my-place.ts';
import { parseDollars } from '../../lib/parse-dollars.ts';
import { useAddressQuery } from '../../lib/use-address-query.ts';

export const radiusOptions = [1, 5, 10, 15, 20] as const;

export const sortNames = {
  relevance: 'Best match',
  distance: 'Nearest',
  newest: 'Newest',
  price: 'Lowest price',
  rating: 'Best rated',
} as const;
export type Sort = keyof typeof sortNames;

/** The filters as the address has them; empty means not set. */
export interface BrowseFilters {
  q: string;
  /** `true`: the words as they are typed, though nothing has them. */
  exact: string;
  category: string;
  radius: string;
  /** Dollars. */
  min: string;
  max: string;
  sort: Sort | '';
  /** The first day and the one on which it goes back, by the names that a tool's page has for them. */
  start_date: string;
  end_date: string;
}

export const noFilters: BrowseFilters = {
  q: '',
  exact: '',
  category: '',
  radius: '',
  min: '',
  max: '',
  sort: '',
  start_date: '',
  end_date: '',
};

export const isFiltered = (filters: BrowseFilters) => Object.values(filters).some(Boolean);

/** The query for the API; with a known `place`, tools show their distance. */
export interface BrowseQuery {
  q?: string;
  exact?: 'true';
  category?: string;
  minPrice?: number;
  maxPrice?: number;
  sort?: Sort;
  /** Days on which it is free from the first to the last. */
  from?: string;
  to?: string;
  place?: { lat: number; lng: number; radius?: number };
}

/** The server's order if none is chosen. */
export function usualSort({ q, radius }: Pick<BrowseFilters, 'q' | 'radius'>): Sort {
  if (q) return 'relevance';
  return radius ? 'distance' : 'newest';
}

/** Whether the tools can't be found without knowing where the reader is. */
export const needsPlace = ({ radius, sort }: BrowseFilters) =>
  Boolean(radius) || sort === 'distance';

export function toQuery(filters: BrowseFilters, place: MyPlace | null): BrowseQuery {
  const { q, exact, category, radius, min, max, sort, start_date, end_date } = filters;
  return {
    ...(q && { q }),
    ...(q && exact && { exact: 'true' as const }),
    ...(category && { category }),
    ...(min && { minPrice: Number(min) }),
    ...(max && { maxPrice: Number(max) }),
    ...(sort && { sort }),
    ...(start_date && { from: start_date, to: lastDay(start_date, end_date) }),
    ...(place && {
      place: { lat: place.lat, lng: place.lng, ...(radius && { radius: Number(radius) }) },
    }),
  };
}

/** What goes back on a day may be somebody else's from its beginning on. */
const lastDay = (start: string, end: string) => (end > start ? laterDay(end, -1) : end);

/** Both or none; a link with days that are over means any day by now. */
function readDates(params: URLSearchParams): Pick<BrowseFilters, 'start_date' | 'end_date'> {
  const start_date = params.get('start_date') ?? '';
  const end_date = params.get('end_date') ?? '';
  const isRental =
    isDay(start_date) &&
    isDay(end_date) &&
    start_date >= localDay() &&
    end_date >= start_date &&
    end_date <= laterDay(start_date, longestDays);
  return isRental ? { start_date, end_date } : { start_date: '', end_date: '' };
}

const highestPrice = 100_000;

/** An address is typed by people, too: what is no price there is none. */
function readPrice(text: string | null): string {
  const dollars = parseDollars(text ?? '');
  return dollars !== null && dollars <= highestPrice ? String(dollars) : '';
}

function readFilters(params: URLSearchParams): BrowseFilters {
  const q = params.get('q') ?? '';
  const radius = params.get('radius') ?? '';
  const sort = params.get('sort') ?? '';
  const isSort = Object.hasOwn(sortNames, sort) && (sort !== 'relevance' || Boolean(q));
  return {
    q,
    exact: params.get('exact') === 'true' ? 'true' : '',
    category: params.get('category') ?? '',
    radius: radiusOptions.some((miles) => String(miles) === radius) ? radius : '',
    min: readPrice(params.get('min')),
    max: readPrice(params.get('max')),
    sort: isSort ? (sort as Sort) : '',
    ...readDates(params),
  };
}

/** What the entry of the history has come from: the words of a search that is still being typed. */
interface SearchState {
  isSearching: boolean;
}

/**
 * The filters live in the address, so that a search can be shared, reloaded and returned to. The position does not: a
 * shared link must not reveal where somebody lives.
 */
export function useBrowseFilters() {
  const { query, changeQuery } = useAddressQuery();
  const filters = readFilters(query);
  // A search grows by letters, and is one step back as a whole.
  const isSearching = (useLocation().state as SearchState | null)?.isSearching === true;
  const setFilters = useCallback(
    (changes: Partial<BrowseFilters>, { replace = false } = {}) => {
      const searches = 'q' in changes;
      // Other words may be corrected again.
      changeQuery(searches ? { exact: '', ...changes } : changes, {
        replace: replace || (searches && isSearching),
        preventScrollReset: true,
        state: { isSearching: searches } satisfies SearchState,
      });
    },
    [changeQuery, isSearching],
  );
  return { filters, setFilters };
}
