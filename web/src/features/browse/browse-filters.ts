import { laterDay } from '@lendtools/contracts/local-time';
import { longestDays } from '@lendtools/contracts/rental-period';
import { useCallback } from 'react';
import { useLocation } from 'react-router-dom';
import type { MyPlace } from '../../lib/my-place.ts';
import { useAddressQuery } from '../../lib/use-address-query.ts';
import { isDay } from '../../rental/booking-draft.ts';
import { localDay } from '../../rental/format.ts';
import { parseDollars } from '../../rental/parse-dollars.ts';

export const radiusOptions = [1, 5, 10, 15, 20] as const;

export const sortNames = {
  relevance: 'Best match',
  distance: 'Nearest',
  newest: 'Newest',
  price: 'Lowest price',
  rating: 'Best rated',
} as const;
export type Sort = keyof typeof sortNames;

/** The filters as in the URL; an empty string means not set. */
export interface BrowseFilters {
  q: string;
  /** If `true`, searches for the words as typed, even if nothing matches them. */
  exact: string;
  category: string;
  radius: string;
  min: string;
  max: string;
  sort: Sort | '';
  /** The first and last day on which the tool is needed; the tool's page uses the same parameter names. */
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

export function isFiltered(filters: BrowseFilters) {
  return Object.values(filters).some(Boolean);
}

export interface BrowseQuery {
  q?: string;
  exact?: 'true';
  category?: string;
  minPrice?: number;
  maxPrice?: number;
  sort?: Sort;
  from?: string;
  to?: string;
  place?: { lat: number; lng: number; radius?: number };
}

export function usualSort({ q, radius }: Pick<BrowseFilters, 'q' | 'radius'>): Sort {
  if (q) return 'relevance';
  return radius ? 'distance' : 'newest';
}

export function needsPlace({ radius, sort }: BrowseFilters) {
  return Boolean(radius) || sort === 'distance';
}

export function toQuery(filters: BrowseFilters, place: MyPlace | null): BrowseQuery {
  const { q, exact, category, radius, min, max, sort, start_date, end_date } = filters;
  return {
    ...(q && { q }),
    ...(q && exact && { exact: 'true' as const }),
    ...(category && { category }),
    ...(min && { minPrice: Number(min) }),
    ...(max && { maxPrice: Number(max) }),
    ...(sort && { sort }),
    ...(start_date && { from: start_date, to: end_date }),
    ...(place && {
      place: { lat: place.lat, lng: place.lng, ...(radius && { radius: Number(radius) }) },
    }),
  };
}

/** Reads both dates or none; ignores invalid or past dates in a link. */
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

/** The state of a history entry: whether typing in the search field created it. */
interface SearchState {
  isSearching: boolean;
}

/** Keeps the filters in the URL, but not the place: a shared link must not reveal where its sender lives. */
export function useBrowseFilters() {
  const { query, changeQuery } = useAddressQuery();
  const filters = readFilters(query);
  // While the user types, each search replaces the previous history entry, so that Back leaves the whole search.
  const isSearching = (useLocation().state as SearchState | null)?.isSearching === true;
  const setFilters = useCallback(
    (changes: Partial<BrowseFilters>, { replace = false } = {}) => {
      const searches = 'q' in changes;
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
